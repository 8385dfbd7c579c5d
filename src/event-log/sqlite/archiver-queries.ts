import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { ARCHIVED_DATA } from './archive-block.ts';

interface StreamRow {
  readonly id: number;
  /** The revision of the stream's last record. */
  readonly revision: number;
}

/** The queries by which the archiver reads and empties the rows of a log. */
export function createArchiverQueries(log: SqliteDatabase) {
  const selectStream = log
    .prepare('SELECT id, (SELECT max(revision) FROM records WHERE stream_id = id) FROM streams WHERE name = ?')
    .raw();
  const selectData = log.prepare('SELECT data FROM records WHERE stream_id = ? AND revision = ?').raw();
  const selectBlock = log.prepare(
    'SELECT position, type, data, meta FROM records WHERE stream_id = ? AND revision BETWEEN ? AND ? ORDER BY revision',
  );
  const selectLastId = log.prepare('SELECT max(id) FROM streams').raw();
  // Select by a range of ids, because a million streams of other kinds may lie between two of these.
  const selectStreams = log.prepare(
    'SELECT s.id, s.name, r.recorded_at AS lastRecordedAt, r.data = ? AS isArchived ' +
      'FROM streams s CROSS JOIN records r ON r.stream_id = s.id AND ' +
      'r.revision = (SELECT max(revision) FROM records WHERE stream_id = s.id) ' +
      'WHERE s.id > ? AND s.id <= ? AND substr(s.name, 1, ?) = ? ORDER BY s.id',
  );
  log.exec(
    'CREATE TEMP TABLE emptied (position INTEGER PRIMARY KEY, stream_id INTEGER, revision INTEGER, version INTEGER, recorded_at INTEGER)',
  );
  // Delete and insert again: an UPDATE would leave nearly empty pages, while SQLite merges pages when rows are deleted.
  const statements = [
    'DELETE FROM records WHERE position IN (SELECT position FROM temp.emptied)',
    'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) ' +
      `SELECT position, stream_id, revision, '', version, '${ARCHIVED_DATA}', '', recorded_at FROM temp.emptied ORDER BY position`,
    'DELETE FROM temp.emptied',
  ];
  const noteEmptied = log.prepare(
    'INSERT INTO temp.emptied SELECT position, stream_id, revision, version, recorded_at FROM records ' +
      'WHERE position IN (SELECT value FROM json_each(?))',
  );
  const empty = statements.map((sql) => log.prepare(sql));

  return {
    stream(name: string): StreamRow | undefined {
      const row = selectStream.get([name]) as [number, number] | undefined;
      return row && { id: row[0], revision: row[1] };
    },

    /** The first revision whose row is not empty. All rows before it are empty. */
    firstWhole({ id, revision }: StreamRow): number {
      let low = 0;
      let high = revision + 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((selectData.get([id, middle]) as [string])[0] === ARCHIVED_DATA) low = middle + 1;
        else high = middle;
      }
      return low;
    },

    ofBlock(id: number, first: number, last: number) {
      return selectBlock.all([id, first, last]) as {
        readonly position: number;
        readonly type: string;
        readonly data: string;
        readonly meta: string;
      }[];
    },

    /** Empties the rows at these positions, all of them or none. */
    empty(positions: readonly number[]): void {
      inImmediateTransaction(log, () => {
        noteEmptied.run([JSON.stringify(positions)]);
        for (const statement of empty) statement.run();
      });
    },

    streamsAfter(id: number, prefix: string) {
      const next = id + STREAM_IDS_PER_PAGE;
      const [last] = selectLastId.get() as [number | null];
      const found = selectStreams.all([ARCHIVED_DATA, id, next, prefix.length, prefix]) as {
        readonly id: number;
        readonly name: string;
        readonly lastRecordedAt: number;
        readonly isArchived: number;
      }[];
      const streams = found.map((one) => ({ ...one, isArchived: one.isArchived === 1 }));
      return { streams, next: last !== null && next < last ? next : null };
    },
  };
}

const STREAM_IDS_PER_PAGE = 200;
