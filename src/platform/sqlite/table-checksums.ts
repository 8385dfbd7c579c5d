import { CHECKSUM_MASK, type Checksum, createChecksums, readChecksum, writeChecksum } from './checksums.ts';
import { inImmediateTransaction, type SqliteDatabase } from './sqlite-database.ts';

/** The name of a table's checksum. */
export const checksumNameOf = (table: string): string => `table ${table}`;
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export function tablesOf(database: SqliteDatabase): readonly string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  return database.prepare(sql).raw().all().flat() as string[];
}

export const columnsOf = (database: SqliteDatabase, table: string): readonly string[] =>
  database
    .prepare(`SELECT name FROM pragma_table_info(${text(table)}, 'main') ORDER BY cid`)
    .raw()
    .all()
    .flat() as never;

/**
 * Keeps a checksum of each of these tables from now on. Temporary triggers do it: they belong to this connection, so
 * whatever else changes a row, a disk or another program, leaves a sum that is no longer right. A table without a
 * checksum, or with other columns than it had, gets one from the rows that it holds now.
 * Every connection that writes to the tables must call this, and again after it has changed their columns.
 */
export function keepTableChecksums(database: SqliteDatabase, tables: readonly string[]): void {
  // Otherwise a row that an INSERT OR REPLACE deletes would stay in the sum.
  database.exec('PRAGMA recursive_triggers = ON');
  inImmediateTransaction(database, () => {
    createChecksums(database);
    for (const table of tables) {
      const columns = columnsOf(database, table);
      if (readChecksum(database, checksumNameOf(table))?.width !== columns.length)
        writeChecksum(database, checksumNameOf(table), sumRows(database, table, columns));
      createTriggers(database, table, columns);
    }
  });
}

/** Nobody keeps a checksum of these tables any more. */
export function forgetTableChecksums(database: SqliteDatabase, tables: readonly string[]): void {
  const forget = database.prepare('DELETE FROM checksums WHERE name = ?');
  for (const table of tables) forget.run([checksumNameOf(table)]);
}

function createTriggers(database: SqliteDatabase, table: string, columns: readonly string[]): void {
  const [before, after] = ['OLD', 'NEW'].map((row) => hashSql(columns, row));
  const changes = {
    insert: `rows = rows + 1, sum = (sum + ${after})`,
    delete: `rows = rows - 1, sum = (sum - ${before})`,
    update: `sum = (sum + ${after} - ${before})`,
  };
  for (const [event, set] of Object.entries(changes)) {
    const trigger = quotedName(`checksum_${event}_${table}`);
    database.exec(`DROP TRIGGER IF EXISTS temp.${trigger};
      CREATE TEMP TRIGGER ${trigger} AFTER ${event} ON main.${quotedName(table)} BEGIN
        UPDATE checksums SET ${set} & ${CHECKSUM_MASK} WHERE name = ${text(checksumNameOf(table))};
      END`);
  }
}

/** A hash of 48 bits of all values of a row, as an SQL expression. `sha3` is a function of this build of SQLite. */
export function hashSql(columns: readonly string[], row: string): string {
  const values = columns.map((column) => `quote(${row}.${quotedName(column)})`).join(" || ',' || ");
  return `(('0x' || substr(hex(sha3(${values}, 224)), 1, 12)) ->> '$')`;
}

/** Of the rows that the table holds now. @throws if it cannot be read */
export function sumRows(database: SqliteDatabase, table: string, columns: readonly string[]): Checksum {
  // In two halves: SQLite's integers have 64 bits, and a sum of many numbers of 48 would exceed them.
  const sql = `SELECT count(*), coalesce(sum(hash & 16777215), 0), coalesce(sum(hash >> 24), 0)
    FROM (SELECT ${hashSql(columns, 'one')} AS hash FROM main.${quotedName(table)} AS one)`;
  const [rows, low, high] = database.prepare(sql).raw().get() as [number, number, number];
  const sum = Number((BigInt(low) + (BigInt(high) << 24n)) & BigInt(CHECKSUM_MASK));
  return { width: columns.length, rows, sum };
}

/**
 * Compares a table with its checksum, both of one moment.
 * @returns what is wrong; null: nothing; undefined: it has no checksum yet, or columns that came later
 * @throws if the table cannot be read
 */
export function findChangedTable(database: SqliteDatabase, table: string): string | null | undefined {
  database.exec('BEGIN');
  try {
    const kept = readChecksum(database, checksumNameOf(table));
    const columns = columnsOf(database, table);
    if (kept?.width !== columns.length) return undefined;
    const found = sumRows(database, table, columns);
    if (found.rows !== kept.rows) return `${table} has ${found.rows} rows, and ${kept.rows} were written`;
    return found.sum === kept.sum ? null : `${table} holds another row than was written`;
  } finally {
    if (database.inTransaction) database.exec('COMMIT');
  }
}

/** How many rows a table had when it was last written; undefined: it has no checksum. */
export const keptRowsOf = (database: SqliteDatabase, table: string): number | undefined =>
  readChecksum(database, checksumNameOf(table))?.rows;
