import { inImmediateTransaction, openSqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';
import {
  type AppendAnswer,
  decideAppend,
  type Expectation,
  type KnownIds,
  type ProposedEvent,
} from './decide-append.ts';

/** An event as the double stores it. */
export interface StoredEvent extends ProposedEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export interface ProposedAppend {
  readonly stream: string;
  readonly expected: Expectation;
  readonly events: readonly ProposedEvent[];
}

/** What is left of a stream. */
export interface StreamState {
  /** The last revision; -1 if the stream never existed. A deleted stream goes on behind it. */
  readonly last: number;
  /** Events before this revision are deleted. */
  readonly first: number;
  /** The stream may never be appended to again. */
  readonly isFinal: boolean;
}

export interface DoubleStore {
  /** Resolves when it is on disk. */
  append(append: ProposedAppend): Promise<AppendAnswer>;
  /** Deletes the events of a stream. @returns the position of the deletion */
  deleteStream(stream: string, isFinal: boolean): number;
  stateOf(stream: string): StreamState;
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
  CREATE INDEX IF NOT EXISTS events_id ON events (id);
  CREATE TABLE IF NOT EXISTS deleted_streams (
    stream TEXT PRIMARY KEY,
    first INTEGER NOT NULL,
    is_final INTEGER NOT NULL
  ) STRICT;
`;
const COLUMNS = 'position, stream, revision, id, type, content_type, data, metadata, created';
/** Bytes of overhead of each event in the engine's file, in which positions are offsets. */
const FRAME_BYTES = 93;
/** After this many commits a system event is written between user events, as the engine does. */
const SYSTEM_EVERY = 7;
const SYSTEM_STREAM = '$stats-127.0.0.1:2113';
/** The event with which the log of the engine begins. */
const FIRST_STREAM = '$$$scavenges';

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
  const selectDeleted = database.prepare('SELECT first, is_final FROM deleted_streams WHERE stream = ?').raw();
  const setDeleted = database.prepare(
    'INSERT OR REPLACE INTO deleted_streams (stream, first, is_final) VALUES (?, ?, ?)',
  );
  const selectAt = database.prepare('SELECT 1 FROM events WHERE position = ?').raw();
  const selectById = database.prepare('SELECT max(revision) FROM events WHERE id = ? AND stream = ?').raw();
  const selectIdAt = database.prepare('SELECT id, position FROM events WHERE stream = ? AND revision = ?').raw();
  const ordered = (where: string, order: string) =>
    database.prepare(`SELECT ${COLUMNS} FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`).raw();
  const forwards = ordered('position >= ?', 'position');
  const backwards = ordered('position < ?', 'position DESC');
  const streamForwards = ordered('stream = ? AND revision >= ?', 'revision');
  const streamBackwards = ordered('stream = ? AND revision <= ? AND revision >= ?', 'revision DESC');
  const listeners = new Set<() => void>();
  let waiting: {
    readonly append: ProposedAppend;
    readonly settle: (answer: AppendAnswer) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];
  let commits = 0;

  function stateOf(stream: string): StreamState {
    const last = (selectLast.get([stream]) as [number | null])[0] ?? -1;
    const [first, isFinal] = (selectDeleted.get([stream]) as [number, number] | undefined) ?? [0, 0];
    return { last, first, isFinal: isFinal === 1 };
  }

  const knownIds: KnownIds = {
    revisionOf: (stream, id) =>
      (isForgetful() ? undefined : (selectById.get([id, stream]) as [number | null])[0]) ?? undefined,
    at(stream, revision) {
      const found = isForgetful() ? undefined : (selectIdAt.get([stream, revision]) as [string, number] | undefined);
      return found && { id: found[0], position: found[1] };
    },
  };

  function nextPosition(): number {
    const [last, bytes] = (selectHead.get() as [number, number] | undefined) ?? [0, 0];
    return last + bytes + FRAME_BYTES;
  }

  function write(stream: string, revision: number, event: ProposedEvent): number {
    const position = nextPosition();
    const { id, type, contentType, data, metadata } = event;
    insert.run([position, stream, revision, id, type, contentType, Buffer.from(data), Buffer.from(metadata), now()]);
    return position;
  }

  function appendNow({ stream, expected, events }: ProposedAppend): AppendAnswer {
    const { last, first } = stateOf(stream);
    // A deleted stream begins again at its next revision.
    const wanted = expected === 'no-stream' && last >= 0 && last < first ? last : expected;
    const decision = decideAppend(
      { stream, expected: wanted, ids: events.map(({ id }) => id), current: last },
      knownIds,
    );
    if (decision !== 'append') return decision;
    let position = nextPosition();
    for (const [i, event] of events.entries()) position = write(stream, last + 1 + i, event);
    return { ok: true, revision: last + events.length, position };
  }

  function writeSystemEvent(stream: string, type: string, text: string): number {
    const event = { type, contentType: 'application/json', data: Buffer.from(text), metadata: Buffer.alloc(0) };
    return write(stream, stateOf(stream).last + 1, { ...event, id: crypto.randomUUID() });
  }

  function begin(): void {
    if (selectHead.get() === undefined) writeSystemEvent(FIRST_STREAM, '$metadata', '{}');
  }

  function commit(): void {
    const group = waiting;
    waiting = [];
    let answers: AppendAnswer[];
    try {
      answers = inImmediateTransaction(database, () => {
        if (commits++ % SYSTEM_EVERY === 0) writeSystemEvent(SYSTEM_STREAM, '$statsCollected', '{"proc-threads":1}');
        return group.map(({ append }) => appendNow(append));
      });
    } catch (error) {
      for (const { fail } of group) fail(error);
      return;
    }
    for (const [i, { settle }] of group.entries()) settle(answers[i]!);
    for (const listener of listeners) listener();
  }

  begin();
  return {
    append(append) {
      return new Promise((settle, fail) => {
        // Appends of one turn share a commit.
        if (waiting.push({ append, settle, fail }) === 1) setImmediate(commit);
      });
    },
    deleteStream(stream, isFinal) {
      const position = inImmediateTransaction(database, () => {
        setDeleted.run([stream, stateOf(stream).last + 1, isFinal ? 1 : 0]);
        return writeSystemEvent(`$$${stream}`, '$metadata', '{"$tb":9223372036854775807}');
      });
      for (const listener of listeners) listener();
      return position;
    },
    stateOf,
    ofStream(stream, isForwards, from, limit) {
      const { first } = stateOf(stream);
      const rows = isForwards
        ? streamForwards.all([stream, Math.max(from, first), limit])
        : streamBackwards.all([stream, from, first, limit]);
      return (rows as Row[]).map(eventOf);
    },
    ofAll: (isForwards, from, limit) => ((isForwards ? forwards : backwards).all([from, limit]) as Row[]).map(eventOf),
    head: () => (selectHead.get() as [number] | undefined)?.[0] ?? 0,
    has: (position) => selectAt.get([position]) !== undefined,
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset() {
      database.exec('DELETE FROM events; DELETE FROM deleted_streams');
      begin();
    },
    close: () => database.close(),
  };
}

function eventOf([position, stream, revision, id, type, contentType, data, metadata, created]: Row): StoredEvent {
  return { position, stream, revision, id, type, contentType, data, metadata, created };
}
