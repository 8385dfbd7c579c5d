import type { Kysely } from 'kysely';

/** The version of the active subscriptions of webhooks. */
export async function activeVersionIn(database: Kysely<any>): Promise<number> {
  const row = await database.selectFrom('webhook_state').select('active_version').executeTakeFirstOrThrow();
  return Number(row['active_version']);
}
