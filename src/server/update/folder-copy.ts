import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { clockFile, DataFolderError, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import { databaseUri, openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { quotedName } from '../../platform/sqlite/table-checksums.ts';
import { isMigrated } from './folder-schema.ts';

/** The temporary folder of a trial. */
export interface TrialFolder {
  readonly path: string;
  remove(): void;
}

const PREFIX = (folder: string): string => `.${basename(folder)}.update-trial-`;

/**
 * Makes a temporary folder beside the data folder, or where that cannot be, among the temporary files of the system. It
 * goes with the process. What a killed process left is removed first.
 */
export function makeTrialFolder(folder: string): TrialFolder {
  const name = `${PREFIX(folder)}${process.pid}`;
  for (const place of [dirname(folder), tmpdir()]) {
    const path = join(place, name);
    try {
      removeLeft(place, PREFIX(folder));
      mkdirSync(path, { mode: 0o700 });
    } catch {
      continue;
    }
    const discard = (): void => rmSync(path, { recursive: true, force: true });
    process.once('exit', discard);
    return {
      path,
      remove() {
        discard();
        process.off('exit', discard);
      },
    };
  }
  throw new DataFolderError(`no temporary folder can be made beside ${folder}, nor in ${tmpdir()}`);
}

function removeLeft(place: string, prefix: string): void {
  for (const name of readdirSync(place)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Their definitions count, and their rows do not: no migration changes the log, and read models are built from it. */
const EMPTY = /^(records|streams|log_archive|projection_\w+)$/;
const WITH_ROWS = /^(checksums|projection_builds)$/;

interface Found {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** What a trial of the migrations needs of a folder's database. */
function objectsToCopy(database: SqliteDatabase, schema: string): readonly Found[] {
  const sql = `SELECT type, name, tbl_name AS "table", sql FROM ${schema}.sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`;
  return (database.prepare(sql).all() as Found[]).filter(
    ({ table }) => isMigrated(table) || EMPTY.test(table) || WITH_ROWS.test(table),
  );
}

const hasRows = (table: string): boolean => isMigrated(table) || WITH_ROWS.test(table);

/** Bytes of the tables whose rows a trial copies, with their indexes. */
export function bytesToCopy(database: SqliteDatabase): number {
  const measure = database.prepare('SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name = ?').raw();
  const trees = database.prepare('SELECT name, tbl_name FROM sqlite_schema WHERE rootpage > 0').raw().all();
  let bytes = 0;
  for (const [name, table] of trees as [string, string][])
    if (hasRows(table)) bytes += (measure.get([name]) as [number])[0];
  return bytes;
}

/** Room for the definitions, and for what is folded to measure the speed. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Bytes that a trial writes at most: the copy, and each page of it once more. @param bytes of `bytesToCopy` */
export const bytesOfTrial = (bytes: number): number => 2 * bytes + SPARE_BYTES;

/** Bytes that this user can still write there. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Copies what migrations change into a new folder, as of one moment, with the secrets and the mark of the clock.
 * @param source the database file, which is read only
 * @param to an empty folder
 */
export function copyForTrial(folder: string, source: string, to: string): void {
  const database = openSqliteDatabase({ file: databaseFile(to), synchronous: 'normal' });
  try {
    database.exec('PRAGMA foreign_keys = OFF');
    database.prepare('ATTACH ? AS source').run([databaseUri(source, 'ro')]);
    database.exec('BEGIN');
    const objects = objectsToCopy(database, 'source');
    const tables = objects.filter(({ type }) => type === 'table');
    for (const { sql } of tables) database.exec(sql);
    for (const { name } of tables) {
      if (!hasRows(name)) continue;
      database.exec(`INSERT INTO main.${quotedName(name)} SELECT * FROM source.${quotedName(name)}`);
    }
    for (const { type, sql } of objects) if (type !== 'table') database.exec(sql);
    copySequences(database);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
  const others = readdirSync(folder).filter((name) => name.endsWith('.secret'));
  if (existsSync(clockFile(folder))) others.push(basename(clockFile(folder)));
  for (const name of others) copyFileSync(join(folder, name), join(to, name));
}

/** The numbers that tables have given out. */
function copySequences(database: SqliteDatabase): void {
  const has = (schema: string): boolean =>
    database.prepare(`SELECT 1 FROM ${schema}.sqlite_schema WHERE name = 'sqlite_sequence'`).get() !== undefined;
  if (!has('source') || !has('main')) return;
  database.exec(`DELETE FROM main.sqlite_sequence;
    INSERT INTO main.sqlite_sequence SELECT * FROM source.sqlite_sequence
      WHERE name IN (SELECT name FROM main.sqlite_schema)`);
}
