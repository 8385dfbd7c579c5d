import { decidePlanChange } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { monthOf, prorate, restOfMonth, startOfNextMonth } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { Credits } from '../credits/credits.ts';
import type { Plans } from './account-terms.ts';
import type { BilledAccount, BillingRegistry } from './model/billing-registry.ts';
import type { BillingRequest } from './model/billing-services.ts';
import {
  GROWTH_PLAN,
  type IssuedInvoiceStore,
  PLAN_AFTER_GROWTH,
  type Subscription,
  type SubscriptionStore,
} from './model/billing-stores.ts';
import { type BillingLogger, ChargeOutcomeUnknown, type PaymentProcessor } from './payments/payment-processor.ts';
import { throwAsRefused, throwRefusedUnlessPaid } from './payments/purchase-refusals.ts';
import { type PurchaseItem, PurchaseNotAllowed, type Purchases } from './payments/purchases.ts';

interface SubscriptionsParts {
  readonly registry: SubscriptionStore;
  readonly billing: Pick<BillingRegistry, 'account' | 'paymentUnderWay'>;
  readonly invoices: Pick<IssuedInvoiceStore, 'owedMonth'>;
  readonly purchases: Purchases;
  readonly packPayments: Pick<PaymentProcessor, 'inTurn' | 'hold'>;
  readonly credits: Pick<Credits, 'record'>;
  readonly plans: Plans;
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  readonly newRequestId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: BillingLogger;
  readonly gate?: WriteGate | undefined;
}

export interface Subscriptions {
  /** @throws RefusedError */
  subscribe(act: BillingRequest, plan: string): Promise<void>;
  /** @throws RefusedError 422 if there is no subscription */
  cancel(act: BillingRequest): Promise<void>;
  /** The price and credits of growth for the rest of this month. */
  restOfMonthOffer(): { readonly priceCents: number; readonly credits: number };
  /** Ends the plans that end, and charges the months that have begun. One process works on each subscription. */
  doDue(): Promise<void>;
  /** Charges the month that the account owes again, with its new card. */
  chargeOwedMonth(accountId: number): Promise<void>;
  /** Changes an account's plan at once, and records this in its ledger. False: there is no such account. */
  change(
    accountId: number,
    plan: string,
    by: number | null,
    reason: 'subscribed' | 'ended' | 'staff',
  ): Promise<boolean>;
}

const FREE_PLANS: readonly string[] = ['free', 'payg'];

export function createSubscriptions(parts: SubscriptionsParts): Subscriptions {
  const { registry, billing, invoices, purchases, packPayments, credits, plans, termsOf, now, log } = parts;
  const { gate = alwaysOpenGate } = parts;
  const { inTurn } = packPayments;

  const growth = () => plans[GROWTH_PLAN]!;

  function restItem(): PurchaseItem {
    const at = now();
    const rest = restOfMonth(at);
    const { name, price_cents: price, monthly_credits: monthly, currency } = growth();
    return {
      purpose: 'growth',
      month: monthOf(at),
      packId: 0,
      packName: name,
      currency,
      credits: prorate(monthly, rest),
      priceCents: prorate(price, rest),
    };
  }

  const monthItem = (month: string): PurchaseItem => {
    const { name, price_cents: priceCents, monthly_credits: monthly, currency } = growth();
    return { purpose: 'month', month, packId: 0, packName: name, credits: monthly, priceCents, currency };
  };

  /** Whether the account is on growth now. A plan may have ended before its end was processed. */
  const isOnGrowth = ({ plan, planUntil }: BilledAccount): boolean =>
    plan === GROWTH_PLAN && (planUntil === undefined || now() < Date.parse(planUntil));

  async function accountOf(accountId: number): Promise<BilledAccount> {
    const account = await billing.account(accountId);
    if (!account) throw new RefusedError(404, 'There is no such account.');
    return account;
  }

  /** The event comes first. After a crash it may be recorded twice, which changes nothing, but it is never missing. */
  async function change(accountId: number, plan: string, by: number | null, reason: 'subscribed' | 'ended' | 'staff') {
    if (!(await billing.account(accountId))) return false;
    const decide = () => decidePlanChange({ accountId, plan, by, reason }, now());
    await credits.record(await termsOf(accountId), decide);
    return registry.changePlan(accountId, plan);
  }

  const scheduleEnd = (accountId: number, plan: string): Promise<boolean> =>
    registry.scheduleEnd(accountId, plan, monthOf(startOfNextMonth(now())));

  async function subscribeToGrowth(act: BillingRequest): Promise<void> {
    const { accountId, userId, requestId, idempotencyKey } = act;
    const buyer = { accountId, userId, requestId, idempotencyKey, keyId: 0, by: 'form' } as const;
    const item = async () => {
      const account = await accountOf(accountId);
      if (!isOnGrowth(account)) return restItem();
      if (account.planUntil !== undefined) await registry.cancelEnd(accountId);
      return null;
    };
    const outcome = await purchases.buy(buyer, item).catch(throwAsRefused);
    if (outcome !== null) throwRefusedUnlessPaid(outcome);
  }

  async function changeAtOnce({ accountId, userId }: BillingRequest, plan: string): Promise<void> {
    const account = await accountOf(accountId);
    if (await billing.paymentUnderWay(accountId, 'growth')) {
      throw new RefusedError(409, 'A payment for Growth is under way. Try again in a minute.');
    }
    if (isOnGrowth(account)) await scheduleEnd(accountId, plan);
    else if (account.plan !== plan) await change(accountId, plan, userId, 'subscribed');
  }

  async function doDueOf(accountId: number): Promise<void> {
    const subscription = await registry.claim(accountId, packPayments.hold(), toIsoTime(now()));
    if (!subscription) return;
    const { ends, isCharged } = subscription;
    const month = monthOf(now());
    const account = await accountOf(accountId);
    // The operator has changed the plan.
    if (account.plan !== GROWTH_PLAN) await registry.remove(accountId);
    else if (ends && month >= ends.month) await inTurn(accountId, () => endGrowth(accountId, ends.plan));
    else if (isCharged) await chargeMonth(subscription, month);
  }

  async function endGrowth(accountId: number, plan: string): Promise<void> {
    // The owner may have resumed growth while this work waited for its turn.
    const found = await registry.find(accountId);
    if (found?.ends?.plan === plan) await change(accountId, plan, null, 'ended');
  }

  /** Months in which no server ran are given up: they gave no credits. */
  async function chargeMonth(subscription: Subscription, thisMonth: string): Promise<void> {
    const { accountId, dueAt } = subscription;
    const month = subscription.month < thisMonth ? thisMonth : subscription.month;
    if (month !== subscription.month) await registry.postpone(accountId, dueAt, month);
    await buyMonth(accountId, monthItem(month));
  }

  async function buyMonth(accountId: number, item: PurchaseItem): Promise<void> {
    const requestId = parts.newRequestId();
    const buyer = { accountId, keyId: 0, requestId, idempotencyKey: `month ${item.month}`, by: 'server' } as const;
    try {
      await purchases.buy(buyer, () => item);
    } catch (error) {
      // The payment processor settles it, and moves the subscription on.
      if (!(error instanceof ChargeOutcomeUnknown || error instanceof PurchaseNotAllowed)) throw error;
    }
  }

  return {
    async subscribe(act, plan) {
      gate.assertOpen();
      if (plan === GROWTH_PLAN) await subscribeToGrowth(act);
      else if (FREE_PLANS.includes(plan)) await inTurn(act.accountId, () => changeAtOnce(act, plan));
      else throw invalidField('plan', 'Choose free, payg or growth.');
    },
    async cancel({ accountId }) {
      gate.assertOpen();
      const isScheduled = isOnGrowth(await accountOf(accountId)) && (await scheduleEnd(accountId, PLAN_AFTER_GROWTH));
      if (!isScheduled) throw new RefusedError(422, 'There is no subscription to cancel.');
    },
    restOfMonthOffer() {
      const { priceCents, credits: amount } = restItem();
      return { priceCents, credits: amount };
    },
    async doDue() {
      if (!gate.isOpen) return;
      for (const accountId of await registry.listDue(toIsoTime(now()))) {
        await doDueOf(accountId).catch((error) => {
          log.error({ err: error, account_id: accountId }, 'a subscription could not be brought into its next month');
        });
      }
    },
    async chargeOwedMonth(accountId) {
      const owed = await invoices.owedMonth(accountId);
      if (!owed) return;
      const { month, priceCents, currency } = owed;
      await buyMonth(accountId, { ...monthItem(month), priceCents, currency });
    },
    change: (accountId, plan, by, reason) => inTurn(accountId, () => change(accountId, plan, by, reason)),
  };
}
