import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord, NewRecord } from '../../domain/event-sourcing/record.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { AppendStats } from './append-stats.ts';

/**
 * What the appender expects of the stream: `any`: nothing; `none`: the stream does not exist; `exists`: it has at least
 * one record; a number: the revision of its last record.
 */
export type ExpectedRevision = 'any' | 'none' | 'exists' | number;

export interface StreamAppend {
  readonly stream: string;
  readonly events: readonly NewRecord[];
  readonly expected: ExpectedRevision;
}

export interface AppendResult {
  /** Revision of the stream's last record after the append; -1 if the stream does not exist. */
  readonly revision: number;
  /** Position of the last record appended; null if there was nothing to append. */
  readonly position: Position | null;
}

/** The result of one append of several: all of it is on disk, or nothing of it. */
export type AppendOutcome =
  | ({ readonly ok: true } & AppendResult)
  | { readonly ok: false; readonly conflict: ConflictError };

/** The stream is not as the appender expected. Load the stream again and decide again. */
export class ConflictError extends Error {
  readonly code = 'conflict';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number;
  constructor(stream: string, expected: ExpectedRevision, actual: number) {
    super(`stream ${stream}: expected ${expected}, but its last revision is ${actual === -1 ? 'none' : actual}`);
    this.name = 'ConflictError';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

export interface ReadStreamOptions {
  /** Default `forwards`, from the first record to the last. */
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read; default 0, or the stream's last one when reading backwards. */
  readonly fromRevision?: number;
  /** Only records that were recorded at or before this time (ISO 8601). */
  readonly until?: string;
  /** Maximum number of records, counted in the direction of reading; default all. */
  readonly limit?: number;
}

export interface ReadPagesOptions {
  /** Maximum number of records in one page; default 1000. */
  readonly batch?: number;
  /**
   * Types whose contents the reader does not need, each with the newest version that it knows. Records of these types
   * may come with `data` null. A reader of the whole log that needs only a few types is then faster. Unknown versions
   * come whole, or stop the reader, as ever.
   */
  readonly unwanted?: ReadonlyMap<string, number>;
  /** Ends the reading by throwing the signal's reason: an aborted reading must not look like the end of the log. */
  readonly signal?: AbortSignal;
}

/**
 * Called with committed records. `previous` is the position of the record before the first of these; null: there is
 * none before. A reader at `previous` knows that it has missed nothing. Absent: the log does not know it.
 */
export type CommitListener = (records: readonly LogRecord[], previous?: Position | null) => void;

/**
 * The event log. When an append returns, its records are on disk. Records are returned upcast to the newest version.
 */
export interface EventLog {
  /** @throws ConflictError */
  append(stream: string, events: readonly NewRecord[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * Appends to several streams. Each append is independent: it is written whole, or its conflict is returned. Appends
   * to one stream keep their order, and each sees those before it. Between streams no order is promised. If this
   * rejects, any of the appends may have been written: the caller must read the streams.
   * @returns one outcome for each append, in the order of the appends
   */
  appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]>;
  /** The stream's records in the order of the direction; empty if the stream does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly LogRecord[]>;
  /** Reads many streams. The results have the order of `streams`. */
  readStreams(streams: readonly string[]): Promise<readonly (readonly LogRecord[])[]>;
  /**
   * One page: at most `limit` records after `after` (exclusive; null: from the start), in order of position. Only an
   * empty page means that there were no more records at that moment. `unwanted` as in `ReadPagesOptions`.
   */
  readAll(after: Position | null, limit: number, unwanted?: ReadonlyMap<string, number>): Promise<readonly LogRecord[]>;
  /** Every record after `after`, in pages that are never empty. Ends at the end of the log. */
  readAllFrom(after: Position | null, options?: ReadPagesOptions): AsyncIterable<readonly LogRecord[]>;
  /** Every record that was recorded at this time (ISO 8601) or later, in pages as from `readAllFrom`. */
  readSince(time: string, options?: ReadPagesOptions): AsyncIterable<readonly LogRecord[]>;
  /**
   * The newest records before `before` (exclusive; absent: of the whole log), newest first, at most `limit`. Only an
   * empty page means that there is no record before.
   */
  readBackwards(limit: number, before?: Position): Promise<readonly LogRecord[]>;
  /** The record at this position; undefined if there is none. */
  recordAt(position: Position): Promise<LogRecord | undefined>;
  /** Position of the last record; null if the log is empty. */
  head(): Promise<Position | null>;
  /**
   * The number of records after `after` and up to `to`; null if positions alone do not tell. Only for displaying a lag:
   * nothing may depend on it.
   */
  countBetween(after: Position | null, to: Position | null): number | null;
  /**
   * Calls the listener with records as they are committed, in order. This is only a hint: a subscription must not rely
   * on getting all records. Returns the function that removes the listener.
   */
  onCommitted(listener: CommitListener): () => void;
  /**
   * Calls the listener when another process may have appended: `onCommitted` does not bring its records. Absent: nobody
   * tells, and a subscription reads from time to time.
   */
  onUnannounced?(listener: () => void): () => void;
  /**
   * Resolves when no new record can have this recorded time (milliseconds since 1970) or an earlier one. An answer as
   * of that time then stays true. Absent if this holds for every time in the past.
   */
  waitUntilFinal?(time: number): Promise<void>;
  /**
   * Which streams hold the records of an event now, and which held them before. Empty until somebody fills it
   * (`followReplacements`).
   */
  readonly replacements: StreamReplacements;
  /** Maximum size of one append, in bytes of its records as JSON. A larger append is refused. Absent: no limit. */
  readonly maxAppendBytes?: number;
  /** Counts of this process's own appends; absent if the log keeps none. */
  readonly appendStats?: AppendStats;
  close(): Promise<void>;
}

/** The result of an append that must succeed. @throws ConflictError */
export function requireAppended(outcome: AppendOutcome): AppendResult {
  if (!outcome.ok) throw outcome.conflict;
  const { revision, position } = outcome;
  return { revision, position };
}

/**
 * The results of several appends that must all succeed. Throws the first conflict, though other appends may be written.
 * @throws ConflictError
 */
export const requireAllAppended = (outcomes: readonly AppendOutcome[]): readonly AppendResult[] =>
  outcomes.map(requireAppended);
