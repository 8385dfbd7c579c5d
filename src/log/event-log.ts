import type { LogRecord, NewRecord } from '../domain/record.ts';

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
  readonly position: bigint | null;
  readonly recordedAt: string | null;
}

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
  /** First revision to read; default 0. */
  readonly fromRevision?: number;
  /** Only records recorded at or before this time (ISO 8601). */
  readonly until?: string;
  /** At most so many of them, the first ones; default all. */
  readonly limit?: number;
}

/** The event log. An append that returned is on disk. Records come back upcast to the newest version. */
export interface EventLog {
  /** @throws ConflictError */
  append(stream: string, events: readonly NewRecord[], expected: ExpectedRevision): Promise<AppendResult>;
  /**
   * Appends to several streams, in this order and with one recorded time. A conflict of any rejects the whole call
   * before anything is written. Where the store has no transaction across streams, a crash may leave a prefix.
   * @throws ConflictError
   */
  appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]>;
  /** The stream's records in order; empty when it does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly LogRecord[]>;
  /** Many streams at once, in the order asked for. */
  readStreams(streams: readonly string[]): Promise<readonly (readonly LogRecord[])[]>;
  /** Records after `after` (exclusive; null: from the start), in order of position, at most `limit`. Fewer than
   *  `limit` means that there was nothing more at that moment. */
  readAll(after: bigint | null, limit: number): Promise<readonly LogRecord[]>;
  /** Position of the last record; null when the log is empty. */
  head(): Promise<bigint | null>;
  /** Calls back with records as they are committed, in order. A hint for going live: a subscription must not rely
   *  on getting them all. Returns the function that ends it. */
  onCommitted(listener: (records: readonly LogRecord[]) => void): () => void;
  close(): Promise<void>;
}
