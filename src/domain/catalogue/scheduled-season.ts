import { timeOf } from '../observations/observation.ts';
import { addedId } from './added-leagues.ts';
import { findLeague, seasonId, seasonYear } from './catalogue.ts';

interface DatedSchedule {
  readonly season?: { readonly year: number } | undefined;
  /** See `ScheduleContent`. */
  readonly season_year?: number | undefined;
  readonly starts_at: string;
}

/** The season year of a schedule: as it says, else of its start. */
export function scheduledYear(league: string, { season, season_year, starts_at }: DatedSchedule): number {
  const stated = season?.year ?? season_year;
  if (stated !== undefined) return stated;
  const found = findLeague(league);
  const startsAt = timeOf(starts_at);
  return found ? seasonYear(found, startsAt) : new Date(startsAt).getUTCFullYear();
}

/** The season of a schedule. A league that was taken out of CONFIG keeps its id. */
export const scheduledSeasonId = (league: string, schedule: DatedSchedule): number =>
  seasonId({ id: findLeague(league)?.id ?? addedId(league) }, scheduledYear(league, schedule));
