import type { Kysely, Selectable } from 'kysely';
import { toIsoTime } from '../../../platform/clock/iso-time.ts';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { PaymentRecord, ProcessLease } from '../model/billing-registry.ts';
import { GROWTH_PLAN, type Subscription, type SubscriptionStore } from '../model/billing-stores.ts';
import {
  MAX_MONTH_ATTEMPTS,
  monthStartIso,
  nextMonth,
  RETRY_DECLINED_AFTER,
  RETRY_FAILED_AFTER,
} from '../model/subscription-schedule.ts';

type Tables = SubscriptionTables & Pick<KeyTables, 'accounts'>;

/** A store in a relational database. @param runner its transactions are atomic */
export function createSqlSubscriptions(
  registry: Kysely<any>,
  runner: QueryRunner,
  dialect: SqlDialect,
): SubscriptionStore {
  const database = registry as Kysely<Tables>;
  const selectOne = (accountId: number) =>
    database.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId);

  function* scheduleEnd(accountId: number, plan: string, month: string): QuerySteps<boolean> {
    yield dialect.lock(`plan of account ${accountId}`);
    const until = monthStartIso(month);
    const [updated] = yield* queryRows(
      database
        .updateTable('accounts')
        .set({ plan_until: until })
        .where('id', '=', accountId)
        .where('plan', '=', GROWTH_PLAN)
        .returning('id'),
    );
    if (!updated) return false;
    const ends = { ends_plan: plan, ends_month: month };
    const row = { account_id: accountId, month, tries: 0, is_charged: 0, due_at: until, owner: null, held_until: null };
    yield* queryRows(
      database
        .insertInto('subscriptions')
        .values({ ...row, ...ends })
        // A declined month is still charged again.
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(ends)),
    );
    return true;
  }

  return {
    async find(accountId) {
      const row = await selectOne(accountId).executeTakeFirst();
      return row && toSubscription(row);
    },
    scheduleEnd: (accountId, plan, month) => runner.transact(() => scheduleEnd(accountId, plan, month)),
    cancelEnd: (accountId) =>
      runner.write([
        database.updateTable('accounts').set({ plan_until: null }).where('id', '=', accountId),
        database.deleteFrom('subscriptions').where('account_id', '=', accountId).where('is_charged', '=', 0),
        database
          .updateTable('subscriptions')
          .set({ ends_plan: null, ends_month: null })
          .where('account_id', '=', accountId),
      ]),
    changePlan: (accountId, plan) => runner.transact(() => changePlan(registry, accountId, plan)),
    async remove(accountId) {
      await database.deleteFrom('subscriptions').where('account_id', '=', accountId).execute();
    },
    async listDue(now) {
      const rows = await database
        .selectFrom('subscriptions')
        .select('account_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .execute();
      return rows.map((row) => row.account_id);
    },
    async claim(accountId, { owner, until }: ProcessLease, now) {
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

/** Runs in a transaction. */
function* changePlan(registry: Kysely<any>, accountId: number, plan: string): QuerySteps<boolean> {
  const database = registry as Kysely<Tables>;
  const [changed] = yield* queryRows(
    database.updateTable('accounts').set({ plan, plan_until: null }).where('id', '=', accountId).returning('id'),
  );
  yield* queryRows(database.deleteFrom('subscriptions').where('account_id', '=', accountId));
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

interface SubscriptionTable {
  account_id: number;
  /** `2026-12`: the first month that is neither charged nor given up. */
  month: string;
  /** How often the charge for the month was declined. */
  tries: number;
  /** 0: the account is not charged, since staff or the operator put it on the plan; the row only ends the plan. */
  is_charged: number;
  /** The plan after growth, and its first month; null: growth continues. */
  ends_plan: string | null;
  ends_month: string | null;
  /** When work on `month` is due. */
  due_at: string;
  /** The process that works on it, and until when. */
  owner: string | null;
  held_until: string | null;
}

interface SubscriptionTables {
  subscriptions: SubscriptionTable;
}

/** Needs the tables of the keys: these reference `accounts`. */
export async function createSubscriptionTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('subscriptions')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('is_charged', 'integer', (column) => column.notNull())
    .addColumn('ends_plan', 'text')
    .addColumn('ends_month', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('held_until', 'text')
    .execute();
  await schema.createIndex('subscriptions_by_due').ifNotExists().on('subscriptions').columns(['due_at']).execute();
}

type PaidMonthTables = SubscriptionTables & Pick<KeyTables, 'accounts'>;

/** The rest of a month was paid: the account is on growth now. Runs in the transaction that ends the payment. */
export function* startGrowthSubscription(registry: Kysely<any>, { accountId, month }: PaymentRecord): QuerySteps<void> {
  const database = registry as Kysely<PaidMonthTables>;
  yield* queryRows(
    database.updateTable('accounts').set({ plan: GROWTH_PLAN, plan_until: null }).where('id', '=', accountId),
  );
  const next = nextMonth(month!);
  const due = { month: next, tries: 0, is_charged: 1, due_at: monthStartIso(next) };
  const row = { ...due, ends_plan: null, ends_month: null, owner: null, held_until: null };
  yield* queryRows(
    database
      .insertInto('subscriptions')
      .values({ account_id: accountId, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row)),
  );
}

/** How the charge for a month ended. */
interface MonthOutcome {
  readonly state: 'done' | 'declined' | 'failed';
  /** Milliseconds. */
  readonly at: number;
}

/**
 * Moves the subscription on, if it is still at this month. Runs in the transaction that ends the payment.
 * @returns whether the month is charged again
 */
export function* settleSubscriptionMonth(
  registry: Kysely<any>,
  { accountId, month }: PaymentRecord,
  { state, at }: MonthOutcome,
): QuerySteps<boolean> {
  const database = registry as Kysely<PaidMonthTables>;
  const ofMonth = database
    .selectFrom('subscriptions')
    .select('tries')
    .where('account_id', '=', accountId)
    .where('month', '=', month!);
  const [subscription] = yield* queryRows(ofMonth);
  if (!subscription) return false;
  const tries = state === 'declined' ? subscription.tries + 1 : subscription.tries;
  const isOver = state === 'done' || tries >= MAX_MONTH_ATTEMPTS;
  const next = nextMonth(month!);
  const change = isOver
    ? { month: next, tries: 0, due_at: monthStartIso(next) }
    : { tries, due_at: toIsoTime(at + (state === 'declined' ? RETRY_DECLINED_AFTER : RETRY_FAILED_AFTER)) };
  yield* queryRows(
    database
      .updateTable('subscriptions')
      .set({ ...change, owner: null, held_until: null })
      .where('account_id', '=', accountId),
  );
  return !isOver;
}
