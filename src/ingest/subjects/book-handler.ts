import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { oddsDecider } from '../../../commands/odds-decider.ts';
import { venuesDecider } from '../../../commands/venues-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { contractKey, isProved } from '../../domain/contracts/contract-proof.ts';
import type { FeedBookOutcome } from '../../domain/feed/book-message.ts';
import type { BookMessage } from '../../domain/feed/feed-messages.ts';
import { reportedBooks } from '../../domain/odds/book-depth.ts';
import type { EventIdentity } from '../../domain/streams/domain-events.ts';
import { VENUES_STREAM_ID } from '../../domain/streams/venues-stream.ts';
import {
  acceptedIfAny,
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  type QuarantineCause,
} from '../binding/ingest-session.ts';
import { alignOutcome } from '../binding/side-swap.ts';
import { betsByHand, outcomesByHand } from './books-by-hand.ts';
import { eventLookups, withEvent } from './event-message.ts';
import type { MessageLookups } from './subject.ts';

/**
 * A `book` message: the order books of one venue, and the ordinary prices that follow from them. Contracts whose side is
 * not proved are left out, and the message waits for the proof.
 */
export function handleBook(session: IngestSession, message: BookMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped, isRefEnough }, named) => {
    const { source, at, venue } = message;
    const identity = isRefEnough ? withoutMatch(named) : named;
    const align = (one: FeedBookOutcome): FeedBookOutcome => ({
      ...one,
      outcome: alignOutcome({ outcome: one.outcome, price: 100 }, identity.sport, swapped).outcome,
    });
    const aligned = message.markets.map((market) => ({ ...market, outcomes: market.outcomes.map(align) }));
    const { markets, unproved } = await splitByProof(session, { venue, markets: aligned }, identity);
    const waits = unproved[0] !== undefined && (await causeOf(session, unproved));
    if (markets.length === 0 && message.markets.length > 0)
      return waits ? { status: 'quarantined', cause: waits } : { status: 'unchanged' };
    const { eventId, league } = identity;
    const books = reportedBooks({ markets });
    const others = await betsByHand(session, findLeague(league)!.id, { eventId, venue });
    const events = await session.states.decide(oddsDecider, eventId, { identity, at, source, venue, books, others });
    await session.states.decide(venuesDecider, VENUES_STREAM_ID, { at, source, venue });
    return { ...acceptedIfAny(events), ...(waits && { quarantineCause: waits }) };
  });
}

/** A ladder is recorded with every change, and `match` is longer than the change. */
function withoutMatch({ origin, ...identity }: EventIdentity): EventIdentity {
  const { match: _, ...known } = origin ?? {};
  return { ...identity, origin: known };
}

interface UnprovedContract {
  readonly contract: string;
  /** What is waited for. */
  readonly key: string;
}

/**
 * The books that may be shown, with the sides that people say, and the contracts whose side is not proved. A market
 * without any is left out.
 */
async function splitByProof(
  session: IngestSession,
  { venue, markets }: Pick<BookMessage, 'venue' | 'markets'>,
  { league, eventId }: EventIdentity,
) {
  const leagueId = findLeague(league)!.id;
  const unproved: UnprovedContract[] = [];
  if (markets.every(({ outcomes }) => outcomes.every(({ contract }) => contract === undefined)))
    return { markets, unproved };
  const contracts = await session.states.get(contractsDecider, leagueId);
  const shown = markets.flatMap((market) => {
    const proved = market.outcomes.filter(({ contract }) => {
      if (contract === undefined) return true;
      const key = contractKey(venue, contract);
      // A person says what its Yes is; which outcome is its Yes, the source has not told, or it was forgotten.
      const isReported = !contracts.byHand.has(key) || contracts.contracts.has(key);
      if (isReported && isProved(contracts, key)) return true;
      unproved.push({ contract, key: identityKeyOf.contract(leagueId, venue, contract) });
      return false;
    });
    const outcomes = outcomesByHand(proved, contracts, { venue, eventId, market: market.key });
    return outcomes.length > 0 || market.outcomes.length === 0 ? [{ ...market, outcomes }] : [];
  });
  return { markets: shown, unproved };
}

/**
 * The message waits for the first of its contracts, and is then tried again. One message waits for each, so that a
 * market whose side nobody can prove takes no more room with every change of its ladder.
 */
async function causeOf(
  { identities }: IngestSession,
  unproved: readonly UnprovedContract[],
): Promise<QuarantineCause | undefined> {
  const { key } = unproved[0]!;
  if ((await identities.findQuarantineKeys([key])).has(key)) return undefined;
  const names = [...new Set(unproved.map(({ contract }) => contract))].slice(0, 5).join(', ');
  return { reason: `which side it stands for is not proved: ${names}`, code: 'side_unproved', keys: [key] };
}

const ofEvent = eventLookups(oddsDecider);
export const bookLookups: MessageLookups<BookMessage> = {
  ...ofEvent,
  streamsOf: async (session, message) => [
    ...(await ofEvent.streamsOf(session, message)),
    [venuesDecider, VENUES_STREAM_ID],
  ],
};
