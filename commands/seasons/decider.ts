import { canonicalJson } from '../../src/domain/canonical.ts';
import {
  CURRENT_VERSIONS,
  type DomainEvent,
  type DomainEventData,
  type DomainRecord,
  partitions,
} from '../../src/domain/domain-events.ts';
import { timeOf } from '../../src/domain/observation.ts';

export type SeasonFacts = DomainEventData['SeasonDescribed']['season'];

/** What was given of one season (stream `season-ID`). Its phase and bounds, where not given, follow from its events. */
export interface SeasonState {
  given: { at: number; canonical: string; season: SeasonFacts } | null;
}

export const initialSeason = (): SeasonState => ({ given: null });

/** A schedule named a season. Recorded when the season is new, or newer facts of it are given. */
export function decideSeason(
  fact: { seasonId: number; at: string; source: string; season: SeasonFacts },
  state: SeasonState,
): DomainEvent[] {
  const { given } = state;
  const canonical = canonicalJson(fact.season);
  const at = timeOf(fact.at);
  if (given && !isNewer(fact.season, at, canonical, given)) return [];
  return [
    {
      type: 'SeasonDescribed',
      version: CURRENT_VERSIONS.SeasonDescribed,
      data: fact,
      meta: { partition: partitions.season(fact.seasonId) },
    },
  ];
}

/** Facts replace no facts, and older ones; the same facts again are nothing new. */
function isNewer(
  season: SeasonFacts,
  at: number,
  canonical: string,
  given: NonNullable<SeasonState['given']>,
): boolean {
  const says = Object.keys(season).length > 0;
  if (!says || canonical === given.canonical) return false;
  if (Object.keys(given.season).length === 0) return true;
  return at !== given.at ? at > given.at : canonical > given.canonical;
}

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveSeason(state: SeasonState, record: DomainRecord): SeasonState {
  if (record.type !== 'SeasonDescribed') return state;
  const { season, at } = record.data;
  state.given = { at: timeOf(at), canonical: canonicalJson(season), season };
  return state;
}
