import type { Kysely, Selectable } from 'kysely';
import type { SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { PaymentHold } from '../billing-registry.ts';
import { startTextOf } from './due-times.ts';
import { GROWTH, type Subscription, type SubscriptionRegistry } from './subscription-registry.ts';
import type { SubscriptionTable, SubscriptionTables } from './subscription-tables.ts';

type Tables = SubscriptionTables & Pick<KeyTables, 'accounts'>;

/** In a relational database, through the query builder. @param runner its transactions go through or leave nothing */
export function sqlSubscriptions(
  registry: Kysely<any>,
  runner: QueryRunner,
  dialect: SqlDialect,
): SubscriptionRegistry {
  const database = registry as Kysely<Tables>;
  const one = (accountId: number) =>
    database.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId);

  function* leave(accountId: number, plan: string, month: string): Steps<boolean> {
    yield dialect.lock(`plan of account ${accountId}`);
    const until = startTextOf(month);
    const [left] = yield* rowsOf(
      database
        .updateTable('accounts')
        .set({ plan_until: until })
        .where('id', '=', accountId)
        .where('plan', '=', GROWTH)
        .returning('id'),
    );
    if (!left) return false;
    const ends = { ends_plan: plan, ends_month: month };
    const row = { account_id: accountId, month, tries: 0, is_charged: 0, due_at: until, owner: null, held_until: null };
    yield* rowsOf(
      database
        .insertInto('subscriptions')
        .values({ ...row, ...ends })
        // A month that was declined is still asked for again.
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(ends)),
    );
    return true;
  }

  return {
    async find(accountId) {
      const row = await one(accountId).executeTakeFirst();
      return row && toSubscription(row);
    },
    leave: (accountId, plan, month) => runner.transact(() => leave(accountId, plan, month)),
    stay: (accountId) =>
      runner.write([
        database.updateTable('accounts').set({ plan_until: null }).where('id', '=', accountId),
        database.deleteFrom('subscriptions').where('account_id', '=', accountId).where('is_charged', '=', 0),
        database
          .updateTable('subscriptions')
          .set({ ends_plan: null, ends_month: null })
          .where('account_id', '=', accountId),
      ]),
    changePlan: (accountId, plan) => runner.transact(() => changePlan(registry, accountId, plan)),
    async forget(accountId) {
      await database.deleteFrom('subscriptions').where('account_id', '=', accountId).execute();
    },
    async due(now) {
      const rows = await database
        .selectFrom('subscriptions')
        .select('account_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .execute();
      return rows.map((row) => row.account_id);
    },
    async claim(accountId, { owner, until }: PaymentHold, now) {
      const row = await database
        .updateTable('subscriptions')
        .set({ owner, held_until: until })
        .where('account_id', '=', accountId)
        .where('due_at', '<=', now)
        .where(({ or, eb }) => or([eb('owner', 'is', null), eb('owner', '=', owner), eb('held_until', '<=', now)]))
        .returningAll()
        .executeTakeFirst();
      return row && toSubscription(row);
    },
    async postpone(accountId, dueAt, month) {
      await database
        .updateTable('subscriptions')
        .set({ due_at: dueAt, month, owner: null, held_until: null })
        .where('account_id', '=', accountId)
        .execute();
    },
  };
}

/** In a transaction. */
export function* changePlan(registry: Kysely<any>, accountId: number, plan: string): Steps<boolean> {
  const database = registry as Kysely<Tables>;
  const [changed] = yield* rowsOf(
    database.updateTable('accounts').set({ plan, plan_until: null }).where('id', '=', accountId).returning('id'),
  );
  yield* rowsOf(database.deleteFrom('subscriptions').where('account_id', '=', accountId));
  return changed !== undefined;
}

const toSubscription = (row: Selectable<SubscriptionTable>): Subscription => ({
  accountId: row.account_id,
  month: row.month,
  tries: row.tries,
  isCharged: row.is_charged === 1,
  ends: row.ends_plan === null ? null : { plan: row.ends_plan, month: row.ends_month! },
  dueAt: row.due_at,
});
