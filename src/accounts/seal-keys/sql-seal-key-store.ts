import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import type { SealKeyStore } from './seal-key-store.ts';

export interface SealKeyTables {
  seal_keys: {
    /** Of the operator's key too, which has no account. */
    account_id: number;
    /** Hexadecimal digits. */
    key: string;
  };
}

export async function createSealKeyTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('seal_keys')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .execute();
}

/** The keys, for reading. */
export const createSqlSealKeys = (database: Kysely<any>): Pick<SealKeyStore, 'find'> => ({
  async find(accountId) {
    const keys = (database as Kysely<SealKeyTables>).selectFrom('seal_keys').select('key');
    return (await keys.where('account_id', '=', accountId).executeTakeFirst())?.key ?? null;
  },
});

const KEY_BYTES = 32;

/** @param random so many random bytes */
export function createSqlSealKeyStore(
  database: Kysely<any>,
  runner: Pick<QueryRunner, 'write'>,
  random: (size: number) => Uint8Array = randomBytes,
): SealKeyStore {
  const db = database as Kysely<SealKeyTables>;
  const { find } = createSqlSealKeys(database);
  return {
    find,
    async keyOf(accountId) {
      const known = await find(accountId);
      if (known !== null) return known;
      const key = Buffer.from(random(KEY_BYTES)).toString('hex');
      const add = db
        .insertInto('seal_keys')
        .values({ account_id: accountId, key })
        .onConflict((conflict) => conflict.column('account_id').doNothing());
      await runner.write([add]);
      // Another process may have been first.
      return (await find(accountId))!;
    },
    async remove(accountId) {
      await runner.write([db.deleteFrom('seal_keys').where('account_id', '=', accountId)]);
    },
  };
}
