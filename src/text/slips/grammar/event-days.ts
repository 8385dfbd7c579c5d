import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';
import { DAY, formatDate, HOUR, MINUTE, parseDate } from '../../../domain/primitives/time.ts';
import type { NamedDay } from './named-days.ts';

/** What of an event tells on which day it is. */
interface Dated {
  readonly league: string;
  /** IANA; null where it is not known. */
  readonly timezone: string | null;
}

const AMERICAN: ReadonlySet<string> = new Set(['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'mls']);
/** What begins after midnight belongs to the evening before. */
const BEFORE = 6 * HOUR;

/** To look a zone up takes longer than all else here. Feeds may name any, so that only so many are kept. */
const zones = new LRUCache<string, IANAZone>({ max: 1000, memoMethod: (name) => new IANAZone(name) });

/** The day of a moment where the event is, YYYY-MM-DD. @param moment milliseconds */
function dayOf(moment: number, { league, timezone }: Dated): string {
  const zone = timezone === null ? undefined : zones.memo(timezone);
  if (zone?.isValid) return dateIn(zone, moment);
  return AMERICAN.has(league) ? dateIn(NEW_YORK, moment - BEFORE) : formatDate(moment);
}

const NEW_YORK = new IANAZone('America/New_York');
const dateIn = (zone: IANAZone, moment: number): string => formatDate(moment + zone.offset(moment) * MINUTE);

/** Whether an event that starts at `startsAt` is on all of these days, counted from `moment`; milliseconds. */
export function isOnDays(startsAt: number, moment: number, event: Dated, days: readonly NamedDay[]): boolean {
  const day = numberOf(dayOf(startsAt, event));
  return days.every((named) => {
    if ('date' in named) return day === numberOf(named.date);
    const today = numberOf(dayOf(moment, event));
    if ('shift' in named) return day === today + named.shift;
    return weekdayOf(day) === named.weekday && Math.abs(day - today) <= 6;
  });
}

const numberOf = (date: string): number => parseDate(date)! / DAY;
/** The epoch was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/** Without a date. */
const NEAR = 72 * HOUR;
/** How far a day anywhere reaches beyond that of UTC, the hours that belong to the evening before included. */
const [EARLIER, LATER] = [15 * HOUR, 20 * HOUR];

interface Window {
  readonly from: number;
  readonly to: number;
}

/** Between which moments an event that is meant starts; milliseconds, both included. `isOnDays` tells exactly. */
export function startWindows([named]: readonly NamedDay[], moment: number): readonly Window[] {
  if (!named) return [{ from: moment - NEAR, to: moment + NEAR }];
  const today = Math.floor(moment / DAY);
  if ('date' in named) return [daysFrom(numberOf(named.date), 0)];
  // Somewhere it is yesterday, or tomorrow.
  if ('shift' in named) return [daysFrom(today + named.shift, 1)];
  const near = Array.from({ length: 15 }, (_, index) => today - 7 + index);
  return near.filter((day) => weekdayOf(day) === named.weekday).map((day) => daysFrom(day, 0));
}

const daysFrom = (day: number, around: number): Window => ({
  from: (day - around) * DAY - EARLIER,
  to: (day + around + 1) * DAY + LATER,
});
