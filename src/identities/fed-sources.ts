import { type Kysely, sql } from 'kysely';
import { SPORT_SLUGS } from '../domain/catalogue.ts';
import type { IdentityTables } from './identity-tables.ts';

/** Whether any source but this one has named something, or has sent something that still waits. */
export async function fedByOthers(registry: Kysely<any>, source: string): Promise<boolean> {
  const tables = registry as Kysely<IdentityTables>;
  const own = [
    `event||${source}|%`,
    ...SPORT_SLUGS.flatMap((sport) => [`team|${sport}|${source}|%`, `player|${sport}|${source}|%`]),
  ];
  const named = await tables
    .selectFrom('external_ids')
    .select('key')
    .where((where) => where.and(own.map((pattern) => where('key', 'not like', pattern))))
    .limit(1)
    .executeTakeFirst();
  if (named) return true;
  const waiting = await tables
    .selectFrom('waiting')
    .select('fingerprint')
    .where(sql`json_extract(message, '$.source')`, '!=', source)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** How many sports events have been made. */
export async function countEvents(registry: Kysely<any>): Promise<number> {
  const counters = registry as Kysely<IdentityTables>;
  const row = await counters.selectFrom('id_counters').select('next').where('kind', '=', 'event').executeTakeFirst();
  return row === undefined ? 0 : row.next - 1;
}
