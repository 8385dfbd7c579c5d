import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { isDerived } from '../backup/derived-tables.ts';
import { isOfRegistry } from '../composition/registry-ports.ts';

/** An index or a trigger, as SQLite keeps it. */
interface SideObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

export interface TableForm {
  readonly sql: string;
  readonly columns: readonly string[];
}

/** The tables that migrations may change, with what stands on them: not the log, and not the read models. */
export interface FolderSchema {
  readonly tables: Readonly<Record<string, TableForm>>;
  readonly others: readonly SideObject[];
}

type Row = [type: string, name: string, table: string, sql: string];

/** What is kept of long folds is a cache: it can be large, and is made again from the log. */
export const isMigrated = (table: string): boolean => isOfRegistry(table) || isDerived(table);

/** @param name of the database within the connection */
export function readSchema(database: SqliteDatabase, name = 'main'): FolderSchema {
  const rows = database
    .prepare(
      `SELECT type, name, tbl_name, sql FROM ${name}.sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`,
    )
    .raw()
    .all() as Row[];
  const columns = database.prepare(`SELECT name FROM pragma_table_info(?, '${name}') ORDER BY cid`).raw();
  const own = rows.filter(([, , table]) => isMigrated(table));
  return {
    tables: Object.fromEntries(
      own
        .filter(([type]) => type === 'table')
        .map(([, table, , sql]): [string, TableForm] => [
          table,
          { sql, columns: columns.all([table]).flat() as string[] },
        ]),
    ),
    others: own
      .filter(([type]) => type !== 'table')
      .map(([type, other, table, sql]) => ({ type, name: other, table, sql })),
  };
}
