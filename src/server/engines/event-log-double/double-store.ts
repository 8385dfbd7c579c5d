import { inImmediateTransaction, openSqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';

/** An event as the double stores it. */
export interface StoredEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type ProposedEvent = Pick<StoredEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

/** The stream revision that an append expects. */
export type Expectation = 'any' | 'no-stream' | 'stream-exists' | number;

interface ProposedAppend {
  readonly stream: string;
  readonly expected: Expectation;
  readonly events: readonly ProposedEvent[];
}

/** `position` is null if the events were there already. `current` is -1 if the stream does not exist. */
export type AppendAnswer =
  | { readonly ok: true; readonly revision: number; readonly position: number | null }
  | { readonly ok: false; readonly current: number };

export interface DoubleStore {
  /** Resolves when it is on disk. */
  append(append: ProposedAppend): Promise<AppendAnswer>;
  /** The last revision; -1 if the stream does not exist. */
  lastRevision(stream: string): number;
  ofStream(stream: string, isForwards: boolean, from: number, limit: number): StoredEvent[];
  /** Forwards: from this position. Backwards: before it. */
  ofAll(isForwards: boolean, from: number, limit: number): StoredEvent[];
  /** 0: the log is empty. */
  head(): number;
  has(position: number): boolean;
  /** Called after each commit. */
  onCommitted(listener: () => void): () => void;
  /** Deletes everything. */
  reset(): void;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    content_type TEXT NOT NULL,
    data BLOB NOT NULL,
    metadata BLOB NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
`;
const COLUMNS = 'position, stream, revision, id, type, content_type, data, metadata, created';
/** Bytes of overhead of each event in the engine's file, in which positions are offsets. */
const FRAME_BYTES = 93;
/** After this many commits a system event is written between user events, as the engine does. */
const SYSTEM_EVERY = 7;
/** How many events are searched for a repeated append without an expected revision. */
const REPEATED_WITHIN = 100;

type Row = [number, string, number, string, string, string, Uint8Array, Uint8Array, number];

/**
 * @param now the leader's clock in milliseconds since 1970; it may go back
 * @param isForgetful whether repeated appends are not recognised
 */
export function openDoubleStore(
  file: string,
  now: () => number,
  isForgetful: () => boolean = () => false,
): DoubleStore {
  const database = openSqliteDatabase({ file, synchronous: 'full' });
  database.exec(SCHEMA);
  const insert = database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const selectHead = database.prepare('SELECT position, length(data) FROM events ORDER BY position DESC LIMIT 1').raw();
  const selectLast = database.prepare('SELECT max(revision) FROM events WHERE stream = ?').raw();
  const selectAt = database.prepare('SELECT 1 FROM events WHERE position = ?').raw();
  const ordered = (where: string, order: string) =>
    database.prepare(`SELECT ${COLUMNS} FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`).raw();
  const forwards = ordered('position >= ?', 'position');
  const backwards = ordered('position < ?', 'position DESC');
  const streamForwards = ordered('stream = ? AND revision >= ?', 'revision');
  const streamBackwards = ordered('stream = ? AND revision <= ?', 'revision DESC');
  const listeners = new Set<() => void>();
  let waiting: {
    readonly append: ProposedAppend;
    readonly settle: (answer: AppendAnswer) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];
  let commits = 0;

  const lastRevision = (stream: string): number => (selectLast.get([stream]) as [number | null])[0] ?? -1;
  const streamPart = (stream: string, from: number, limit: number) =>
    (streamForwards.all([stream, from, limit]) as Row[]).map(eventOf);

  function write(stream: string, revision: number, event: ProposedEvent): number {
    const [last, bytes] = (selectHead.get() as [number, number] | undefined) ?? [0, 0];
    const position = last + bytes + FRAME_BYTES;
    const { id, type, contentType, data, metadata } = event;
    insert.run([position, stream, revision, id, type, contentType, Buffer.from(data), Buffer.from(metadata), now()]);
    return position;
  }

  function isAsExpected(expected: Expectation, current: number): boolean {
    if (expected === 'any') return true;
    if (expected === 'stream-exists') return current >= 0;
    return current === (expected === 'no-stream' ? -1 : expected);
  }

  /** The revision at which exactly these events begin; undefined: they are not there. */
  function repeatedAt({ stream, expected, events }: ProposedAppend, current: number): number | undefined {
    const isOpen = expected === 'any' || expected === 'stream-exists';
    const from = isOpen ? Math.max(0, current - REPEATED_WITHIN) : (expected === 'no-stream' ? -1 : expected) + 1;
    const found = streamPart(stream, from, isOpen ? REPEATED_WITHIN + 1 : events.length);
    const first = isOpen ? found.findIndex(({ id }) => id === events[0]?.id) : 0;
    if (first === -1 || found.length < first + events.length) return undefined;
    return events.every(({ id }, i) => found[first + i]!.id === id) ? from + first : undefined;
  }

  function appendNow(append: ProposedAppend): AppendAnswer {
    const { stream, expected, events } = append;
    const current = lastRevision(stream);
    const repeated = events.length > 0 && current >= 0 && !isForgetful() ? repeatedAt(append, current) : undefined;
    if (repeated !== undefined) return { ok: true, revision: repeated + events.length - 1, position: null };
    if (!isAsExpected(expected, current)) return { ok: false, current };
    let position: number | null = null;
    for (const [i, event] of events.entries()) position = write(stream, current + 1 + i, event);
    return { ok: true, revision: current + events.length, position };
  }

  function writeSystemEvent(): void {
    const stream = '$stats-127.0.0.1:2113';
    const data = Buffer.from('{"proc-threads":1}');
    const event = { type: '$statsCollected', contentType: 'application/json', data, metadata: Buffer.alloc(0) };
    write(stream, lastRevision(stream) + 1, { ...event, id: crypto.randomUUID() });
  }

  function commit(): void {
    const group = waiting;
    waiting = [];
    let answers: AppendAnswer[];
    try {
      answers = inImmediateTransaction(database, () => {
        if (commits++ % SYSTEM_EVERY === 0) writeSystemEvent();
        return group.map(({ append }) => appendNow(append));
      });
    } catch (error) {
      for (const { fail } of group) fail(error);
      return;
    }
    for (const [i, { settle }] of group.entries()) settle(answers[i]!);
    for (const listener of listeners) listener();
  }

  return {
    append(append) {
      return new Promise((settle, fail) => {
        // Appends of one turn share a commit.
        if (waiting.push({ append, settle, fail }) === 1) setImmediate(commit);
      });
    },
    lastRevision,
    ofStream(stream, isForwards, from, limit) {
      if (isForwards) return streamPart(stream, from, limit);
      return (streamBackwards.all([stream, from, limit]) as Row[]).map(eventOf);
    },
    ofAll: (isForwards, from, limit) => ((isForwards ? forwards : backwards).all([from, limit]) as Row[]).map(eventOf),
    head: () => (selectHead.get() as [number] | undefined)?.[0] ?? 0,
    has: (position) => selectAt.get([position]) !== undefined,
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset: () => database.exec('DELETE FROM events'),
    close: () => database.close(),
  };
}

function eventOf([position, stream, revision, id, type, contentType, data, metadata, created]: Row): StoredEvent {
  return { position, stream, revision, id, type, contentType, data, metadata, created };
}
