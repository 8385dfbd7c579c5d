import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { keepLogChecksum } from '../../event-log/sqlite/log-checksum.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { syncFolder, writeFolderFile } from '../../platform/data-folder/folder-file.ts';
import { databaseFile, settingsFile } from '../../platform/data-folder/folder-paths.ts';
import { type Checksum, readChecksum, writeChecksum } from '../../platform/sqlite/checksums.ts';
import {
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from '../../platform/sqlite/sqlite-database.ts';
import { findChangedTable, quotedName, tablesOf } from '../../platform/sqlite/table-checksums.ts';
import { openSqliteStore } from '../../read-models/store/sqlite/sqlite-store.ts';
import { decideSecrets, type StoredSecrets } from './backup-secrets.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import type { RecordLine } from './capture.ts';
import type { FollowPlace } from './follow-place.ts';
import { beginRestore, RestoreError } from './restore-draft.ts';
import { type History, type PointRange, planRestore, type RestoreChoice, type RestorePlan } from './restore-plan.ts';
import { DamagedSegment } from './segment-file.ts';
import { type BackedUpSettings, settingsText } from './settings-to-store.ts';

/** The tables of names and ids. The intake writes them before the records that use them, and extra rows do no harm. */
export const NAMES_AND_IDS: ReadonlySet<string> = new Set([
  'id_counters',
  'external_ids',
  'names',
  'fixtures',
  'named_sources',
]);
export const LOG = 'log';
const ROWS_A_TRANSACTION = 20_000;

interface RestoreOptions extends RestoreChoice {
  /** @param staging a folder that is gone when all is done */
  readonly target: (staging: string) => BackupTarget;
  readonly key: Buffer | undefined;
  /** Missing or empty, or what a restore left that was not finished. */
  readonly folder: string;
  /** From the environment, by the name of their file. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly onProgress?: (records: number, total: number) => void;
  /** Adds to the folder before anybody may use it. */
  readonly finish?: (draft: string, database: SqliteDatabase, place: FollowPlace) => void;
  /** Told after each step that changes the folder itself. */
  readonly onStep?: () => void;
}

export interface Restored {
  readonly timeline: string;
  /** What other servers have written to the same backup at that time. */
  readonly beside: readonly History[];
  readonly records: number;
  /** The moment that the folder is as of, in milliseconds. */
  readonly reached: number;
  /** The names of settings that the first kept and that are not in the backup: they are secret, and it has no key. */
  readonly hiddenSettings: readonly string[];
}

/**
 * Makes the data folder of a moment, within that folder: a mounted one cannot be replaced, and not every user may write
 * beside it. No start takes it until it is whole and every row and record has been compared with the checksums that the
 * server kept.
 * @throws RestoreError, NothingToRestore, DamagedSegment, FolderInUse, DataFolderError
 */
export async function restoreFolder(options: RestoreOptions): Promise<Restored> {
  const { key, folder, onStep } = options;
  const draft = beginRestore(folder, { onStep });
  try {
    const target = options.target(draft.staging);
    const { plan, beside } = await planRestore(target, key, options);
    const hiddenSettings = await restoreInto(draft.path, plan, target, options);
    draft.finish();
    return { timeline: plan.timeline, beside, records: plan.cut, reached: plan.reached, hiddenSettings };
  } finally {
    draft.discard();
  }
}

async function restoreInto(
  draft: string,
  plan: RestorePlan,
  target: BackupTarget,
  { key, secrets, onProgress, finish }: RestoreOptions,
): Promise<readonly string[]> {
  const file = databaseFile(draft);
  await openSqliteLog({ file }).close();
  // Its tables are empty: the first start builds the read models.
  await openSqliteStore({ file }).close();
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 64, synchronous: 'normal' });
  try {
    // Nobody needs an unfinished draft after a crash.
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
    const rows = createRowWriter(database);
    const apply = (range: PointRange, isWanted: (table: string) => boolean) =>
      useSegment(target, range.segment.name, key, (lines) => rows.apply(range, lines, isWanted));
    for (const range of plan.points) await apply(range, () => true);
    for (const range of plan.later) await apply(range, (table) => NAMES_AND_IDS.has(table));
    for (const [name, content] of decideSecrets(rows.secrets(), secrets)) writeFolderFile(join(draft, name), content);
    const { settings = {}, hidden = [] } = rows.settings();
    if (Object.keys(settings).length > 0) writeFolderFile(settingsFile(draft), settingsText(settings));
    const log = createLogWriter(database, plan, rows.checksum(LOG)!);
    for (const { name } of plan.log) {
      await useSegment(target, name, key, (lines) => log.write(name, lines as Iterable<RecordLine>));
      onProgress?.(log.position(), plan.cut);
    }
    log.finish();
    rows.finish();
    for (const table of tablesOf(database)) {
      const problem = findChangedTable(database, table);
      if (problem) throw new RestoreError(`the backup is not whole: ${problem}`);
    }
    finish?.(draft, database, { timeline: plan.timeline, ...plan.chosen });
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
    return hidden;
  } finally {
    database.close();
    syncFolder(draft);
  }
}

/** A line of a point has some of these members. */
export interface PointLine extends Partial<StoredSecrets>, Partial<BackedUpSettings> {
  readonly form?: number;
  readonly schema?: readonly (readonly [type: string, name: string, table: string, sql: string])[];
  readonly table?: string;
  readonly columns?: readonly string[];
  readonly isWhole?: boolean;
  readonly row?: readonly unknown[];
  readonly gone?: number;
  readonly checksums?: readonly (readonly [name: string, width: number, rows: number, sum: number])[];
  readonly sequence?: readonly (readonly [table: string, last: number])[];
}

function createRowWriter(database: SqliteDatabase) {
  let schema: NonNullable<PointLine['schema']> = [];
  let secrets: (StoredSecrets & Partial<BackedUpSettings>) | undefined;
  const checksums = new Map<string, Checksum>();

  function apply(
    { segment, from, to }: PointRange,
    lines: Iterable<unknown>,
    isWanted: (table: string) => boolean,
  ): void {
    const isAll = isWanted('');
    let number = segment.from - 1;
    let put: ReturnType<SqliteDatabase['prepare']> | undefined;
    let remove: ReturnType<SqliteDatabase['prepare']> | undefined;
    inImmediateTransaction(database, () => {
      for (const line of lines as Iterable<PointLine>) {
        if (line.form === 1) number++;
        // Each segment is read to its end, since its checksum stands there.
        if (number < from || number > to) continue;
        if (line.row) put?.run([...line.row]);
        else if (line.gone !== undefined) remove?.run([line.gone]);
        else if (line.table !== undefined) [put, remove] = isWanted(line.table) ? prepareTable(line) : [];
        else if (line.schema) begin(line.schema, isAll);
        else if (line.fingerprints) secrets = isAll ? (line as StoredSecrets & Partial<BackedUpSettings>) : secrets;
        else if (line.checksums) end(line, isWanted);
        else if (line.form !== 1) throw new DamagedSegment(segment.name, 'a line of it is unknown');
      }
    });
  }

  function begin(given: typeof schema, isAll: boolean): void {
    if (!isAll) return;
    if (schema.length === 0) {
      schema = given;
      for (const [type, , , sql] of schema) if (type === 'table') database.exec(sql);
    }
  }

  function prepareTable({ table, columns: list = [], isWhole }: PointLine) {
    const name = quotedName(table!);
    if (isWhole) database.exec(`DELETE FROM ${name}`);
    const put = database.prepare(
      `INSERT OR REPLACE INTO ${name} (${list.map(quotedName).join(', ')}) VALUES (${list.map(() => '?').join(', ')})`,
    );
    const remove = list[0] === 'rowid' ? database.prepare(`DELETE FROM ${name} WHERE rowid = ?`) : undefined;
    return [put, remove] as const;
  }

  function end({ checksums: sums = [], sequence = [] }: PointLine, isWanted: (table: string) => boolean): void {
    for (const [name, width, rows, sum] of sums) {
      if (isWanted(name.replace(/^table /, ''))) checksums.set(name, { width, rows, sum });
    }
    if (!isWanted('')) return;
    database.exec('DELETE FROM sqlite_sequence');
    const put = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
    const tables = new Set(schema.map(([, , table]) => table));
    for (const [name, last] of sequence) if (tables.has(name)) put.run([name, last]);
  }

  return {
    apply,
    secrets: () => secrets!,
    /** A backup of an earlier version has none. */
    settings: (): Partial<BackedUpSettings> => secrets ?? {},
    checksum: (name: string) => checksums.get(name),
    /** What would slow the writing of rows, or change them; and the sums that all rows must have. */
    finish() {
      for (const [type, , , sql] of schema) if (type !== 'table') database.exec(sql);
      const tables = new Set(schema.map(([, , table]) => `table ${table}`));
      for (const [name, checksum] of checksums)
        if (tables.has(name) || !(name === LOG || name.startsWith('table '))) writeChecksum(database, name, checksum);
    },
  };
}

/** @param kept the log's checksum at the head of the last whole point */
function createLogWriter(database: SqliteDatabase, { cut, chosen: { head } }: RestorePlan, kept: Checksum) {
  const addStream = database.prepare('INSERT INTO streams (id, name) VALUES (?, ?)');
  const nameOf = database.prepare('SELECT name FROM streams WHERE id = ?').raw();
  const add = database.prepare(
    'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const names = new LRUCache<number, string>(entriesAtMost(200_000));
  writeChecksum(database, LOG, { width: kept.width, rows: 0, sum: 0 });
  const addToSum = keepLogChecksum(database);
  let position = 0;

  function writeLine(segment: string, line: RecordLine): void {
    const [at, id, revision, type, version, data, meta, recordedAt, named] = line;
    if (at !== position + 1) throw new DamagedSegment(segment, `record ${at} follows record ${position}`);
    if (named !== undefined) {
      addStream.run([id, named]);
      names.set(id, named);
    }
    const stream = names.get(id) ?? (nameOf.get([id]) as [string] | undefined)?.[0];
    if (stream === undefined) throw new DamagedSegment(segment, `record ${at} has no stream`);
    names.set(id, stream);
    add.run([at, id, revision, type, version, data, meta, recordedAt]);
    if (at > kept.width) addToSum([{ position: at, stream, revision, type, version, data, meta, recordedAt }]);
    position = at;
    if (at !== head) return;
    const { rows, sum } = readChecksum(database, LOG)!;
    if (rows !== kept.rows || sum !== kept.sum)
      throw new RestoreError('the log of the backup is not as it was written');
  }

  return {
    position: () => position,
    write(segment: string, lines: Iterable<RecordLine>): void {
      let batch: RecordLine[] = [];
      const flush = (): void => {
        inImmediateTransaction(database, () => batch.forEach((line) => void writeLine(segment, line)));
        batch = [];
      };
      for (const line of lines) {
        // A merged segment may lie beside one that holds its beginning.
        if (line[0] > position + batch.length && line[0] <= cut) batch.push(line);
        if (batch.length >= ROWS_A_TRANSACTION) flush();
      }
      flush();
    },
    /** @throws RestoreError if a record is missing */
    finish(): void {
      if (position !== cut) throw new RestoreError(`the log of the backup ends with record ${position}`);
    },
  };
}
