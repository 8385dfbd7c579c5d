import { DAY, HOUR } from '../domain/time.ts';

/** How long is kept what subscribers were told, in milliseconds: messages from when they were made, and rows of
 *  attempts from their end. */
export const MESSAGES_KEPT = 7 * DAY;
export const ROWS_KEPT = 30 * DAY;

/** Replays of one subscription in a sliding window. */
export const MOST_REPLAYS = 5;
export const REPLAYS_WITHIN = HOUR;
