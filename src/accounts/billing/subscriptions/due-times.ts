import { monthAfter, monthOf, startOfMonth } from '../../../domain/months.ts';
import { DAY, HOUR } from '../../../domain/time.ts';

/** A declined month is asked for again so much later. */
export const ASK_AGAIN_AFTER = 3 * DAY;
/** What the provider did not even try, so much later. */
export const TRY_AGAIN_AFTER = HOUR;
/** So often a month is declined until it is given up. */
export const TRIES = 2;

export const isoOf = (time: number): string => new Date(time).toISOString();

/** When a month begins, as text. @param month `2026-12` */
export const startTextOf = (month: string): string => isoOf(startOfMonth(month));

/** `2026-12` -> `2027-01` */
export const nextMonth = (month: string): string => monthOf(monthAfter(startOfMonth(month)));
