import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { oddsDecider } from '../../../commands/odds-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { type LeagueContracts, provedOfSeries } from '../../domain/contracts/contract-proof.ts';
import { hasComeTrue } from '../../domain/contracts/settled-side.ts';
import type { ContractMessage, FeedOutcome } from '../../domain/feed/feed-messages.ts';
import type { ContractContent } from '../../domain/streams/contracts-stream.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { alignOutcome } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import { messageHead } from './replayed-message.ts';
import { defineSubject } from './subject.ts';

/** A `contract` message: books that wait for the proof of its side are released, or its prices are withdrawn. */
function handleContract(session: IngestSession, message: ContractMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped, state: event }, identity) => {
    const { kind: _, source, at, ref: __, match: ___, result, ...said } = message;
    const { sport, league, eventId } = identity;
    const leagueId = findLeague(league)!.id;
    const aligned = swapContent(said, sport, swapped);
    const cameTrue =
      result === undefined || (said.scope ?? 'match') !== 'match'
        ? null
        : hasComeTrue({ sport, event: event.event }, withMarket(aligned));
    // The game is not over here yet, or gives the money back: how its contract was settled says nothing.
    if (result !== undefined && cameTrue === null) return { status: 'unchanged' };
    const settled =
      cameTrue === null ? {} : ({ result, settled: cameTrue === (result === 'yes') ? 'right' : 'wrong' } as const);
    const content = { ...aligned, ...settled } as ContractContent;
    const before = new Set(provedOfSeries(await session.states.get(contractsDecider, leagueId), said.series));
    const fact = { at, source, leagueId, eventId, origin: identity.origin, content };
    const events = await session.states.decide(contractsDecider, leagueId, fact);
    if (events.length === 0) return { status: 'unchanged' };
    const contracts = await session.states.get(contractsDecider, leagueId);
    const now = new Set(provedOfSeries(contracts, said.series));
    for (const key of now) if (!before.has(key)) session.noteKnown(waitingKeyOf(leagueId, key));
    await withdrawBooks(
      session,
      contracts,
      [...before].filter((key) => !now.has(key)),
      { source, at },
    );
    return acceptedIfAny(events);
  });
}

/** The key of the books that wait for a contract. */
function waitingKeyOf(leagueId: number, key: string): string {
  const space = key.indexOf(' ');
  return identityKeyOf.contract(leagueId, key.slice(0, space), key.slice(space + 1));
}

const withMarket = ({ market, outcome, point }: Said) => ({ market, outcome, point });

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
    const { eventId, venue, key, scope } = found.place;
    const id = session.meaningOf('event', eventId);
    const { identity } = await session.states.get(eventDecider, id);
    if (!identity) continue;
    const books = [false, true].map((alternate) => ({ key, scope, alternate, outcomes: [] }));
    await session.states.decide(oddsDecider, id, { identity: { ...identity, origin: {} }, source, at, venue, books });
  }
}

type Said = Omit<ContractContent, 'result' | 'settled'>;

const swapContent = <Content extends Said>(content: Content, sport: string, swapped: boolean): Content => {
  const { outcome } = alignOutcome({ outcome: content.outcome, price: 100 } as FeedOutcome, sport, swapped);
  return { ...content, outcome };
};

const ofEvent = eventLookups();
export const contractsSubject = defineSubject({
  decider: contractsDecider,
  messages: { contract: { handle: handleContract, lookups: ofEvent } },
  replay: {
    ContractReported({ data }) {
      const { settled: _, ...content } = data.content;
      return { ...messageHead('contract', data), ...content };
    },
  },
  swap: { ContractReported: (content, sport) => swapContent(content, sport, true) },
});
