import type { Kysely } from 'kysely';

const AT = '2026-03-01T00:00:00.000Z';

/** Accounts for tests of tables that refer to them. */
export const accountRows = (database: Kysely<any>) => ({
  async newAccount(): Promise<number> {
    const row = await database
      .insertInto('accounts')
      .values({ email: null, plan: 'free', created_at: AT })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(row['id']);
  },
  async suspend(accountId: number): Promise<void> {
    await database.updateTable('accounts').set({ suspended_at: AT }).where('id', '=', accountId).execute();
  },
});
