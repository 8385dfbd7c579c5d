import type { Known, ScheduleMessage } from '../feed/feed-messages.ts';
import { timeOf } from '../observations/observation.ts';
import { canonicalJson } from '../primitives/canonical-json.ts';
import { formatDate } from '../primitives/time.ts';

/** What schedules may tell of a season beside its year and phase. */
export type SeasonFacts = Partial<
  Pick<NonNullable<Known<ScheduleMessage>['season']>, 'name' | 'start_date' | 'end_date'>
>;

/** What was given of a season, and on which day (YYYY-MM-DD) each fact was given. */
export interface DatedSeasonFacts {
  readonly given: SeasonFacts;
  readonly days: Readonly<Partial<Record<keyof SeasonFacts, string>>>;
}

export const EMPTY_SEASON: DatedSeasonFacts = { given: {}, days: {} };

/**
 * Folds what a schedule says of its season. Of each fact that of the newest day stands, and of one day the greater
 * in canonical JSON: so the order of arrival does not matter, and a season that every schedule names again is
 * recorded once a day and not once a schedule. Gives back the very same season when nothing has changed.
 */
export function applySeason(
  season: DatedSeasonFacts,
  said: { readonly at: string; readonly season: SeasonFacts },
): DatedSeasonFacts {
  const day = formatDate(timeOf(said.at));
  let { given, days } = season;
  for (const fact of ['name', 'start_date', 'end_date'] as const) {
    const value = said.season[fact];
    if (value === undefined || !replacesFact(given[fact], days[fact], value, day)) continue;
    given = { ...given, [fact]: value };
    days = { ...days, [fact]: day };
  }
  return given === season.given ? season : { given, days };
}

function replacesFact(
  present: string | undefined,
  presentDay: string | undefined,
  value: string,
  day: string,
): boolean {
  if (present === undefined || presentDay === undefined) return true;
  if (day !== presentDay) return day > presentDay;
  return canonicalJson(value) > canonicalJson(present);
}
