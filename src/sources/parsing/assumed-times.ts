import { DAY, formatTime, HOUR, SECOND } from '../../domain/primitives/time.ts';

/** When a file of results is assumed to have known its content, by the start of the match (milliseconds). */
export const assumedScheduleTime = (startsAt: number): string => formatTime(startsAt - 7 * DAY);
export const assumedOpeningTime = (startsAt: number): string => formatTime(startsAt - DAY);
export const assumedClosingTime = (startsAt: number): string => formatTime(startsAt - SECOND);
export const assumedResultTime = (startsAt: number): string => formatTime(startsAt + 6 * HOUR);
