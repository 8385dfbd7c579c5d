import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type SqliteDatabase = Database.Database;

interface SqliteDatabaseOptions {
  /** Path of the file, or `:memory:`. Its folder must exist. */
  readonly file: string;
  /** The file must exist: a folder that was moved away under a running server is not begun anew. */
  readonly mustExist?: boolean | undefined;
  /** Hears of what becomes of every statement. */
  readonly watch?: DatabaseWatch | undefined;
  /** The file must exist, and cannot be changed through this connection. */
  readonly readonly?: boolean;
  /**
   * `full` (default): a commit is on disk when it returns. `normal`: power loss may undo the last commits, never
   * corrupt the file; right for what can be built again from the log.
   */
  readonly synchronous?: 'full' | 'normal';
  /** Pages that this connection keeps, in MiB; default 32: the inner pages of the indexes stay in memory when there
   *  are millions of records. */
  readonly cacheMib?: number;
  /** Bytes of a page, of a file that is made anew; default 4096. */
  readonly pageBytes?: number;
}

/**
 * Opens the server's database file with the settings that all its users share. Several connections, also of several
 * processes, may have it open: readers never wait, writers wait for each other up to half a minute, for what one of
 * them holds may stand still that long on a busy machine.
 * @throws Error when it cannot be opened
 */
export function openSqliteDatabase(options: SqliteDatabaseOptions): SqliteDatabase {
  return options.readonly ? openReadonly(options.file) : openWritable(options);
}

/**
 * Runs `work` in a transaction that holds the write lock from its first moment: what it reads cannot change before it
 * writes. Everything is undone when it throws. `work` is synchronous, so nothing else gets between.
 */
export function inImmediateTransaction<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back by itself after some errors (disk full); a second time would hide the first error.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** First column of the first row of a pragma: `pragma(source, {simple: true})` of the library gives the row. */
export function readPragma(database: SqliteDatabase, name: string): unknown {
  return (database.prepare(`PRAGMA ${name}`).raw().get() as unknown[])[0];
}

function openReadonly(file: string): SqliteDatabase {
  if (!existsSync(file)) throw new Error(`no database file at ${file}`);
  // The library ignores its own `readonly` option; SQLite's URI has one.
  const database = new Database(`${pathToFileURL(resolve(file)).href}?mode=ro`);
  database.exec('PRAGMA busy_timeout = 5000');
  return database;
}

function openWritable(options: SqliteDatabaseOptions): SqliteDatabase {
  const { file, mustExist = false, synchronous = 'full', cacheMib = 32, pageBytes, watch } = options;
  const database = new Database(mustExist ? `${pathToFileURL(resolve(file)).href}?mode=rw` : file);
  if (watch) watchDatabase(database, watch);
  // First, for the change to WAL may itself have to wait.
  database.exec('PRAGMA busy_timeout = 30000');
  if (pageBytes !== undefined) database.exec(`PRAGMA page_size = ${pageBytes}`);
  if (readPragma(database, 'journal_mode') !== 'wal') database.exec('PRAGMA journal_mode = WAL');
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA temp_store = MEMORY');
  database.exec(`PRAGMA cache_size = -${cacheMib * 1024}`);
  // Index pages change with almost every commit: moving them to the file every 32 MiB rather than every 4 saves
  // writing the same page again and again.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  database.exec('PRAGMA journal_size_limit = 67108864');
  return database;
}

/** Who hears of what a connection's statements come to. */
export interface DatabaseWatch {
  /** A statement has failed. @returns what is thrown in its place */
  onFailure(error: unknown): unknown;
  /** The connection could not write for want of room, and has not written since. */
  readonly isDiskFull: boolean;
  /** It has written again. */
  onWritten(): void;
}

/**
 * Has every statement of a connection tell the watch. The methods of this one object are replaced: whoever builds queries
 * on it needs no wrapper that knows all the rest of the library.
 */
function watchDatabase(database: Database.Database, watch: DatabaseWatch): void {
  /** Rows were changed in the transaction at hand. */
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

  /** A commit that wrote nothing does not tell that there is room. */
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
