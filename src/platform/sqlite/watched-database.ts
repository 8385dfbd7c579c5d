import type Database from 'libsql';

/** Who hears of what a connection's statements come to. */
export interface DatabaseWatch {
  /** A statement has failed. @returns what is thrown in its place */
  failed(error: unknown): unknown;
  /** The connection could not write for want of room, and has not written since. */
  readonly isShort: boolean;
  /** It has written again. */
  hasRoom(): void;
}

/**
 * Has every statement of a connection tell the watch. The methods of this one object are replaced: whoever builds queries
 * on it needs no wrapper that knows all the rest of the library.
 */
export function watchDatabase(database: Database.Database, watch: DatabaseWatch): void {
  /** Rows were changed in the transaction at hand. */
  let hasWritten = false;

  function watched<Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) {
    return (...given: Arguments): Result => {
      try {
        return call(...given);
      } catch (error) {
        // SQLite may have ended the transaction by itself.
        hasWritten = false;
        throw watch.failed(error);
      }
    };
  }

  /** A commit that wrote nothing does not tell that there is room. */
  function wrote(changes: number): void {
    hasWritten ||= changes > 0;
    if (!hasWritten || database.inTransaction) return;
    hasWritten = false;
    watch.hasRoom();
  }

  const exec = watched(database.exec.bind(database));
  database.exec = (sql) => {
    const result = exec(sql);
    if (watch.isShort) {
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
      if (watch.isShort) wrote(result.changes);
      return result;
    };
    statement.get = watched(statement.get.bind(statement));
    statement.all = watched(statement.all.bind(statement));
    return statement;
  }) as typeof database.prepare;
}
