import type { Kysely } from 'kysely';
import { type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import {
  OPEN_PAYMENT_STATES,
  type PaymentOutcome,
  type PaymentRecord,
  paymentTotal,
} from '../model/billing-registry.ts';
import { type BillingTables, toPayment } from './billing-tables.ts';
import { disableAutoRecharge } from './sql-auto-recharges.ts';
import { settleWaitingCoupon } from './sql-coupons.ts';
import { issueInvoice } from './sql-issued-invoices.ts';
import { settleSubscriptionMonth, startGrowthSubscription } from './sql-subscriptions.ts';

/**
 * Everything that follows from the end of a payment, in one transaction. With several transactions a crash in between
 * would leave money without an invoice, a paid account without its plan, or a coupon that is neither spent nor waiting.
 */
export function* endPayment(registry: Kysely<any>, end: PaymentOutcome): QuerySteps<boolean> {
  const database = registry as Kysely<BillingTables>;
  const { key, state, at } = end;
  const [row] = yield* queryRows(
    database
      .updateTable('payments')
      .set({ state, updated_at: at })
      .$if(end.payment !== undefined, (update) => update.set({ payment: end.payment! }))
      .$if(end.reason !== undefined, (update) => update.set({ reason: end.reason! }))
      .where('key', '=', key)
      .where('state', 'in', OPEN_PAYMENT_STATES)
      .returningAll(),
  );
  // Another process has ended it.
  if (!row) return false;
  const payment = toPayment(row);
  yield* settleWaitingCoupon(registry, key, state === 'done');
  if (payment.purpose === 'month') yield* endMonthly(registry, payment, end);
  else if (state === 'done') yield* issueInvoice(registry, contentOf(payment, end, 'paid', null, key));
  if (payment.purpose === 'growth' && state === 'done') yield* startGrowthSubscription(registry, payment);
  if (payment.purpose === 'automatic' && state !== 'done') {
    const notice = `Auto-recharge was turned off: ${payment.packName} could not be paid for.`;
    yield* disableAutoRecharge(registry, payment.accountId, notice, at);
  }
  return true;
}

/** A month has one invoice, whether its charge succeeds or is declined. This brings the invoice up to date. */
function* endMonthly(registry: Kysely<any>, payment: PaymentRecord, end: PaymentOutcome): QuerySteps<void> {
  const { state, at } = end;
  const isAskedAgain = yield* settleSubscriptionMonth(registry, payment, { state, at: Date.parse(at) });
  if (state === 'failed') return;
  const status = state === 'done' ? 'paid' : isAskedAgain ? 'open' : 'declined';
  const subject = `month ${payment.month} of account ${payment.accountId}`;
  yield* issueInvoice(registry, contentOf(payment, end, status, payment.month!, subject));
}

const contentOf = (
  payment: PaymentRecord,
  end: PaymentOutcome,
  status: 'paid' | 'declined' | 'open',
  month: string | null,
  subject: string,
) => ({
  subject,
  status,
  month,
  account_id: payment.accountId,
  at: end.at,
  line: end.line,
  price_cents: payment.priceCents,
  discount_cents: payment.discountCents ?? 0,
  total_cents: paymentTotal(payment),
  currency: payment.currency,
  customer_name: end.customerName,
  customer_email: end.customerEmail,
  card: end.card,
  is_test: end.isTest ? 1 : 0,
});
