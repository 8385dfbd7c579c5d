import { DAY, HOUR } from '../../domain/primitives/time.ts';

/** How long is kept what subscribers were told, in milliseconds: messages from when they were made, and rows of
 *  attempts from their end. */
export const MESSAGE_RETENTION = 7 * DAY;
export const DELIVERY_RETENTION = 30 * DAY;

/** Replays of one subscription in a sliding window. */
export const MAX_REPLAYS = 5;
export const REPLAY_WINDOW = HOUR;
