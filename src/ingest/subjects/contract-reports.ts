import {
  type BindContractCommand,
  type ContractCommand,
  contractsDecider,
} from '../../../commands/contracts-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { type BooksCommand, oddsDecider } from '../../../commands/odds-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import {
  type BoundByHand,
  type ContractPlace,
  contractKey,
  type LeagueContracts,
  provedOfSeries,
} from '../../domain/contracts/contract-proof.ts';
import { hasComeTrue } from '../../domain/contracts/settled-side.ts';
import { type BookDepth, outcomesOf, type ReportedBook } from '../../domain/odds/book-depth.ts';
import type { EventIdentity } from '../../domain/streams/domain-events.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';

/**
 * Records what was reported of a contract. Books that wait for the proof of its side are released, or its prices are
 * withdrawn. @returns whether anything was recorded
 */
export async function reportContract(session: IngestSession, fact: ContractCommand): Promise<boolean> {
  const { leagueId, source, at } = fact;
  const { series } = fact.content;
  const before = new Set(provedOfSeries(await session.states.get(contractsDecider, leagueId), series));
  const events = await session.states.decide(contractsDecider, leagueId, fact);
  if (events.length === 0) return false;
  const contracts = await session.states.get(contractsDecider, leagueId);
  const now = new Set(provedOfSeries(contracts, series));
  for (const key of now) if (!before.has(key)) session.noteKnown(waitingKeyOf(leagueId, key));
  const withdrawn = [...before].filter((key) => !now.has(key));
  await withdrawBooks(session, contracts, withdrawn, { source, at });
  return true;
}

/**
 * A person binds a contract, or takes that back. What is shown of it goes until its next book comes, and what waits for
 * it is taken.
 */
export async function bindContract(session: IngestSession, byHand: BindContractCommand['byHand']): Promise<void> {
  const { leagueId, source, at, content } = byHand;
  const { venue, contract } = content;
  const key = contractKey(venue, contract);
  const { byHand: before, contracts } = await session.states.get(contractsDecider, leagueId);
  const bound = before.get(key);
  const known = contracts.get(key);
  const events = await session.states.decide(contractsDecider, leagueId, { byHand });
  if (events.length === 0) return;
  const report = { source, at };
  if (bound) {
    const place = { eventId: bound.eventId, venue, key: bound.bet.market, scope: 'match' } as const;
    // Its book came with the others of its market, or alone.
    await (known ? withdrawMarket(session, place, report) : withdrawLadder(session, { venue, ...bound }, report));
  }
  if (known) await withdrawMarket(session, known.place, report);
  session.noteKnown(waitingKeyOf(leagueId, key));
}

/** Judges the contracts of an event that were settled before it was known to be over. */
export async function judgeSettledContracts(
  session: IngestSession,
  identity: EventIdentity,
  told: { readonly source: string; readonly at: string },
): Promise<void> {
  const { sport, league, eventId, origin } = identity;
  const leagueId = findLeague(league)?.id;
  if (leagueId === undefined) return;
  const { contracts } = await session.states.get(contractsDecider, leagueId);
  // Reports move contracts to the end: the list is made before.
  const settled = [...contracts.values()].filter(
    ({ unjudged, place }) => unjudged !== null && place.eventId === eventId,
  );
  if (settled.length === 0) return;
  const { event } = await session.states.get(eventDecider, eventId);
  for (const { key, series, byName, place, bet, unjudged } of settled) {
    const cameTrue = hasComeTrue({ sport, league, event }, bet);
    if (cameTrue === null || unjudged === null) continue;
    const { venue, scope } = place;
    const content: ContractCommand['content'] = {
      ...{ venue, contract: key.slice(venue.length + 1), series, ...bet, scope, by_name: byName },
      ...{ result: unjudged, settled: cameTrue === (unjudged === 'yes') ? 'right' : 'wrong' },
    };
    await reportContract(session, { ...told, leagueId, eventId, origin: origin ?? {}, content });
  }
}

/** The key of the books that wait for a contract. */
function waitingKeyOf(leagueId: number, key: string): string {
  const space = key.indexOf(' ');
  return identityKeyOf.contract(leagueId, key.slice(0, space), key.slice(space + 1));
}

/** Prices of contracts that are proved no more: their markets have no books until the next ones come. */
async function withdrawBooks(
  session: IngestSession,
  { contracts }: LeagueContracts,
  keys: readonly string[],
  { source, at }: { readonly source: string; readonly at: string },
): Promise<void> {
  for (const contract of keys) {
    const found = contracts.get(contract);
    if (!found) continue;
    await withdrawMarket(session, found.place, { source, at });
  }
}

const withdrawMarket = (
  session: IngestSession,
  { key, scope, ...place }: ContractPlace,
  report: { readonly source: string; readonly at: string },
): Promise<void> =>
  recordBooks(session, place, report, (depth) =>
    [false, true]
      .map((alternate) => ({ key, scope, alternate, outcomes: [] }))
      // Where nothing is shown, a withdrawal would only make what waits late.
      .filter((book) => outcomesOf(depth, book).length > 0),
  );

/** The ladder of one contract: the others of its market stay. */
function withdrawLadder(
  session: IngestSession,
  { bet, ...place }: BoundByHand & Pick<ContractPlace, 'venue'>,
  report: { readonly source: string; readonly at: string },
): Promise<void> {
  const { market: key, outcome, point } = bet;
  const own = { outcome, ...(point === undefined ? {} : { point }), bids: [], asks: [] };
  const books = [{ key, scope: 'match', alternate: false, outcomes: [own] } as const];
  return recordBooks(session, place, { ...report, others: 'all' }, () => books);
}

/** Records books of a venue on an event, as it is known now. @param booksFor the books as they stand */
async function recordBooks(
  session: IngestSession,
  { eventId, venue }: Pick<ContractPlace, 'eventId' | 'venue'>,
  report: Pick<BooksCommand, 'source' | 'at' | 'others'>,
  booksFor: (depth: BookDepth | undefined) => readonly ReportedBook[],
): Promise<void> {
  const id = session.meaningOf('event', eventId);
  const { identity } = await session.states.get(eventDecider, id);
  if (!identity) return;
  const books = booksFor((await session.states.get(oddsDecider, id)).depth.get(venue));
  if (books.length === 0) return;
  await session.states.decide(oddsDecider, id, { identity: { ...identity, origin: {} }, ...report, venue, books });
}
