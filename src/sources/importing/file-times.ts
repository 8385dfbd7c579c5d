import { DAY, formatTime, HOUR, SECOND } from '../../domain/time.ts';

/** When a file of results is taken to have known what it tells, by the start of the match (milliseconds). */
export const scheduledAt = (startsAt: number): string => formatTime(startsAt - 7 * DAY);
export const openingAt = (startsAt: number): string => formatTime(startsAt - DAY);
export const closingAt = (startsAt: number): string => formatTime(startsAt - SECOND);
export const resultAt = (startsAt: number): string => formatTime(startsAt + 6 * HOUR);
