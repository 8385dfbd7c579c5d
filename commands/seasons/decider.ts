import { CURRENT_VERSIONS, type DomainEvent, type DomainRecord, partitions } from '../../src/domain/domain-events.ts';
import { applySeason, type GivenSeason, newSeason, type SeasonFacts } from '../../src/domain/seasons.ts';

/** What was given of one season (stream `season-ID`); null before a schedule has named it. */
export interface SeasonState {
  season: GivenSeason | null;
}

export const initialSeason = (): SeasonState => ({ season: null });

/** A schedule named a season. Recorded when the season is new, or something that stands from now on is said of it. */
export function decideSeason(
  fact: { seasonId: number; at: string; source: string; season: SeasonFacts },
  { season }: SeasonState,
): DomainEvent[] {
  if (season !== null && applySeason(season, fact) === season) return [];
  return [
    {
      type: 'SeasonDescribed',
      version: CURRENT_VERSIONS.SeasonDescribed,
      data: fact,
      meta: { partition: partitions.season(fact.seasonId) },
    },
  ];
}

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveSeason(state: SeasonState, record: DomainRecord): SeasonState {
  if (record.type === 'SeasonDescribed') state.season = applySeason(state.season ?? newSeason, record.data);
  return state;
}
