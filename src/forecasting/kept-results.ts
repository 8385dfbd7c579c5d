import type { Places } from '../domain/position.ts';

/** The results of one event, as `packLearnt` writes them; null: it has none. */
export type KeptEvent = readonly [eventId: number, learnt: string | null];

/** All that was kept of the log up to some places. */
export interface KeptUpTo {
  /** What it rests on beside the log. */
  readonly basis: string;
  readonly places: Places;
}

/**
 * What the book of forecasts has read in the streams of events, so that a restart need not read all of them again. It is
 * derived: where it is missing, or rests on something else, it is made anew. Losing it costs time, nothing else.
 */
export interface KeptResults {
  /** Null: it does not hold all results up to any place. */
  upTo(): Promise<KeptUpTo | null>;
  /** In order of event ids, those that have results. @param after an event's id (exclusive); 0: from the first */
  page(after: number, limit: number): Promise<readonly KeptEvent[]>;
  /** Puts these in the place of earlier ones. @param upTo absent: as before */
  keep(events: readonly KeptEvent[], upTo?: KeptUpTo): Promise<void>;
  /** Drops everything. */
  clear(): Promise<void>;
}
