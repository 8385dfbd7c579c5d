import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

/** The OAuth states that GitHub has sent back. Each counts once, in whichever process it arrives. */
export interface UsedOauthStates {
  /**
   * Marks the state as used. False if it was used already.
   * @param until milliseconds; later the state is invalid anyway
   */
  markUsed(state: string, until: number, now: number): Promise<boolean>;
}

interface UsedOauthStateTable {
  /** Hashed, so that a leaked row is useless. */
  state: string;
  until: number;
}

export interface UsedOauthStateTables {
  used_oauth_states: UsedOauthStateTable;
}

export async function createUsedOauthStateTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('used_oauth_states')
    .ifNotExists()
    .addColumn('state', 'text', (column) => column.primaryKey())
    .addColumn('until', integer, (column) => column.notNull())
    .execute();
}

/** The primary key keeps a state from being used twice. */
export const createSqlUsedOauthStates = (database: Kysely<UsedOauthStateTables>): UsedOauthStates => ({
  async markUsed(state, until, now) {
    await database.deleteFrom('used_oauth_states').where('until', '<=', now).execute();
    const added = await database
      .insertInto('used_oauth_states')
      .values({ state: createHash('sha256').update(state).digest('base64url'), until })
      .onConflict((conflict) => conflict.doNothing())
      .returning('until')
      .execute();
    return added.length > 0;
  },
});
