import type { Kysely } from 'kysely';

/** A folder of an earlier version lacks what came later. */
export async function addMissingColumn(
  database: Kysely<any>,
  table: string,
  column: string,
  type: 'text' | 'integer',
): Promise<void> {
  const tables = await database.introspection.getTables();
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  if (columns.some(({ name }) => name === column)) return;
  await database.schema.alterTable(table).addColumn(column, type).execute();
}
