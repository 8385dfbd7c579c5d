import type { Known, ScheduleMessage } from '../feed/feed-messages.ts';
import { timeOf } from '../observations/observation.ts';
import { canonicalJson } from '../primitives/canonical-json.ts';
import { formatDate } from '../primitives/time.ts';

/** Data on a season from schedules, besides its year and phase. */
export type SeasonFacts = Partial<
  Pick<NonNullable<Known<ScheduleMessage>['season']>, 'name' | 'start_date' | 'end_date'>
>;

/** Season data, and the day (YYYY-MM-DD) on which each value was reported. */
export interface DatedSeasonFacts {
  readonly given: SeasonFacts;
  readonly days: Readonly<Partial<Record<keyof SeasonFacts, string>>>;
}

export const EMPTY_SEASON: DatedSeasonFacts = { given: {}, days: {} };

/**
 * Applies season data from a schedule. For each value the newest day wins, and within one day the greater canonical
 * JSON. So the order of arrival does not matter, and a season that every schedule repeats is recorded once a day
 * instead of once per schedule. Returns the same object if nothing changed.
 */
export function applySeason(
  season: DatedSeasonFacts,
  report: { readonly at: string; readonly season: SeasonFacts },
): DatedSeasonFacts {
  const day = formatDate(timeOf(report.at));
  let { given, days } = season;
  for (const fact of ['name', 'start_date', 'end_date'] as const) {
    const value = report.season[fact];
    if (value === undefined || !replacesFact(given[fact], days[fact], value, day)) continue;
    given = { ...given, [fact]: value };
    days = { ...days, [fact]: day };
  }
  return given === season.given ? season : { given, days };
}

function replacesFact(
  current: string | undefined,
  currentDay: string | undefined,
  value: string,
  day: string,
): boolean {
  if (current === undefined || currentDay === undefined) return true;
  if (day !== currentDay) return day > currentDay;
  return canonicalJson(value) > canonicalJson(current);
}
