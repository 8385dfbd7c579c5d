import { DAY, HOUR } from '../../domain/primitives/time.ts';

/**
 * How long messages (from their creation) and delivery rows (from the end of the attempt) are stored, in milliseconds.
 */
export const MESSAGE_RETENTION = 7 * DAY;
export const DELIVERY_RETENTION = 30 * DAY;

/** Maximum replays of one subscription in a sliding window. */
export const MAX_REPLAYS = 5;
export const REPLAY_WINDOW = HOUR;
