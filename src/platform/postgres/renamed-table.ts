import { type Kysely, sql } from 'kysely';
import type { StoredRename } from '../sql/stored-rename.ts';

/**
 * Part of a migration: renames a table with its columns and indexes. A view with the old names remains for the release
 * before, which runs beside this one and reads and writes through it. A later release drops it.
 */
export async function renameTable(
  db: Kysely<any>,
  { from, to, columns = {}, indexes = {} }: StoredRename,
): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${from} order by ordinal_position`.execute(db);
  await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
  for (const [old, name] of Object.entries(columns))
    await sql`alter table ${sql.table(to)} rename column ${sql.ref(old)} to ${sql.ref(name)}`.execute(db);
  for (const [old, name] of [[`${from}_pkey`, `${to}_pkey`] as const, ...Object.entries(indexes)])
    await sql`alter index if exists ${sql.table(old)} rename to ${sql.table(name)}`.execute(db);
  const shown = rows.map(({ name }) => sql`${sql.ref(columns[name] ?? name)} as ${sql.ref(name)}`);
  await sql`create view ${sql.table(from)} as select ${sql.join(shown)} from ${sql.table(to)}`.execute(db);
}
