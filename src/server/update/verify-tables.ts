import { hasChecksums } from '../../platform/sqlite/checksums.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { findChangedTable, quotedName } from '../../platform/sqlite/table-checksums.ts';
import { isDerived } from '../backup/derived-tables.ts';
import { FOLDER_RENAMES } from '../embedded/folder-renames.ts';
import { type FolderSchema, readSchema } from './folder-schema.ts';
import { laterNameOf } from './schema-changes.ts';

/** Rows of each table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Of all tables that migrations may change. */
export const countTables = (database: SqliteDatabase, { tables }: FolderSchema): RowCounts =>
  Object.fromEntries(Object.keys(tables).map((table) => [table, countRows(database, table)]));

const countRows = (database: SqliteDatabase, table: string): number =>
  (
    database
      .prepare(`SELECT count(*) FROM ${quotedName(table)}`)
      .raw()
      .get() as [number]
  )[0];

/**
 * The cheap part of `verify`: no row of before the migrations is missing, and each table is as it was written. A table
 * that is made again from the log may lose its rows, since a version that has another form for them empties it.
 * @returns what is wrong; undefined: nothing
 */
export function findTableLoss(database: SqliteDatabase, before: RowCounts): string | undefined {
  const schema = readSchema(database);
  for (const [table, rows] of Object.entries(before)) {
    if (isDerived(table)) continue;
    const now = laterNameOf(table, schema, FOLDER_RENAMES);
    const found = now === undefined ? 0 : countRows(database, now);
    if (found < rows) return `${now ?? table} has ${found} rows, and ${rows} before the update`;
  }
  if (!hasChecksums(database)) return undefined;
  for (const table of Object.keys(schema.tables)) {
    const changed = findChangedTable(database, table);
    if (changed) return `${changed}: run verify`;
  }
  return undefined;
}
