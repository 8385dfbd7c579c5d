import { decideGift } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import type { CustomerOnFile, Payments } from '../../platform/payments/payments.ts';
import type { Pack } from '../../platform/settings/plans-and-packs.ts';
import type { Credits } from '../credits/credits.ts';
import { type Plans, planOf } from './account-terms.ts';
import type { Coupons } from './coupons.ts';
import { formatMoney } from './format-money.ts';
import { isIntegerWithin } from './model/amount-rules.ts';
import type { BilledAccount, BillingRegistry } from './model/billing-registry.ts';
import type { BillingOverview, BillingRequest, CustomerBilling, Invoice } from './model/billing-services.ts';
import {
  type AutoRechargeStore,
  type CouponStore,
  GROWTH_PLAN,
  type IssuedInvoiceStore,
  PLAN_AFTER_GROWTH,
  type RewardStore,
  type SubscriptionStore,
} from './model/billing-stores.ts';
import { type BillingLogger, defaultCardLabel } from './payments/payment-processor.ts';
import { throwAsRefused, throwRefusedUnlessPaid } from './payments/purchase-refusals.ts';
import type { Purchases } from './payments/purchases.ts';
import { toPurchaseItem } from './payments/top-ups.ts';
import type { Subscriptions } from './subscriptions.ts';

interface CustomerBillingParts {
  readonly registry: BillingRegistry;
  readonly rewards: RewardStore;
  readonly couponRegistry: Pick<CouponStore, 'waitingPercent'>;
  readonly subscriptionRegistry: Pick<SubscriptionStore, 'find'>;
  readonly autoRecharges: AutoRechargeStore;
  readonly invoices: IssuedInvoiceStore;
  readonly coupons: Coupons;
  readonly subscriptions: Subscriptions;
  readonly purchases: Purchases;
  readonly payments: Payments;
  readonly credits: Pick<Credits, 'record' | 'ledger'>;
  readonly plans: Plans;
  readonly packs: readonly Pack[];
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  readonly receiptPdf: (invoice: Invoice) => Promise<Uint8Array>;
  /** Called when an account's auto-recharge was changed. */
  readonly onRechargeChanged: () => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: BillingLogger;
}

/** Credits for the first visit to the documentation. */
const DOCS_REWARD = 100;
const DOCS_VISIT = 'reward.docs-visit';
const MOST_THRESHOLD = 1_000_000;
const MOST_CAP_CENTS = 10_000_000;
const DECLINED_INVOICES = 2;

export function createCustomerBilling(parts: CustomerBillingParts): CustomerBilling {
  const { registry, autoRecharges, invoices, coupons, subscriptions, purchases, payments, credits, plans, packs } =
    parts;
  const { termsOf, now, log } = parts;
  const { provider } = payments;

  async function accountOf(accountId: number): Promise<BilledAccount> {
    const account = await registry.account(accountId);
    if (!account) throw new RefusedError(404, 'There is no such account.');
    return account;
  }

  async function cardOf(
    accountId: number,
  ): Promise<{ readonly onFile: CustomerOnFile; readonly label: string } | null> {
    const onFile = await registry.onFile(accountId, provider);
    const method = onFile && (await payments.methodOf(onFile));
    if (!onFile || !method) return null;
    const label = await registry.cardLabel(accountId, provider);
    return { onFile, label: label ?? defaultCardLabel({ provider, paymentMethod: method }) };
  }

  /** The account's customer at the provider. It is stored before anything else is done with it. */
  async function customerOf(
    accountId: number,
  ): Promise<{ readonly customer: string; readonly before?: CustomerOnFile }> {
    await accountOf(accountId);
    const before = await registry.onFile(accountId, provider);
    const customer = await payments.customerOf(accountId, before?.customer ?? null);
    if (before?.customer === customer) return { customer, before };
    await registry.putOnFile(accountId, provider, { customer, paymentMethod: null });
    return { customer };
  }

  async function overview(accountId: number): Promise<BillingOverview> {
    const account = await accountOf(accountId);
    const [subscription, card, recharge, waitingPercent, ledger] = await Promise.all([
      parts.subscriptionRegistry.find(accountId),
      cardOf(accountId),
      autoRecharges.find(accountId),
      parts.couponRegistry.waitingPercent(accountId),
      credits.ledger(await termsOf(accountId)),
    ]);
    const growth = plans[GROWTH_PLAN]!;
    const { planUntil } = account;
    return {
      plan: { slug: account.plan, name: planOf(plans, account.plan).name },
      ends: planUntil === undefined ? null : { at: planUntil, plan: subscription?.ends?.plan ?? PLAN_AFTER_GROWTH },
      growth: {
        priceCents: growth.price_cents,
        currency: growth.currency,
        monthlyCredits: growth.monthly_credits,
      },
      growthToday: subscriptions.restOfMonthOffer(),
      card: card && { label: card.label },
      autoRecharge: {
        enabled: recharge?.isOn ?? false,
        threshold: recharge?.threshold ?? null,
        packId: recharge?.packId ?? null,
        monthlyCapCents: recharge?.monthlyCapCents ?? null,
        notice: recharge?.notice ?? null,
      },
      waitingPercent,
      paymentFailed: ledger.declined.invoices.length >= DECLINED_INVOICES,
      packs,
      testMode: provider === 'development',
    };
  }

  async function setAutoRecharge(accountId: number, given: Parameters<CustomerBilling['setAutoRecharge']>[1]) {
    if (!given.enabled) {
      await autoRecharges.disable(accountId, null, toIsoTime(now()));
      return parts.onRechargeChanged();
    }
    const { threshold, packId, monthlyCapCents } = given;
    const pack = packs.find(({ id }) => id === packId);
    const fields = {
      ...(!isIntegerWithin(threshold, 1, MOST_THRESHOLD) && { threshold: 'Give 1 to 1,000,000 credits.' }),
      ...(!pack && { pack_id: 'Choose one of the packs.' }),
      ...(!isIntegerWithin(monthlyCapCents, pack?.price_cents ?? 0, MOST_CAP_CENTS) && {
        monthly_cap: `Give at least the price of the pack, and no more than ${formatMoney(MOST_CAP_CENTS, pack?.currency ?? 'usd')}.`,
      }),
    };
    if (Object.keys(fields).length > 0) throw new RefusedError(422, 'Auto-recharge was not turned on.', { fields });
    if (!(await cardOf(accountId))) throw new RefusedError(422, 'Add a card first: auto-recharge needs one.');
    await autoRecharges.enable(accountId, { threshold, packId, monthlyCapCents }, toIsoTime(now()));
    await parts.onRechargeChanged();
  }

  async function setPaymentMethod(accountId: number, paymentMethod: string): Promise<void> {
    const { customer, before } = await customerOf(accountId);
    const outcome = await payments.putOnFile(customer, paymentMethod);
    switch (outcome.outcome) {
      case 'on_file':
        break;
      case 'declined':
        throw new RefusedError(402, `The card was declined. ${outcome.reason}`);
      case 'unknown_payment_method':
        throw invalidField('payment_method', 'There is no such card.');
      case 'refused':
        throw new RefusedError(402, 'The card could not be saved.');
    }
    await registry.putOnFile(accountId, provider, outcome.onFile, outcome.label);
    const isOther = before && before.paymentMethod !== null && before.paymentMethod !== outcome.onFile.paymentMethod;
    // The new card is in use already. If this fails, an unused card stays with the provider.
    if (isOther) await payments.takeOffFile(before).catch(logError(accountId, 'a card could not be taken off file'));
    await subscriptions.chargeOwedMonth(accountId).catch(logError(accountId, 'an owed month could not be asked for'));
  }

  const logError = (accountId: number, message: string) => (error: unknown) =>
    log.error({ err: error, account_id: accountId }, message);

  async function takeOffFile(accountId: number): Promise<void> {
    await autoRecharges.disable(accountId, null, toIsoTime(now()));
    await parts.onRechargeChanged();
    const onFile = await registry.onFile(accountId, provider);
    if (!onFile) return;
    await payments.takeOffFile(onFile);
    await registry.takeOffFile(accountId, provider);
  }

  async function topUp(act: BillingRequest, packId: number): Promise<void> {
    const pack = packs.find(({ id }) => id === packId);
    if (!pack) throw invalidField('pack_id', 'There is no such pack.');
    const { accountId, userId, requestId, idempotencyKey } = act;
    const buyer = { accountId, userId, requestId, idempotencyKey, keyId: 0, by: 'form' } as const;
    const outcome = await purchases.buy(buyer, () => toPurchaseItem(pack)).catch(throwAsRefused);
    throwRefusedUnlessPaid(outcome!);
  }

  async function rewardDocsVisit(accountId: number): Promise<number> {
    // Whoever deletes an account and makes a new one with the same address gets the reward once.
    if (!(await parts.rewards.claim(accountId, DOCS_VISIT))) return 0;
    const gift = { accountId, grant: DOCS_VISIT, kind: 'reward', credits: DOCS_REWARD } as const;
    let given = 0;
    await credits.record(await termsOf(accountId), (ledger) => {
      const events = decideGift(ledger, gift, now());
      given = events.length > 0 ? DOCS_REWARD : 0;
      return events;
    });
    return given;
  }

  return {
    overview,
    invoices: (accountId, part) => invoices.ofAccount(accountId, part),
    invoice: (accountId, id) => invoices.find(accountId, id),
    async receipt(accountId, id) {
      const invoice = await invoices.find(accountId, id);
      if (invoice?.status !== 'paid') return undefined;
      return { number: invoice.number, pdf: await parts.receiptPdf(invoice) };
    },
    subscribe: (act, plan) => subscriptions.subscribe(act, plan),
    cancel: (act) => subscriptions.cancel(act),
    topUp,
    setAutoRecharge: ({ accountId }, given) => setAutoRecharge(accountId, given),
    redeemCoupon: ({ accountId }, code) => coupons.redeem(accountId, code),
    rewardDocsVisit: ({ accountId }) => rewardDocsVisit(accountId),
    async setupIntent({ accountId }) {
      const { customer } = await customerOf(accountId);
      return payments.setupIntent(customer);
    },
    setPaymentMethod: ({ accountId }, paymentMethod) => setPaymentMethod(accountId, paymentMethod),
    async removePaymentMethod({ accountId }) {
      const { plan } = await accountOf(accountId);
      if (plan === GROWTH_PLAN)
        throw new RefusedError(422, 'Growth needs a card. Leave Growth first, or give another card.');
      await takeOffFile(accountId);
    },
    async portal({ accountId }, returnTo) {
      const { customer } = await customerOf(accountId);
      return payments.portal(customer, returnTo);
    },
    async closeAccount(accountId) {
      const account = await registry.account(accountId);
      if (!account) return;
      // From here on no money is taken, even if a later step fails.
      if (account.plan === GROWTH_PLAN) await subscriptions.change(accountId, PLAN_AFTER_GROWTH, null, 'ended');
      await takeOffFile(accountId);
      await invoices.forgetCustomer(accountId);
    },
  };
}
