import type { SqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';

export interface ClonedRows {
  readonly table: string;
  /** Of the row that is cloned. */
  readonly id: number;
  readonly count: number;
  /** By column: SQL in which `n` counts from 1. Other columns are those of the cloned row; `id` counts on. */
  readonly set: Readonly<Record<string, string>>;
}

/** Fills a table with copies of one of its rows, whatever other columns it has. @throws Error where there is no such row */
export function cloneRows(database: SqliteDatabase, { table, id, count, set }: ClonedRows): void {
  const columns = database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .raw()
    .all([])
    .map((row) => (row as [string])[0])
    .filter((name) => name !== 'id' || 'id' in set);
  const values = columns.map((name) => set[name] ?? `one."${name}"`);
  const { changes } = database
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
      INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')})
      SELECT ${values.join(', ')} FROM numbers, (SELECT * FROM ${table} WHERE id = ?) AS one`,
    )
    .run([count, id]);
  if (changes !== count) throw new Error(`${table}: ${changes} rows of ${count}`);
}

export const greatestId = (database: SqliteDatabase, table: string): number =>
  Number((database.prepare(`SELECT max(id) FROM ${table}`).raw().get([]) as [number | null])[0] ?? 0);
