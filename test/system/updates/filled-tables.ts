import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { quotedName, tablesOf } from '../../../src/platform/sqlite/table-checksums.ts';
import { isOfRegistry } from '../../../src/server/composition/registry-ports.ts';

/** Works on the database of a folder. */
export function inFolder<T>(folder: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file: databaseFile(folder), mustExist: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const registryTablesOf = (database: SqliteDatabase): readonly string[] =>
  tablesOf(database).filter(isOfRegistry).sort();

/** Every row of the tables that are not made again from the log. */
export const rowsOf = (folder: string): Readonly<Record<string, unknown>> =>
  inFolder(folder, (database) =>
    Object.fromEntries(
      registryTablesOf(database).map((table) => [
        table,
        database.prepare(`SELECT * FROM ${quotedName(table)} ORDER BY 1`).all(),
      ]),
    ),
  );

/**
 * Gives each of these tables that has no row one, as a folder of years has them: users, webhooks, bets, payments and all
 * the rest. The values mean nothing, so no server can run on it.
 */
export function fillEmptyTables(folder: string): void {
  inFolder(folder, (database) => {
    database.exec('PRAGMA foreign_keys = OFF');
    const columnsOf = database.prepare("SELECT name, type FROM pragma_table_info(?, 'main') ORDER BY cid").raw();
    for (const table of registryTablesOf(database)) {
      const name = quotedName(table);
      if (database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined) continue;
      const columns = columnsOf.all([table]) as [name: string, type: string][];
      const values = columns.map(([, type]) => (/int/i.test(type) ? '1' : /blob/i.test(type) ? "x'01'" : "'1'"));
      database.exec(
        `INSERT INTO ${name} (${columns.map(([column]) => quotedName(column)).join(', ')}) VALUES (${values.join(', ')})`,
      );
    }
    // The sums of before are those of tables without these rows.
    database.exec('DROP TABLE IF EXISTS checksums');
  });
}
