import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { DAY, formatDate, HOUR, MINUTE, parseDate } from '../../../domain/primitives/time.ts';
import type { NamedDay } from './day-words.ts';

/** The data of an event that determine its day. */
interface Dated {
  readonly league: string;
  /** IANA; null if unknown. */
  readonly timezone: string | null;
}

const AMERICAN: ReadonlySet<string> = new Set(['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'mls']);
/** An event that starts after midnight belongs to the previous evening. */
const BEFORE = 6 * HOUR;

/** Cached, because looking up a zone is slow here. Limited, because feeds may send any zone. */
const zones = new LRUCache<string, IANAZone>({ max: 1000, memoMethod: (name) => new IANAZone(name) });

/** The local day at the place of the event, YYYY-MM-DD. @param moment milliseconds */
function dayOf(moment: number, { league, timezone }: Dated): string {
  const zone = timezone === null ? undefined : zones.memo(timezone);
  if (zone?.isValid) return dateIn(zone, moment);
  return AMERICAN.has(league) ? dateIn(NEW_YORK, moment - BEFORE) : formatDate(moment);
}

const NEW_YORK = new IANAZone('America/New_York');
const dateIn = (zone: IANAZone, moment: number): string => formatDate(moment + zone.offset(moment) * MINUTE);

/** Whether an event that starts at `startsAt` is on all of these days, relative to `moment`; milliseconds. */
export function isOnDays(startsAt: number, moment: number, event: Dated, days: readonly NamedDay[]): boolean {
  const day = numberOf(dayOf(startsAt, event));
  return days.every((named) => {
    if ('date' in named) return day === numberOf(named.date);
    const today = numberOf(dayOf(moment, event));
    if ('month' in named) return isSameDate(day, named) && Math.abs(day - today) <= HALF_A_YEAR;
    if ('shift' in named) return day === today + named.shift;
    return weekdayOf(day) === named.weekday && Math.abs(day - today) <= 6;
  });
}

/** Days. A date without its year is the one that is nearest to today. */
const HALF_A_YEAR = 183;
const isSameDate = (number: number, { month, day }: { readonly month: number; readonly day: number }): boolean => {
  const date = new Date(number * DAY);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
};

const numberOf = (date: string): number => parseDate(date)! / DAY;
/** The epoch was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/** The window without a date. */
const NEAR = 72 * HOUR;
/** How far a local day can extend beyond the UTC day, including the hours counted to the previous evening. */
const [EARLIER, LATER] = [15 * HOUR, 20 * HOUR];

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The time windows in which a matching event can start; milliseconds, inclusive. `isOnDays` then decides exactly. */
export function startWindows([named]: readonly NamedDay[], moment: number): readonly Window[] {
  if (!named) return [{ from: moment - NEAR, to: moment + NEAR }];
  const today = Math.floor(moment / DAY);
  if ('date' in named) return [daysFrom(numberOf(named.date), 0)];
  // In some time zone it is yesterday or tomorrow.
  if ('shift' in named) return [daysFrom(today + named.shift, 1)];
  if ('month' in named) {
    const year = new Date(moment).getUTCFullYear();
    const days = [year - 1, year, year + 1].map((one) => Date.UTC(one, named.month - 1, named.day) / DAY);
    return days.filter((day) => Math.abs(day - today) <= HALF_A_YEAR + 1).map((day) => daysFrom(day, 0));
  }
  const near = Array.from({ length: 15 }, (_, index) => today - 7 + index);
  return near.filter((day) => weekdayOf(day) === named.weekday).map((day) => daysFrom(day, 0));
}

const daysFrom = (day: number, around: number): Window => ({
  from: (day - around) * DAY - EARLIER,
  to: (day + around + 1) * DAY + LATER,
});
