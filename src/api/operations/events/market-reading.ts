import { boolean } from '../parameters.ts';

/** What the reads of lines have in common. */
export const includeAlts = boolean('Adds the rungs beside the main lines.').default(false);

/** Seconds that clients may keep an answer: as of odds. */
export const MARKET_CACHE = 120;
