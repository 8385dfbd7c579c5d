import { defineStream } from '../event-sourcing/stream-kind.ts';

interface SportsData {
  SportAdded: {
    at: string;
    source: string;
    sport: string;
    /** The built-in sport by whose rules it plays. */
    like: string;
  };
}

export const SPORTS_STREAM_ID = 1;
/** `sports-1`: the sports of CONFIG of which events are recorded. */
export const sportsStream = defineStream<SportsData>()({
  name: 'sports',
  partition: 'season',
  versions: { SportAdded: 1 },
});
