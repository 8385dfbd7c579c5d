import type { Kysely } from 'kysely';
import { rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { CouponTables } from './coupon-tables.ts';

/** The percent of the coupon that waits: this payment has it from now on, and no other. Undefined: none waits. */
export function* takeCoupon(registry: Kysely<any>, accountId: number, paymentKey: string): Steps<number | undefined> {
  const database = registry as Kysely<CouponTables>;
  const [taken] = yield* rowsOf(
    database
      .updateTable('waiting_coupons')
      .set({ payment_key: paymentKey })
      .where('account_id', '=', accountId)
      .where('payment_key', 'is', null)
      .returning('percent'),
  );
  return taken?.percent;
}

/** Spent, where the payment that has it took money; else it waits again. */
export function* endCoupon(registry: Kysely<any>, paymentKey: string, isSpent: boolean): Steps<void> {
  const database = registry as Kysely<CouponTables>;
  yield* rowsOf<unknown>(
    isSpent
      ? database.deleteFrom('waiting_coupons').where('payment_key', '=', paymentKey)
      : database.updateTable('waiting_coupons').set({ payment_key: null }).where('payment_key', '=', paymentKey),
  );
}

/** By how many cents a percent coupon lowers a price. */
export const discountOf = (priceCents: number, percent: number): number => Math.floor((priceCents * percent) / 100);
