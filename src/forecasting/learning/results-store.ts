import type { PartitionPositions } from '../../domain/event-sourcing/position.ts';

/** The results of one event, as `packResults` writes them; null if it has none. */
export type SavedEventResults = readonly [eventId: number, learnt: string | null];

/** The positions up to which the stored results are complete. */
export interface SavedUpTo {
  /** What the results depend on beside the log. */
  readonly basis: string;
  readonly places: PartitionPositions;
}

/**
 * Stores what the forecast service has read from the streams of events, so that a restart need not read all of them
 * again. The results are derived: if they are missing or have another basis, they are read again. Losing them only
 * costs time.
 */
export interface ResultsStore {
  /** Null if the store is not complete up to any positions. */
  readSavedUpTo(): Promise<SavedUpTo | null>;
  /** The events with results, in order of their ids. @param after an event's id (exclusive); 0: from the first */
  readPage(after: number, limit: number): Promise<readonly SavedEventResults[]>;
  /** Replaces the results of these events. @param upTo absent: unchanged */
  save(events: readonly SavedEventResults[], upTo?: SavedUpTo): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}
