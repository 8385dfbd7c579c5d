import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { VENUES_STREAM_ID, venuesStream } from '../src/domain/streams/venues-stream.ts';

type VenuesEvent = EventOfKind<typeof venuesStream>;

/** More venues than there are; beyond them a venue is no exchange by itself, and CONFIG says its type. */
const MAX_VENUES = 1000;

/** A venue sends its first order book. Recorded once for each: whoever sends one is an exchange. */
export const venuesDecider: StreamDecider<Set<string>, VenuesEvent['data'], VenuesEvent> = {
  stream: venuesStream,
  initial: () => new Set(),
  decide: (command, venues) =>
    venues.has(command.venue) || venues.size >= MAX_VENUES
      ? []
      : [createEvent(venuesStream, VENUES_STREAM_ID, 'VenueAdded', command)],
  evolve: (venues, { data }) => venues.add(data.venue),
};
