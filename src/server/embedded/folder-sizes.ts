import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, formatDate } from '../../domain/primitives/time.ts';
import { type ArchiveSize, measureArchive } from '../../event-log/sqlite/archive-size.ts';
import { addKinds, createKindCounter, type LogKind } from '../../event-log/sqlite/log-kinds.ts';
import { createPositionFinder } from '../../event-log/sqlite/position-before.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { archiveFile, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase, readPragma, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { measureTables, type TableSize } from './table-sizes.ts';

export interface FolderSizes {
  /** The files of the folder, and each of its folders with all that is in it. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** The log by type, largest first, with the index. The rows whose content is archived have an empty type. */
  readonly kinds: readonly LogKind[];
  readonly archive: ArchiveSize | undefined;
  readonly tables: readonly TableSize[];
  /** Pages of the database that are free: later growth takes them first. */
  readonly freeBytes: number;
  /** The last days, the newest last: that day is not over. */
  readonly days: readonly DayGrowth[];
}

export interface DayGrowth {
  /** UTC. */
  readonly day: string;
  readonly records: number;
  /** In the log, with its index. */
  readonly bytes: number;
}

interface MeasureOptions {
  /** Milliseconds. */
  readonly now: number;
  readonly onRecords: (done: number, total: number) => void;
  readonly onBytes: (done: number, total: number) => void;
}

/** Records that are counted in one read, in some ten milliseconds. */
const RECORDS_PER_READ = 20_000;
const DAYS = 7;
const LOG_TABLE = 'records';

/**
 * Measures a data folder, also beside a running server: by short reads of snapshots, for which nobody waits.
 * @throws DataFolderError; Error if it holds no database
 */
export async function measureFolder(dataDir: string, options: MeasureOptions): Promise<FolderSizes> {
  const folder = findDataFolder(dataDir);
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const counted = await countRecords(database, options);
    const { tables, treeBytes, freeBytes } = await measureTrees(database, options);
    // The index has an entry of about the same size for each record.
    const indexBytes = tables.find(({ table }) => table === LOG_TABLE)?.bytes ?? 0;
    const rows = sum(counted.kinds, 'bytes');
    const records = sum(counted.kinds, 'records');
    // The rest of the file: what rows take is known only beside the free space in their pages.
    const perByte = rows === 0 ? 0 : Math.max(rows, treeBytes) / rows;
    const perRecord = records === 0 ? 0 : indexBytes / records;
    const inFile = <Counted extends Pick<LogKind, 'records' | 'bytes'>>(one: Counted): Counted => ({
      ...one,
      bytes: Math.round(one.bytes * perByte + one.records * perRecord),
    });
    return {
      files: await filesOf(folder),
      kinds: counted.kinds.map(inFile).sort((a, b) => b.bytes - a.bytes),
      archive: await archiveOf(folder),
      tables: tables.map((one) =>
        one.table === LOG_TABLE ? { ...one, rows: records, bytes: inFile({ records, bytes: rows }).bytes } : one,
      ),
      freeBytes,
      days: counted.days.map(inFile),
    };
  } finally {
    database.close();
  }
}

/** Counts the records by type, and those of each of the last days. */
async function countRecords(database: SqliteDatabase, { now, onRecords }: MeasureOptions) {
  const count = createKindCounter(database);
  const positionBefore = createPositionFinder(database);
  const [head] = database.prepare(`SELECT coalesce(max(position), 0) FROM ${LOG_TABLE}`).raw().get() as [number];
  const today = Math.floor(now / DAY) * DAY;
  const starts = Array.from({ length: DAYS }, (_, back) => today - (DAYS - 1 - back) * DAY);
  const bounds = [...starts.map(positionBefore), head];
  const kinds = new Map<string, LogKind>();

  async function countStretch(after: number, to: number): Promise<LogKind[]> {
    const found: LogKind[] = [];
    for (let from = after; from < to; from += RECORDS_PER_READ) {
      const part = count(from, Math.min(to, from + RECORDS_PER_READ));
      addKinds(kinds, part);
      found.push(...part);
      onRecords(Math.min(to, from + RECORDS_PER_READ), head);
      await yieldToEventLoop();
    }
    return found;
  }

  await countStretch(0, bounds[0]!);
  const days: DayGrowth[] = [];
  for (const [index, start] of starts.entries()) {
    const found = await countStretch(bounds[index]!, bounds[index + 1]!);
    days.push({ day: formatDate(start), records: sum(found, 'records'), bytes: sum(found, 'bytes') });
  }
  return { kinds: [...kinds.values()], days };
}

/** @returns `treeBytes`: what the log's own table takes, which is never walked: the rest of the file */
async function measureTrees(database: SqliteDatabase, { onBytes }: MeasureOptions) {
  const pageBytes = Number(readPragma(database, 'page_size'));
  const used = () =>
    (Number(readPragma(database, 'page_count')) - Number(readPragma(database, 'freelist_count'))) * pageBytes;
  let done = 0;
  const tables = await measureTables(database, LOG_TABLE, (bytes) => {
    done += bytes;
    onBytes(done, used());
  });
  return {
    tables,
    treeBytes: used() - done,
    freeBytes: Number(readPragma(database, 'freelist_count')) * pageBytes,
  };
}

async function archiveOf(folder: string): Promise<ArchiveSize | undefined> {
  const file = archiveFile(folder);
  if (!existsSync(file)) return undefined;
  const archive = openSqliteDatabase({ file, readonly: true });
  try {
    return await measureArchive(archive, yieldToEventLoop);
  } finally {
    archive.close();
  }
}

async function filesOf(folder: string): Promise<FolderSizes['files']> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isDirectory()) return { name: `${name}/`, bytes: await bytesBelow(join(folder, name)) };
      return { name, bytes: found?.size ?? 0 };
    }),
  );
  return files.sort((a, b) => b.bytes - a.bytes);
}

async function bytesBelow(folder: string): Promise<number> {
  const sizes = (await readdir(folder, { recursive: true })).map((name) =>
    // Files come and go meanwhile.
    stat(join(folder, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}

const sum = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  all.reduce((total, one) => total + one[name], 0);
