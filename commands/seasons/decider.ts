import type { StreamDecider } from '../../src/domain/decider.ts';
import { applySeason, type GivenSeason, newSeason, type SeasonFacts } from '../../src/domain/seasons.ts';
import { seasonStream } from '../../src/domain/streams/season-stream.ts';
import { type EventOfKind, happened } from '../../src/domain/streams/stream-kind.ts';

/** What was given of one season (stream `season-ID`); null before a schedule has named it. */
export interface SeasonState {
  season: GivenSeason | null;
}

export interface SeasonFact {
  readonly seasonId: number;
  readonly at: string;
  readonly source: string;
  readonly season: SeasonFacts;
}

/** A schedule named a season. Recorded when the season is new, or something that stands from now on is said of it. */
export const seasonDecider: StreamDecider<SeasonState, SeasonFact, EventOfKind<typeof seasonStream>> = {
  stream: seasonStream,
  initial: () => ({ season: null }),
  decide(fact, { season }) {
    if (season !== null && applySeason(season, fact) === season) return [];
    return [happened(seasonStream, fact.seasonId, 'SeasonDescribed', fact)];
  },
  evolve(state, record) {
    state.season = applySeason(state.season ?? newSeason, record.data);
    return state;
  },
};
