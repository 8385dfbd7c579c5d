import type { Kysely } from 'kysely';
import { rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { PackPayment } from '../billing-registry.ts';
import { ASK_AGAIN_AFTER, isoOf, nextMonth, startTextOf, TRIES, TRY_AGAIN_AFTER } from './due-times.ts';
import { GROWTH } from './subscription-registry.ts';
import type { SubscriptionTables } from './subscription-tables.ts';

type Tables = SubscriptionTables & Pick<KeyTables, 'accounts'>;

/** The rest of a month was paid for: the account is on growth from now on. In the transaction that ends the payment. */
export function* beginGrowth(registry: Kysely<any>, { accountId, month }: PackPayment): Steps<void> {
  const database = registry as Kysely<Tables>;
  yield* rowsOf(database.updateTable('accounts').set({ plan: GROWTH, plan_until: null }).where('id', '=', accountId));
  const next = nextMonth(month!);
  const due = { month: next, tries: 0, is_charged: 1, due_at: startTextOf(next) };
  const row = { ...due, ends_plan: null, ends_month: null, owner: null, held_until: null };
  yield* rowsOf(
    database
      .insertInto('subscriptions')
      .values({ account_id: accountId, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row)),
  );
}

/** How a month's charge has ended. */
export interface MonthEnd {
  readonly state: 'done' | 'declined' | 'failed';
  /** Milliseconds. */
  readonly at: number;
}

/**
 * Moves the subscription on, where it is still at this month. In the transaction that ends the payment.
 * @returns whether the month is asked for again
 */
export function* endMonth(
  registry: Kysely<any>,
  { accountId, month }: PackPayment,
  { state, at }: MonthEnd,
): Steps<boolean> {
  const database = registry as Kysely<Tables>;
  const ofMonth = database
    .selectFrom('subscriptions')
    .select('tries')
    .where('account_id', '=', accountId)
    .where('month', '=', month!);
  const [subscription] = yield* rowsOf(ofMonth);
  if (!subscription) return false;
  const tries = state === 'declined' ? subscription.tries + 1 : subscription.tries;
  const isOver = state === 'done' || tries >= TRIES;
  const next = nextMonth(month!);
  const change = isOver
    ? { month: next, tries: 0, due_at: startTextOf(next) }
    : { tries, due_at: isoOf(at + (state === 'declined' ? ASK_AGAIN_AFTER : TRY_AGAIN_AFTER)) };
  yield* rowsOf(
    database
      .updateTable('subscriptions')
      .set({ ...change, owner: null, held_until: null })
      .where('account_id', '=', accountId),
  );
  return !isOver;
}
