import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { VENUES_STREAM_ID } from '../../src/domain/streams/venues-stream.ts';

/** The venues that have sent an order book, in the order of their first one. */
export interface VenuesDocument {
  readonly venues: string[];
}

/** The only document. */
export const VENUES_KEY = String(VENUES_STREAM_ID);

export const venues: Projection<VenuesDocument> = {
  name: 'venues',
  version: 1,
  types: ['VenueAdded'],
  key: () => VENUES_KEY,
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'VenueAdded' }>;
    return { venues: [...(document?.venues ?? []), data.venue] };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.venues(key)],
};
