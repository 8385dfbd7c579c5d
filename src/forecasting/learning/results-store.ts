import type { PartitionPositions } from '../../domain/event-sourcing/position.ts';

/** The results of one event. */
export interface SavedEventResults {
  readonly id: number;
  /** As `packResults` writes them; null if it has none. */
  readonly learnt: string | null;
  /** The key of its league. */
  readonly league: string;
  /** When the last of them became known: milliseconds. */
  readonly lastAt: number;
}

/** The positions up to which the stored results are complete. */
export interface SavedUpTo {
  /** What the results depend on beside the log. */
  readonly basis: string;
  readonly places: PartitionPositions;
}

/** The packed memory of a league, by its key; null: it is stored no more. */
export type SavedMemories = ReadonlyMap<string, Uint8Array | null>;

/** Events of a league whose last result became known in [from, before): milliseconds. */
export interface ResultsQuery {
  readonly league: string;
  readonly from: number;
  readonly before: number;
  /** The last event of the page before; absent: from the first. */
  readonly after?: Pick<SavedEventResults, 'id' | 'lastAt'> | undefined;
  readonly limit: number;
}

/**
 * Stores what the forecast service has read from the streams of events, and what the models have learned of the older
 * results, so that a restart need neither read nor learn all of them again. Everything is derived: if it is missing or
 * has another basis, it is made again. Losing it only costs time.
 */
export interface ResultsStore {
  /** Null if the store is not complete up to any positions. */
  readSavedUpTo(): Promise<SavedUpTo | null>;
  /** The keys of the leagues that have results. */
  listLeagues(): Promise<readonly string[]>;
  /** In order of `lastAt`, then of ids. */
  readPage(query: ResultsQuery): Promise<readonly SavedEventResults[]>;
  /** The same without the results. */
  readIds(query: ResultsQuery): Promise<readonly Pick<SavedEventResults, 'id' | 'lastAt'>[]>;
  readMemory(league: string): Promise<Uint8Array | null>;
  /** Replaces the results of these events, and memories, in one commit. @param upTo absent: unchanged */
  save(events: readonly SavedEventResults[], upTo?: SavedUpTo, memories?: SavedMemories): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}
