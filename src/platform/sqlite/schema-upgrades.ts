import { type Kysely, sql } from 'kysely';

// Finds what a folder of an earlier version lacks. Kysely's introspection reads every column of every table each time,
// which took a third of a start, so query SQLite directly.

/** Also a table of an earlier version that a temporary view shows under this name. */
export async function hasTable(database: Kysely<any>, table: string): Promise<boolean> {
  const found = sql`select 1 from sqlite_master where type = 'table' and name = ${table}
    union all select 1 from sqlite_temp_master where name = ${table}`;
  return (await found.execute(database)).rows.length > 0;
}

export async function hasColumn(database: Kysely<any>, table: string, column: string): Promise<boolean> {
  const found = sql`select 1 from pragma_table_info(${table}) where name = ${column}`;
  return (await found.execute(database)).rows.length > 0;
}

export async function addMissingColumn(
  database: Kysely<any>,
  table: string,
  column: string,
  type: 'text' | 'integer' | 'bigint',
): Promise<void> {
  if (await hasColumn(database, table, column)) return;
  await database.schema.alterTable(table).addColumn(column, type).execute();
}
