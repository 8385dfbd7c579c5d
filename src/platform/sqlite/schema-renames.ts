import type { StoredRename } from '../sql/stored-rename.ts';
import { inImmediateTransaction, type SqliteDatabase } from './sqlite-database.ts';

/** Of a table that still has an old name: its columns, in order. */
interface Pending extends StoredRename {
  readonly stored: readonly string[];
}

/**
 * Gives tables and columns of an earlier version's folder their new names, all or none. A folder that has them already,
 * or has none of the tables yet, is not written. Indexes with old names are dropped: whoever creates missing tables
 * creates the indexes again.
 */
export function renameStored(database: SqliteDatabase, renames: readonly StoredRename[]): void {
  if (findPending(database, renames).length === 0) return;
  inImmediateTransaction(database, () => {
    // Again, since another process may have renamed them meanwhile.
    for (const { from, to, stored, columns = {}, indexes = {} } of findPending(database, renames)) {
      for (const index of Object.keys(indexes)) database.exec(`DROP INDEX IF EXISTS ${index}`);
      if (from !== to) database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      for (const column of stored) {
        const name = columns[column];
        if (name !== undefined) database.exec(`ALTER TABLE ${to} RENAME COLUMN ${column} TO ${name}`);
      }
    }
  });
}

/**
 * For a connection that cannot change the folder: shows it the tables of an earlier version under their new names, as
 * temporary views.
 */
export function viewRenamed(database: SqliteDatabase, renames: readonly StoredRename[]): void {
  for (const { from, to, stored, columns = {} } of findPending(database, renames)) {
    const named = stored.map((column) => `"${column}" AS "${columns[column] ?? column}"`);
    database.exec(`CREATE TEMP VIEW IF NOT EXISTS ${to} AS SELECT ${named.join(', ')} FROM main.${from}`);
  }
}

function findPending(database: SqliteDatabase, renames: readonly StoredRename[]): Pending[] {
  const tables = new Set(
    database.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'").raw().all().flat(),
  );
  return renames.flatMap((rename) => {
    const { from, to, columns = {} } = rename;
    if (!tables.has(from)) return [];
    if (from !== to) return tables.has(to) ? [] : [{ ...rename, stored: columnsOf(database, from) }];
    const stored = columnsOf(database, from);
    return stored.some((column) => Object.hasOwn(columns, column)) ? [{ ...rename, stored }] : [];
  });
}

const columnsOf = (database: SqliteDatabase, table: string): string[] =>
  database
    .prepare(`SELECT name FROM pragma_table_info('${table}', 'main') ORDER BY cid`)
    .raw()
    .all()
    .flat() as string[];
