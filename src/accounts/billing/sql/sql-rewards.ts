import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import { type RecoveryTables, selectAccountsOfSameAddress } from '../../users/recovery-tables.ts';
import type { RewardStore } from '../model/billing-stores.ts';

/** A store in a relational database. @param runner its transactions are atomic */
export function createSqlRewards(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): RewardStore {
  const database = registry as Kysely<RecoveryTables>;

  function* claim(accountId: number, reward: string): QuerySteps<boolean> {
    // Of two accounts of one address that claim at once only one may get it.
    yield dialect.lock(`reward ${reward}`);
    const [claimed] = yield* queryRows(
      database
        .selectFrom('account_rewards')
        .select('account_id')
        .where('reward', '=', reward)
        .where('account_id', 'in', selectAccountsOfSameAddress(registry, accountId))
        .limit(1),
    );
    if (claimed) return false;
    yield database
      .insertInto('account_rewards')
      .values({ account_id: accountId, reward })
      .onConflict((conflict) => conflict.columns(['account_id', 'reward']).doNothing());
    return true;
  }

  return { claim: (accountId, reward) => runner.transact(() => claim(accountId, reward)) };
}
