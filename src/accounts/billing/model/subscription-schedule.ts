import { DAY, HOUR, monthOf, startOfMonth, startOfNextMonth } from '../../../domain/primitives/time.ts';
import { toIsoTime } from '../../../platform/clock/iso-time.ts';

/** After this time a declined month is charged again. */
export const RETRY_DECLINED_AFTER = 3 * DAY;
/** After this time a month is charged again that the provider did not try to charge. */
export const RETRY_FAILED_AFTER = HOUR;
/** After this many declines a month is given up. */
export const MAX_MONTH_ATTEMPTS = 2;

/** Start of a month, as ISO 8601 text. @param month `2026-12` */
export const monthStartIso = (month: string): string => toIsoTime(startOfMonth(month));

/** `2026-12` -> `2027-01` */
export const nextMonth = (month: string): string => monthOf(startOfNextMonth(startOfMonth(month)));
