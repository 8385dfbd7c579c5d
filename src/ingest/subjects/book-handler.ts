import { oddsDecider } from '../../../commands/odds-decider.ts';
import { venuesDecider } from '../../../commands/venues-decider.ts';
import type { FeedBookOutcome } from '../../domain/feed/book-message.ts';
import type { BookMessage } from '../../domain/feed/feed-messages.ts';
import { reportedBooks } from '../../domain/odds/book-depth.ts';
import { VENUES_STREAM_ID } from '../../domain/streams/venues-stream.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { alignOutcome } from '../binding/side-swap.ts';
import { eventLookups, withEvent } from './event-message.ts';
import type { MessageLookups } from './subject.ts';

/** A `book` message: the order books of one venue, and the ordinary prices that follow from them. */
export function handleBook(session: IngestSession, message: BookMessage): Promise<HandlingResult> {
  return withEvent(session, message, async ({ swapped }, identity) => {
    const { source, at, venue } = message;
    const align = (one: FeedBookOutcome): FeedBookOutcome => ({
      ...one,
      outcome: alignOutcome({ outcome: one.outcome, price: 100 }, identity.sport, swapped).outcome,
    });
    const books = reportedBooks(message, align);
    const events = await session.states.decide(oddsDecider, identity.eventId, { identity, at, source, venue, books });
    await session.states.decide(venuesDecider, VENUES_STREAM_ID, { at, source, venue });
    return acceptedIfAny(events);
  });
}

const ofEvent = eventLookups(oddsDecider);
export const bookLookups: MessageLookups<BookMessage> = {
  ...ofEvent,
  streamsOf: async (session, message) => [
    ...(await ofEvent.streamsOf(session, message)),
    [venuesDecider, VENUES_STREAM_ID],
  ],
};
