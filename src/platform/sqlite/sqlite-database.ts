import { closeSync, existsSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { classifyDiskError, UnreadableDatabase } from './disk-errors.ts';

export type SqliteDatabase = Database.Database;

interface SqliteDatabaseOptions {
  /** Path of the file, or `:memory:`. Its folder must exist. */
  readonly file: string;
  /** The file must exist. Otherwise a folder moved away under a running server would get a new file. */
  readonly mustExist?: boolean | undefined;
  /** Gets the result of every statement. Absent: an error of the disk names the file, and nothing more happens. */
  readonly watch?: DatabaseWatch | undefined;
  /** The file must exist, and this connection cannot change it. */
  readonly readonly?: boolean;
  /**
   * `full` (default): a commit is on disk when it returns. `normal`: a power failure may undo the last commits, but
   * never corrupts the file. Use it for data that can be rebuilt from the log.
   */
  readonly synchronous?: 'full' | 'normal';
  /**
   * Page cache of this connection in MiB; default 32, which keeps the inner index pages of millions of records in
   * memory.
   */
  readonly cacheMib?: number;
  /** Page size in bytes, for a new file; default 4096. */
  readonly pageBytes?: number;
}

/**
 * Opens the server's database file with the settings that all its users share. Several connections, also of several
 * processes, may have it open. Readers never wait. Writers wait for each other up to half a minute, since a busy
 * machine may stop the holder of the lock that long.
 * @throws Error if it cannot be opened
 */
export function openSqliteDatabase(options: SqliteDatabaseOptions): SqliteDatabase {
  const { file, readonly, watch = namesFile(file) } = options;
  if (readonly && !existsSync(file)) throw new Error(`no database file at ${file}`);
  const database = connect(options, watch);
  watchDatabase(database, watch);
  // First, since the change to WAL may itself have to wait.
  database.exec(`PRAGMA busy_timeout = ${readonly ? 5000 : 30_000}`);
  if (!readonly) prepareWriting(database, options);
  return database;
}

/**
 * SQLite's own way to files. The default of the library (SQLite3 Multiple Ciphers 1.8.1 in libsql 0.5.29) takes a failed
 * read for a good one: queries lose rows without a word, a start loses commits, and a checkpoint writes wrong pages.
 */
const VFS = process.platform === 'win32' ? 'win32' : 'unix';

/**
 * How the library opens a file. It ignores its own `readonly` option; the URI has one.
 * @param mode `rwc` makes the file if it is missing
 */
export const databaseUri = (file: string, mode: 'ro' | 'rw' | 'rwc'): string =>
  file === ':memory:' ? file : `${pathToFileURL(resolve(file)).href}?mode=${mode}&vfs=${VFS}`;

function connect({ file, readonly, mustExist }: SqliteDatabaseOptions, watch: DatabaseWatch): SqliteDatabase {
  try {
    return new Database(databaseUri(file, readonly ? 'ro' : mustExist ? 'rw' : 'rwc'));
  } catch (error) {
    assertDescriptorsLeft(file);
    // The library gives no code for this, only SQLite's number at the end of the message.
    const [, number] = /: (\d+)\W*$/.exec((error as Error).message) ?? [];
    if (number === '14') throw watch.onFailure(Object.assign(new Error('unable to open database file'), CANTOPEN));
    throw watch.onFailure(number === undefined ? error : Object.assign(error as Error, { code: unnamedCode(number) }));
  }
}

const CANTOPEN = { code: 'SQLITE_CANTOPEN' };
/** As the library calls what it has no name for. */
const unnamedCode = (number: string): string => `UNKNOWN_SQLITE_ERROR_${number}`;

/** SQLite does not say that this is why it cannot open a file. @throws the system's error */
function assertDescriptorsLeft(file: string): void {
  try {
    closeSync(openSync(devNull, 'r'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${code}: too many open files, open '${file}'`, { cause }), { code });
  }
}

const namesFile = (file: string): DatabaseWatch =>
  watchDiskErrors((error) =>
    classifyDiskError(error) === 'unreadable' ? new UnreadableDatabase(file, error) : undefined,
  );

/**
 * Runs `work` in a transaction that holds the write lock from its start, so what it reads cannot change before it
 * writes. Rolls back if `work` throws. `work` is synchronous, so nothing else can run in between.
 */
export function inImmediateTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors (disk full) SQLite has rolled back already. A second rollback would hide the first error.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** First column of the first row of a pragma. The library's `pragma(source, {simple: true})` returns the row. */
export function readPragma(database: SqliteDatabase, name: string): unknown {
  return (database.prepare(`PRAGMA ${name}`).raw().get() as unknown[])[0];
}

function prepareWriting(database: SqliteDatabase, options: SqliteDatabaseOptions): void {
  const { synchronous = 'full', cacheMib = 32, pageBytes } = options;
  if (pageBytes !== undefined) database.exec(`PRAGMA page_size = ${pageBytes}`);
  if (readPragma(database, 'journal_mode') !== 'wal') database.exec('PRAGMA journal_mode = WAL');
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA temp_store = MEMORY');
  database.exec(`PRAGMA cache_size = -${cacheMib * 1024}`);
  // Index pages change with almost every commit. Checkpoints every 32 MiB rather than every 4 write the same page less
  // often.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  database.exec('PRAGMA journal_size_limit = 67108864');
}

/** Watches the results of a connection's statements. */
export interface DatabaseWatch {
  /** A statement has failed. @returns the error to throw */
  onFailure(error: unknown): unknown;
  /** The connection had no space to write, and has not written since. */
  readonly isDiskFull: boolean;
  /** The connection has written again. */
  onWritten(): void;
}

/** @param tell gets each error of the disk; its result is thrown in place of the error */
export const watchDiskErrors = (tell: (error: DiskErrorCode) => unknown): DatabaseWatch => ({
  onFailure: (error) => (classifyDiskError(error) && tell(error as DiskErrorCode)) || error,
  isDiskFull: false,
  onWritten() {},
});

/** An error with SQLite's code. */
type DiskErrorCode = Error & { readonly code: string };

/**
 * Makes every statement of a connection report to the watch. It replaces methods of this one object, so that query
 * builders need no wrapper of the whole library.
 */
function watchDatabase(database: Database.Database, watch: DatabaseWatch): void {
  /** Whether the current transaction has changed rows. */
  let hasWritten = false;

  function watched<Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) {
    return (...given: Arguments): Result => {
      try {
        return call(...given);
      } catch (error) {
        // SQLite may have ended the transaction by itself.
        hasWritten = false;
        throw watch.onFailure(error);
      }
    };
  }

  /** A commit that wrote nothing does not prove that there is space. */
  function wrote(changes: number): void {
    hasWritten ||= changes > 0;
    if (!hasWritten || database.inTransaction) return;
    hasWritten = false;
    watch.onWritten();
  }

  const exec = watched(database.exec.bind(database));
  database.exec = (sql) => {
    const result = exec(sql);
    if (watch.isDiskFull) {
      if (sql === 'ROLLBACK') hasWritten = false;
      wrote(0);
    }
    return result;
  };

  const prepare = watched(database.prepare.bind(database));
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    const run = watched(statement.run.bind(statement));
    statement.run = (...given: unknown[]) => {
      const result = run(...given);
      if (watch.isDiskFull) wrote(result.changes);
      return result;
    };
    statement.get = watched(statement.get.bind(statement));
    statement.all = watched(statement.all.bind(statement));
    return statement;
  }) as typeof database.prepare;
}
