import { keepLogChecksum } from '../../event-log/sqlite/log-checksum.ts';
import type { StoredSettings } from '../../platform/settings/stored-settings.ts';
import { readChecksum, writeChecksum } from '../../platform/sqlite/checksums.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { quotedName, tablesOf } from '../../platform/sqlite/table-checksums.ts';
import type { RecordLine } from '../backup/capture.ts';
import { isDerived } from '../backup/derived-tables.ts';
import type { FollowPlace } from '../backup/follow-place.ts';
import { LOG, NAMES_AND_IDS, type PointLine } from '../backup/restore-folder.ts';

/** Records in one transaction: whoever projects them waits for it. */
const RECORDS_AT_ONCE = 500;
/** Counts that triggers keep of other tables: written after them. */
const COUNTS = 'counted_rows';
const STAGED = 'staged';

/** What the backup says does not fit to what this folder has. */
export class FollowError extends Error {
  readonly code = 'follow';
}

/** Brings points and records of a backup into the database of a standby, which others read meanwhile. */
export interface PointWriter {
  place(): FollowPlace;
  /** The last record. */
  head(): number;
  /** Prepares the point whose lines these are; nothing of it shows. @throws FollowError */
  stage(lines: Iterable<PointLine>): void;
  /** Rows that records need before they are read. */
  writeNames(): void;
  /** Records up to a position; those that are there are left out. @throws FollowError */
  writeRecords(lines: Iterable<RecordLine>, upTo: number): void;
  /** All rows of the staged point, and that it is reached. @throws FollowError */
  finish(place: FollowPlace): void;
}

const PLACE_TABLE = `CREATE TABLE IF NOT EXISTS followed_backup (
  id INTEGER PRIMARY KEY, timeline TEXT NOT NULL, number INTEGER NOT NULL, head INTEGER NOT NULL, taken_at INTEGER NOT NULL
) STRICT`;

/** Notes how far the folder has followed. */
export function writePlace(database: SqliteDatabase, { timeline, number, head, takenAt }: FollowPlace): void {
  database.exec(PLACE_TABLE);
  database
    .prepare('INSERT OR REPLACE INTO followed_backup (id, timeline, number, head, taken_at) VALUES (1, ?, ?, ?, ?)')
    .run([timeline, number, head, takenAt]);
}

/** @throws FollowError if the database is not a standby's */
export function readPlace(database: SqliteDatabase): FollowPlace {
  const row = tablesOf(database).includes('followed_backup')
    ? database.prepare('SELECT timeline, number, head, taken_at AS takenAt FROM followed_backup WHERE id = 1').get()
    : undefined;
  if (row === undefined) throw new FollowError('the folder does not say how far it has followed the backup');
  return row as FollowPlace;
}

interface StagedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isWhole: boolean;
  /** Temporary tables: the rows, and the numbers of those that are gone. */
  readonly rows: string;
  readonly gone: string;
}

/**
 * @param database of a standby; foreign keys are not looked at, since rows come table by table
 * @param onSettings called with the settings of the first when a point that has them is finished
 */
export function openPointWriter(
  database: SqliteDatabase,
  onSettings: (settings: StoredSettings) => void = () => {},
): PointWriter {
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE; PRAGMA recursive_triggers = ON');
  const headOf = database.prepare('SELECT coalesce(max(position), 0) FROM records').raw();
  const addStream = database.prepare('INSERT OR IGNORE INTO streams (id, name) VALUES (?, ?)');
  const nameOf = database.prepare('SELECT name FROM streams WHERE id = ?').raw();
  const addRecord = database.prepare(
    'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const addToSum = keepLogChecksum(database);
  let staged: StagedTable[] = [];
  let sums: NonNullable<PointLine['checksums']> = [];
  let settings: StoredSettings | undefined;
  let sequence: NonNullable<PointLine['sequence']> = [];
  const head = (): number => (headOf.get() as [number])[0];

  function clear(): void {
    for (const { rows, gone } of staged) database.exec(`DROP TABLE temp.${rows}; DROP TABLE temp.${gone}`);
    staged = [];
    settings = undefined;
    sums = [];
    sequence = [];
  }

  function stageTable({ table, columns = [], isWhole = false }: PointLine): StagedTable {
    const known = new Set(database.prepare(`SELECT name FROM pragma_table_info(?)`).raw().all([table!]).flat());
    const missing = columns.find((column) => column !== 'rowid' && !known.has(column));
    if (missing !== undefined)
      throw new FollowError(`${table} has a column ${missing} that this version does not know`);
    const [rows, gone] = [`${STAGED}_${staged.length}`, `${STAGED}_gone_${staged.length}`];
    database.exec(`CREATE TEMP TABLE ${rows} (${columns.map((_, index) => `c${index}`).join(', ')});
      CREATE TEMP TABLE ${gone} (number INTEGER)`);
    const one = { table: table!, columns, isWhole, rows, gone };
    staged.push(one);
    return one;
  }

  /** Tables that a newer version of the first has made. */
  function makeTables(schema: NonNullable<PointLine['schema']>): void {
    const known = new Set(tablesOf(database));
    inImmediateTransaction(database, () => {
      for (const [, , table, sql] of schema) if (!known.has(table)) database.exec(sql);
    });
  }

  function stageLines(lines: Iterable<PointLine>): void {
    let put: ReturnType<SqliteDatabase['prepare']> | undefined;
    let remove: ReturnType<SqliteDatabase['prepare']> | undefined;
    for (const line of lines) {
      if (line.row) put!.run([...line.row]);
      else if (line.gone !== undefined) remove!.run([line.gone]);
      else if (line.table !== undefined) {
        if (!database.inTransaction) database.exec('BEGIN');
        const { rows, gone, columns } = stageTable(line);
        put = database.prepare(`INSERT INTO temp.${rows} VALUES (${columns.map(() => '?').join(', ')})`);
        remove = database.prepare(`INSERT INTO temp.${gone} VALUES (?)`);
      } else if (line.schema) makeTables(line.schema);
      else if (line.settings) ({ settings } = line);
      else if (line.checksums) [sums, sequence] = [line.checksums, line.sequence ?? []];
    }
  }

  /** Only rows that differ are written. */
  function writeTable({ table, columns, isWhole, rows, gone }: StagedTable): void {
    const name = `main.${quotedName(table)}`;
    const names = columns.map(quotedName).join(', ');
    const staged = columns.map((_, index) => `c${index}`).join(', ');
    const hasNumbers = columns[0] === 'rowid';
    if (!isWhole) database.exec(`DELETE FROM ${name} WHERE rowid IN (SELECT number FROM temp.${gone})`);
    else if (hasNumbers) database.exec(`DELETE FROM ${name} WHERE rowid NOT IN (SELECT c0 FROM temp.${rows})`);
    else database.exec(`DELETE FROM ${name}`);
    const same = isWhole && hasNumbers ? ` EXCEPT SELECT ${names} FROM ${name}` : '';
    database.exec(`INSERT OR REPLACE INTO ${name} (${names}) SELECT ${staged} FROM temp.${rows}${same}`);
  }

  function writeSums(isWanted: (table: string) => boolean): void {
    for (const [name, width, rows, sum] of sums) {
      const table = name.replace(/^table /, '');
      if (name === LOG || isDerived(table) || !isWanted(table)) continue;
      writeChecksum(database, name, { width, rows, sum });
    }
  }

  const isName = ({ table }: { readonly table: string }): boolean => NAMES_AND_IDS.has(table);

  function writeRecord(line: RecordLine, width: number): void {
    const [position, id, revision, type, version, data, meta, recordedAt, named] = line;
    if (named !== undefined) addStream.run([id, named]);
    const stream = (nameOf.get([id]) as [string] | undefined)?.[0];
    if (stream === undefined) throw new FollowError(`record ${position} has no stream`);
    addRecord.run([position, id, revision, type, version, data, meta, recordedAt]);
    if (position > width) addToSum([{ position, stream, revision, type, version, data, meta, recordedAt }]);
  }

  return {
    place: () => readPlace(database),
    head,
    stage(lines) {
      clear();
      try {
        stageLines(lines);
      } finally {
        // Of temporary tables alone: it holds nobody up.
        if (database.inTransaction) database.exec('COMMIT');
      }
    },
    writeNames() {
      inImmediateTransaction(database, () => {
        for (const one of staged.filter(isName)) writeTable(one);
        if (staged.some(isName)) writeSums((table) => NAMES_AND_IDS.has(table));
      });
    },
    writeRecords(lines, upTo) {
      const { width } = readChecksum(database, LOG)!;
      let last = head();
      let batch: RecordLine[] = [];
      const flush = (): void => {
        inImmediateTransaction(database, () => {
          for (const line of batch) writeRecord(line, width);
        });
        batch = [];
      };
      for (const line of lines) {
        if (line[0] <= last || line[0] > upTo) continue;
        if (line[0] !== last + 1) throw new FollowError(`record ${line[0]} follows record ${last}`);
        last = line[0];
        batch.push(line);
        if (batch.length >= RECORDS_AT_ONCE) flush();
      }
      if (batch.length > 0) flush();
    },
    finish(place) {
      const kept = sums.find(([name]) => name === LOG);
      const own = readChecksum(database, LOG)!;
      if (kept && (own.rows !== kept[2] || own.sum !== kept[3]))
        throw new FollowError('the log of this folder is not that of the backup: begin a standby in an empty folder');
      const known = new Set(tablesOf(database));
      if (settings) onSettings(settings);
      inImmediateTransaction(database, () => {
        const ordered = staged.filter((one) => one.table !== COUNTS);
        for (const one of [...ordered, ...staged.filter((one) => one.table === COUNTS)]) writeTable(one);
        writeSums(() => true);
        for (const [table, last] of sequence) {
          if (!known.has(table)) continue;
          database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run([table]);
          database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run([table, last]);
        }
        writePlace(database, place);
      });
      clear();
    },
  };
}
