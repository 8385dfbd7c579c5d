import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  applySeason,
  type DatedSeasonFacts,
  EMPTY_SEASON,
  type SeasonFacts,
} from '../src/domain/sports-events/season-facts.ts';
import { seasonStream } from '../src/domain/streams/stream-definitions.ts';

/** The write-side state of one season (stream `season-ID`); null before a schedule named it. */
interface SeasonState {
  season: DatedSeasonFacts | null;
}

export interface SeasonCommand {
  readonly seasonId: number;
  readonly at: string;
  readonly source: string;
  readonly season: SeasonFacts;
  /** Of a league of CONFIG, so that the season keeps it when the league is taken out. */
  readonly sport?: string;
}

/** A schedule named a season. Recorded if the season is new or its data change. */
export const seasonDecider: StreamDecider<SeasonState, SeasonCommand, EventOfKind<typeof seasonStream>> = {
  stream: seasonStream,
  initial: () => ({ season: null }),
  decide(command, { season }) {
    if (season !== null && applySeason(season, command) === season) return [];
    return [createEvent(seasonStream, command.seasonId, 'SeasonDescribed', command)];
  },
  evolve(state, record) {
    state.season = applySeason(state.season ?? EMPTY_SEASON, record.data);
    return state;
  },
};
