import { DAY, formatDate, parseDate } from '../../domain/primitives/time.ts';

/** UTC dates, YYYY-MM-DD: one date, or the first and last of a range. */
export type DateRange =
  | { readonly date: string; readonly from?: undefined; readonly to?: undefined }
  | { readonly date?: undefined; readonly from: string; readonly to: string };

export const isSameDateRange = (a: DateRange, b: DateRange): boolean =>
  a.date === b.date && a.from === b.from && a.to === b.to;

/** A date written as YYYY-MM-DD. */
export const readIsoDate = (word: string): string | undefined => (parseDate(word) === null ? undefined : word);

/** @param dates two different ones */
export const rangeOfDates = (...dates: readonly [string, string]): DateRange => {
  const [from, to] = dates[0] < dates[1] ? dates : [dates[1], dates[0]];
  return { from, to };
};

const ONE_DAY: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const WEEKS: ReadonlyMap<string, number> = new Map([
  ['last week', -1],
  ['this week', 0],
  ['next week', 1],
]);
const COUNTED = /^(next|last) (0|[1-9][0-9]*) (day|week)s?$/;

/**
 * The days that a phrase of one to three words means, counted from today in UTC; undefined if none.
 * @param phrase words separated by one space
 * @param now milliseconds
 */
export function readDatePhrase(phrase: string, now: number): DateRange | undefined {
  const today = Math.floor(now / DAY);
  const shift = ONE_DAY.get(phrase);
  if (shift !== undefined) return { date: dateOf(today + shift) };
  const weeks = WEEKS.get(phrase);
  if (weeks !== undefined) {
    const monday = mondayOf(today) + 7 * weeks;
    return { from: dateOf(monday), to: dateOf(monday + 6) };
  }
  const counted = COUNTED.exec(phrase);
  if (!counted) return undefined;
  const [, direction, count, unit] = counted;
  const days = Number(count) * (unit === 'week' ? 7 : 1);
  return direction === 'next'
    ? { from: dateOf(today), to: dateOf(today + days) }
    : { from: dateOf(today - days), to: dateOf(today) };
}

/** The epoch was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);

const FIRST = parseDate('0001-01-01')! / DAY;
const LAST = parseDate('9999-12-31')! / DAY;

/** A text may have any number: clamp to the first and last date that can be written. */
const dateOf = (day: number): string => formatDate(Math.max(FIRST, Math.min(LAST, day)) * DAY);
