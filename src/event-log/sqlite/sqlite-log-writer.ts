import { LRUCache } from 'lru-cache';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { AppendOutcome } from '../port/event-log.ts';
import { type AppendRequest, findConflict } from '../storage/append-request.ts';
import { fromStoredPosition, type StoredRecord } from '../storage/stored-record.ts';
import { keepLogChecksum } from './log-checksum.ts';

interface StreamState {
  readonly id: number;
  readonly revision: number;
}

interface CommittedGroup {
  /** In the order of the callers; for each caller, in the order of its requests. */
  readonly outcomes: readonly (readonly AppendOutcome[])[];
  readonly records: readonly StoredRecord[];
  /** The position of the record before the first of these; 0 if there is none. */
  readonly previous: number;
}

/** The number of records in one INSERT. Fewer calls are faster: each call into the library costs microseconds. */
const rowsPerInsert = 16;

/** Writes groups of appends, each group in one transaction. */
export function createSqliteLogWriter(
  database: SqliteDatabase,
  { now, cachedStreams }: { readonly now: () => number; readonly cachedStreams: number },
): { commit(group: readonly (readonly AppendRequest[])[]): CommittedGroup } {
  const selectLast = database.prepare('SELECT position, recorded_at FROM records ORDER BY position DESC LIMIT 1').raw();
  const selectStream = database
    .prepare('SELECT id, (SELECT max(revision) FROM records WHERE stream_id = id) FROM streams WHERE name = ?')
    .raw();
  const insertStream = database.prepare('INSERT INTO streams (name) VALUES (?)');
  const insertOne = database.prepare(insertSql(1));
  const insertMany = database.prepare(insertSql(rowsPerInsert));
  const addToLogChecksum = keepLogChecksum(database);

  const cache = new LRUCache<string, StreamState>(entriesAtMost(cachedStreams));
  /** The position of the last record when the cache was correct. */
  let cachedAt = -1;

  /** @param rows consecutive records, the first of them at position `first` */
  function insertRecords(first: number, recordedAt: number, rows: readonly (readonly unknown[])[]): void {
    let i = 0;
    for (; i + rowsPerInsert <= rows.length; i += rowsPerInsert) {
      const bound: unknown[] = [first + i, recordedAt];
      for (let n = i; n < i + rowsPerInsert; n++) bound.push(...rows[n]!);
      insertMany.run(bound);
    }
    for (; i < rows.length; i++) insertOne.run([first + i, recordedAt, ...rows[i]!]);
  }

  function writeGroup(group: readonly (readonly AppendRequest[])[]) {
    const [lastPosition, lastRecordedAt] = (selectLast.get() as [number, number] | undefined) ?? [0, 0];
    // Another process may have appended since, so no cached revision can be trusted. The write lock stops other
    // processes until the commit. (PRAGMA data_version would also change whenever a read model is written.)
    if (lastPosition !== cachedAt) cache.clear();

    const recordedAt = Math.max(now(), lastRecordedAt);
    const changed = new Map<string, StreamState>();
    const records: StoredRecord[] = [];
    const rows: unknown[][] = [];

    function stateOf(stream: string): StreamState | undefined {
      const known = changed.get(stream) ?? cache.get(stream);
      if (known !== undefined) return known;
      const row = selectStream.get([stream]) as [number, number] | undefined;
      if (row === undefined) return undefined;
      const state = { id: row[0], revision: row[1] };
      cache.set(stream, state);
      return state;
    }

    function write(request: AppendRequest): AppendOutcome {
      const { stream, events } = request;
      const state = stateOf(stream);
      let revision = state?.revision ?? -1;
      const conflict = findConflict(request, revision);
      if (conflict) return { ok: false, conflict };
      if (events.length === 0) return { ok: true, revision, position: null };
      const id = state?.id ?? Number(insertStream.run([stream]).lastInsertRowid);
      let position = lastPosition + records.length;
      for (const event of events) {
        revision++;
        position++;
        records.push({ position, stream, revision, ...event, recordedAt });
        rows.push([id, revision, event.type, event.version, event.data, event.meta]);
      }
      changed.set(stream, { id, revision });
      return { ok: true, revision, position: fromStoredPosition(position) };
    }

    const outcomes = group.map((requests) => requests.map(write));
    insertRecords(lastPosition + 1, recordedAt, rows);
    if (records.length > 0) addToLogChecksum(records);
    return { outcomes, records, changed, previous: lastPosition };
  }

  return {
    commit(group) {
      try {
        const { outcomes, records, changed, previous } = inImmediateTransaction(database, () => writeGroup(group));
        for (const [stream, state] of changed) cache.set(stream, state);
        cachedAt = previous + records.length;
        return { outcomes, records, previous };
      } catch (error) {
        cachedAt = -1;
        throw error;
      }
    },
  };
}

/**
 * Parameters: the first position, the recorded time, then the columns of each row. Binding has a cost too, so shared
 * values are bound once.
 */
function insertSql(rows: number): string {
  const values = Array.from({ length: rows }, (_, n) => {
    const own = Array.from({ length: 6 }, (_value, column) => `?${3 + n * 6 + column}`);
    return `(?1 + ${n}, ${own.join(', ')}, ?2)`;
  });
  return (
    'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) VALUES ' +
    values.join(', ')
  );
}
