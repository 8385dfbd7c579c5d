import type { LogRecord } from '../domain/record.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import type { ReadStreamOptions } from './event-log.ts';
import { decodeRecord, parseUntil, type Upcast } from './stored-record.ts';

type Row = [
  position: number,
  stream: string,
  revision: number,
  type: string,
  version: number,
  data: string,
  meta: string,
  recordedAt: number,
];

const selectRecords =
  'SELECT r.position, s.name, r.revision, r.type, r.version, r.data, r.meta, r.recorded_at ' +
  'FROM records r JOIN streams s ON s.id = r.stream_id';

export interface SqliteLogReader {
  readStream(stream: string, options?: ReadStreamOptions): LogRecord[];
  readStreams(streams: readonly string[]): LogRecord[][];
  readAll(after: bigint | null, limit: number): LogRecord[];
  head(): bigint | null;
}

/** The reads of the log: synchronous, each call in one snapshot. */
export function createSqliteLogReader(database: SqliteDatabase, upcast: Upcast): SqliteLogReader {
  const selectStream = database
    .prepare(
      `${selectRecords} WHERE s.name = ? AND r.revision >= ? AND r.recorded_at <= ? ORDER BY r.stream_id, r.revision LIMIT ?`,
    )
    .raw();
  // CROSS JOIN keeps the planner from starting at the streams, which would sort the whole log for each page.
  const selectAll = database
    .prepare(`${selectRecords.replace('JOIN', 'CROSS JOIN')} WHERE r.position > ? ORDER BY r.position LIMIT ?`)
    .raw();
  const selectHead = database.prepare('SELECT max(position) FROM records').raw();

  function decode(row: unknown): LogRecord {
    const [position, stream, revision, type, version, data, meta, recordedAt] = row as Row;
    return decodeRecord({ position, stream, revision, type, version, data, meta, recordedAt }, upcast);
  }

  function readStream(stream: string, options: ReadStreamOptions = {}): LogRecord[] {
    const { fromRevision = 0, until, limit = -1 } = options;
    return selectStream.all([stream, fromRevision, parseUntil(until), limit]).map(decode);
  }

  return {
    readStream,
    readStreams(streams) {
      // One snapshot: otherwise an append of another process to two of them could show in the second only.
      database.exec('BEGIN');
      try {
        return streams.map((stream) => readStream(stream));
      } finally {
        database.exec('COMMIT');
      }
    },
    readAll(after, limit) {
      return selectAll.all([after === null ? -1 : Number(after), limit]).map(decode);
    },
    head() {
      const [position] = selectHead.get() as [number | null];
      return position === null ? null : BigInt(position);
    },
  };
}
