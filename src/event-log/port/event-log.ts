import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord, NewRecord } from '../../domain/event-sourcing/record.ts';
import type { AppendStats } from './append-stats.ts';

/**
 * What the appender expects of the stream: `any` nothing, `none` that it does not exist, `exists` that it has at
 * least one record, or the revision of its last record. Four distinct cases.
 */
export type ExpectedRevision = 'any' | 'none' | 'exists' | number;

export interface StreamAppend {
  readonly stream: string;
  readonly events: readonly NewRecord[];
  readonly expected: ExpectedRevision;
}

export interface AppendResult {
  /** Revision of the stream's last record after the append; -1 when the stream does not exist. */
  readonly revision: number;
  /** Position of the last record appended; null when there was nothing to append. */
  readonly position: Position | null;
}

/** What became of one append of several: it is on disk, or nothing of it is. */
export type AppendOutcome =
  | ({ readonly ok: true } & AppendResult)
  | { readonly ok: false; readonly conflict: ConflictError };

/** The stream is not as the appender expected. Load it again, decide again. */
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
  /** Default forwards, from the first record to the last. */
  readonly direction?: 'forwards' | 'backwards';
  /** First revision to read; default 0, or the stream's last one when it is read backwards. */
  readonly fromRevision?: number;
  /** Only records recorded at or before this time (ISO 8601). */
  readonly until?: string;
  /** At most so many of them, the first ones in the direction of reading; default all. */
  readonly limit?: number;
}

export interface ReadPagesOptions {
  /** Most records of one page; default 1000. */
  readonly batch?: number;
  /** Types whose contents nobody wants, each with the newest version that is known: records of these may come with
   *  `data` null, so that whoever goes through the whole log for a few types need not wait for the contents of all. What
   *  is not known comes whole, or stops the reader, as ever. */
  readonly unwanted?: ReadonlyMap<string, number>;
  /** Ends the reading by throwing the signal's reason: a reading that was cut off must not look like the log's end. */
  readonly signal?: AbortSignal;
}

/** Hears of commits. `previous` is the position of the record before the first of these (null: there is none before),
 *  so that a reader who stands there knows that it has missed nothing. Absent: the log cannot tell. */
export type CommitListener = (records: readonly LogRecord[], previous?: Position | null) => void;

/** The event log. An append that returned is on disk. Records come back upcast to the newest version. */
export interface EventLog {
  /** @throws ConflictError */
  append(stream: string, events: readonly NewRecord[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * Appends to several streams. Each append stands for itself: it is written whole, or its conflict is told, whatever
   * becomes of the others. Appends to one stream keep their order, each sees those before it; between streams no order
   * is promised. When this rejects, any of them may have been written, and the caller has to look.
   * @returns one outcome for each append, in the order of the appends
   */
  appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]>;
  /** The stream's records in order of the direction; empty when it does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly LogRecord[]>;
  /** Many streams at once, in the order asked for. */
  readStreams(streams: readonly string[]): Promise<readonly (readonly LogRecord[])[]>;
  /** One page: records after `after` (exclusive; null: from the start), in order of position, at most `limit`. Only an
   *  empty page means that there was nothing more at that moment. `unwanted` as in `ReadPagesOptions`. */
  readAll(after: Position | null, limit: number, unwanted?: ReadonlyMap<string, number>): Promise<readonly LogRecord[]>;
  /** Every record after `after`, page by page, none of them empty; ends at the end of the log as it is when reached. */
  readAllFrom(after: Position | null, options?: ReadPagesOptions): AsyncIterable<readonly LogRecord[]>;
  /** Every record that was recorded at this time (ISO 8601) or later, as `readAllFrom` gives them. */
  readSince(time: string, options?: ReadPagesOptions): AsyncIterable<readonly LogRecord[]>;
  /** The newest records before `before` (exclusive; absent: of the whole log), newest first, at most `limit`. Only an
   *  empty page means that there is nothing before. */
  readBackwards(limit: number, before?: Position): Promise<readonly LogRecord[]>;
  /** The record at this position; undefined when there is none. */
  recordAt(position: Position): Promise<LogRecord | undefined>;
  /** Position of the last record; null when the log is empty. */
  head(): Promise<Position | null>;
  /** How many records lie after `after` and up to `to`, where the log can tell by positions alone; else null. For
   *  showing how far something is behind; nothing may depend on it. */
  countBetween(after: Position | null, to: Position | null): number | null;
  /** Calls back with records as they are committed, in order. A hint for going live: a subscription must not rely
   *  on getting them all. Returns the function that ends it. */
  onCommitted(listener: CommitListener): () => void;
  /**
   * Resolves when no record can come any more that is recorded at this time (milliseconds since 1970) or before: what is
   * told as of it stays true. Absent where that holds of every time that has passed.
   */
  waitUntilFinal?(time: number): Promise<void>;
  /** The most that one append may hold, in bytes of its records as JSON; a larger one is refused. Absent: any. */
  readonly maxAppendBytes?: number;
  /** What it has taken itself; absent where nobody counts. */
  readonly appendStats?: AppendStats;
  close(): Promise<void>;
}

/** What an append came to that must have succeeded. @throws ConflictError */
export function requireAppended(outcome: AppendOutcome): AppendResult {
  if (!outcome.ok) throw outcome.conflict;
  const { revision, position } = outcome;
  return { revision, position };
}

/** The same of several: the first conflict is thrown, though others of them may be written. @throws ConflictError */
export const requireAllAppended = (outcomes: readonly AppendOutcome[]): readonly AppendResult[] =>
  outcomes.map(requireAppended);
