import { defineStream } from '../event-sourcing/stream-kind.ts';

interface VenuesData {
  VenueAdded: {
    readonly at: string;
    readonly source: string;
    /** As in `book` messages: the slug of a bookmaker. */
    readonly venue: string;
  };
}

export const VENUES_STREAM_ID = 1;
/** `venues-1`: the venues that have sent an order book. */
export const venuesStream = defineStream<VenuesData>()({
  name: 'venues',
  partition: 'season',
  versions: { VenueAdded: 1 },
});
