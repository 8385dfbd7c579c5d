import type { SeasonFacts } from '../seasons.ts';
import { defineStream } from './stream-kind.ts';

interface SeasonData {
  SeasonDescribed: {
    at: string;
    source: string;
    seasonId: number;
    season: SeasonFacts;
  };
}

/** `season-ID`: what schedules tell of a season. */
export const seasonStream = defineStream<SeasonData>()({
  name: 'season',
  partition: 'season',
  versions: { SeasonDescribed: 1 },
});
