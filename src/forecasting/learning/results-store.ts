import type { PartitionPositions } from '../../domain/event-sourcing/position.ts';

/** The results of one event, as `packLearnt` writes them; null: it has none. */
export type SavedEventResults = readonly [eventId: number, learnt: string | null];

/** All that was kept of the log up to some places. */
export interface SavedUpTo {
  /** What it rests on beside the log. */
  readonly basis: string;
  readonly places: PartitionPositions;
}

/**
 * What the book of forecasts has read in the streams of events, so that a restart need not read all of them again. It is
 * derived: where it is missing, or rests on something else, it is made anew. Losing it costs time, nothing else.
 */
export interface ResultsStore {
  /** Null: it does not hold all results up to any place. */
  readSavedUpTo(): Promise<SavedUpTo | null>;
  /** In order of event ids, those that have results. @param after an event's id (exclusive); 0: from the first */
  readPage(after: number, limit: number): Promise<readonly SavedEventResults[]>;
  /** Puts these in the place of earlier ones. @param readSavedUpTo absent: as before */
  save(events: readonly SavedEventResults[], readSavedUpTo?: SavedUpTo): Promise<void>;
  /** Drops everything. */
  clear(): Promise<void>;
}
