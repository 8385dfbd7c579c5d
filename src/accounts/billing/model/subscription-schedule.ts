import { DAY, HOUR, monthOf, startOfMonth, startOfNextMonth } from '../../../domain/primitives/time.ts';

/** A declined month is asked for again so much later. */
export const RETRY_DECLINED_AFTER = 3 * DAY;
/** What the provider did not even try, so much later. */
export const RETRY_FAILED_AFTER = HOUR;
/** So often a month is declined until it is given up. */
export const MAX_MONTH_ATTEMPTS = 2;

export const toIsoTime = (time: number): string => new Date(time).toISOString();

/** When a month begins, as text. @param month `2026-12` */
export const monthStartIso = (month: string): string => toIsoTime(startOfMonth(month));

/** `2026-12` -> `2027-01` */
export const nextMonth = (month: string): string => monthOf(startOfNextMonth(startOfMonth(month)));
