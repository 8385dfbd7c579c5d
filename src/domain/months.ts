import { DAY } from './time.ts';

/** Calendar months in UTC. Times in milliseconds. */

/** `2026-11`. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** When it begins. @param month `2026-11` */
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);

/** When the month after this moment's begins. */
export function monthAfter(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export interface RestOfMonth {
  /** Today included. */
  readonly daysLeft: number;
  readonly days: number;
}

export function restOfMonth(time: number): RestOfMonth {
  const days = (monthAfter(time) - startOfMonth(monthOf(time))) / DAY;
  return { daysLeft: days - new Date(time).getUTCDate() + 1, days };
}

/** What of a whole month's falls to its rest, rounded up. Exact up to 2^53 / 31. */
export const shareOf = (whole: number, { daysLeft, days }: RestOfMonth): number =>
  Math.floor((whole * daysLeft + days - 1) / days);
