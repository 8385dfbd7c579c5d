import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { eventDecider } from '../../../commands/events/event-decider.ts';
import { oddsDecider } from '../../../commands/odds-decider.ts';
import { venuesDecider } from '../../../commands/venues-decider.ts';
import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { contractKey } from '../../domain/contracts/contract-proof.ts';
import type { UnclearContractMessage } from '../../domain/feed/feed-messages.ts';
import { reportedBooks } from '../../domain/odds/book-depth.ts';
import { VENUES_STREAM_ID } from '../../domain/streams/venues-stream.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import type { MessageLookups } from './subject.ts';

/** So many ladders of one contract wait with their times; later ones are passed over. */
const MOST_WAITING = 10;

/**
 * An `unclear_contract` message: the order book of a contract of which its source does not know what it is a bet on. It
 * waits until a person binds it, and is then a `book` of what they say.
 */
export async function handleUnclearContract(
  session: IngestSession,
  message: UnclearContractMessage,
): Promise<HandlingResult> {
  const { source, at, ref, bids = [], asks = [], last, volume, fee } = message;
  const leagueId = findLeague(message.league)!.id;
  const { byHand } = await session.states.get(contractsDecider, leagueId);
  const bound = byHand.get(contractKey(source, ref));
  // Of an event that was merged nobody has said which way round its sides are now.
  const isCurrent = bound !== undefined && session.meaningOf('event', bound.eventId) === bound.eventId;
  const identity = isCurrent ? (await session.states.get(eventDecider, bound.eventId)).identity : null;
  if (!isCurrent || !identity) return waitFor(session, message, leagueId);
  // It was listed, which says nothing of its ladder.
  if (message.bids === undefined && message.asks === undefined) return { status: 'unchanged' };
  const { market: key, outcome, point } = bound.bet;
  const own = {
    ...{ outcome, bids, asks },
    ...(point === undefined ? {} : { point }),
    ...(last === undefined ? {} : { last }),
    ...(volume === undefined ? {} : { volume }),
  };
  const books = reportedBooks({ markets: [{ key, outcomes: [own], ...(fee ? { fee } : {}) }] });
  const fact = { identity: { ...identity, origin: {} }, at, source, venue: source, books, others: 'all' } as const;
  const events = await session.states.decide(oddsDecider, bound.eventId, fact);
  await session.states.decide(venuesDecider, VENUES_STREAM_ID, { at, source, venue: source });
  return acceptedIfAny(events);
}

async function waitFor(
  session: IngestSession,
  { source, ref, title, reason, sides = [] }: UnclearContractMessage,
  leagueId: number,
): Promise<HandlingResult> {
  const key = identityKeyOf.contract(leagueId, source, ref);
  const waiting = await session.identities.findWaitingGroup(`${source} ${key}`);
  if ((waiting?.messages ?? 0) >= MOST_WAITING) return { status: 'unchanged' };
  const either = sides.length === 0 ? '' : `; it may be on ${sides.join(' or ')}`;
  const cause = { reason: `${title}: ${reason}${either}`, code: 'contract_unclear', keys: [key] } as const;
  return { status: 'quarantined', cause };
}

export const unclearContractLookups: MessageLookups<UnclearContractMessage> = {
  addHints: () => {},
  streamsOf: async (_, { league }) => [
    [contractsDecider, findLeague(league)!.id],
    [venuesDecider, VENUES_STREAM_ID],
  ],
};
