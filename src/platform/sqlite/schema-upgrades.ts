import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

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

/** Columns that a table did not have in its first version, with their types. */
export type LaterColumns = Readonly<Record<string, 'text' | 'integer' | 'bigint' | 'real'>>;

/** A new table has its later columns at once: each change of a table that exists reads the whole schema again. */
export const withColumns =
  (columns: LaterColumns) =>
  <Columns extends string>(table: CreateTableBuilder<any, Columns>): CreateTableBuilder<any, Columns> =>
    Object.entries(columns).reduce((wider, [column, type]) => wider.addColumn(column as Columns, type), table);

/** A table of an earlier version gets those of its later columns that it lacks. */
export async function addMissingColumns(database: Kysely<any>, table: string, columns: LaterColumns): Promise<void> {
  const found = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(database);
  const names = new Set(found.rows.map(({ name }) => name));
  for (const [column, type] of Object.entries(columns)) {
    if (!names.has(column)) await database.schema.alterTable(table).addColumn(column, type).execute();
  }
}
