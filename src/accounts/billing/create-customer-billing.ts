import { decideGift } from '../../../commands/credits/gifts.ts';
import type { AccountTerms } from '../../domain/accounts/terms.ts';
import { Refused, wrongField } from '../../domain/refused-act.ts';
import type { OnFile, Payments } from '../../platform/payments/payments.ts';
import type { Pack } from '../../platform/settings/plans.ts';
import type { Credits } from '../credits/credits.ts';
import { type Plans, planOf } from '../plan-terms.ts';
import type { RechargeRegistry } from './auto-recharge/recharge-registry.ts';
import type { BilledAccount, BillingRegistry } from './billing-registry.ts';
import type { CouponRegistry } from './coupons/coupon-registry.ts';
import type { Coupons } from './coupons/coupons.ts';
import type { BillingAct, BillingOverview, CustomerBilling, Invoice } from './customer-billing.ts';
import type { IssuedInvoices } from './issued-invoices/issued-invoices.ts';
import type { BillingLog } from './pack-payments.ts';
import type { Purchases } from './purchases.ts';
import { asRefused, refusedUnlessPaid } from './refused-charges.ts';
import { isoOf } from './subscriptions/due-times.ts';
import { AFTER_GROWTH, GROWTH, type SubscriptionRegistry } from './subscriptions/subscription-registry.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';
import { itemOf } from './top-ups.ts';

export interface CustomerBillingParts {
  readonly registry: BillingRegistry;
  readonly couponRegistry: Pick<CouponRegistry, 'waitingPercent'>;
  readonly subscriptionRegistry: Pick<SubscriptionRegistry, 'find'>;
  readonly recharges: RechargeRegistry;
  readonly invoices: IssuedInvoices;
  readonly coupons: Coupons;
  readonly subscriptions: Subscriptions;
  readonly purchases: Purchases;
  readonly payments: Payments;
  readonly credits: Pick<Credits, 'record' | 'ledger'>;
  readonly plans: Plans;
  readonly packs: readonly Pack[];
  /** Of an account that exists. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  readonly receiptPdf: (invoice: Invoice) => Promise<Uint8Array>;
  /** What auto-recharge goes by is another one now. */
  readonly onRechargeChanged: () => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: BillingLog;
}

/** Credits for whoever looks at the documentation first. */
const DOCS_REWARD = 100;
const MOST_THRESHOLD = 1_000_000;
const MOST_CAP_CENTS = 10_000_000;
const DECLINED_INVOICES = 2;

export function createCustomerBilling(parts: CustomerBillingParts): CustomerBilling {
  const { registry, recharges, invoices, coupons, subscriptions, purchases, payments, credits, plans, packs } = parts;
  const { termsOf, now, log } = parts;
  const { provider } = payments;

  async function accountOf(accountId: number): Promise<BilledAccount> {
    const account = await registry.account(accountId);
    if (!account) throw new Refused(404, 'There is no such account.');
    return account;
  }

  async function cardOf(accountId: number): Promise<{ readonly onFile: OnFile; readonly label: string } | null> {
    const onFile = await registry.onFile(accountId, provider);
    const method = onFile && (await payments.methodOf(onFile));
    if (!onFile || !method) return null;
    const label = await registry.cardLabel(accountId, provider);
    return { onFile, label: label ?? (provider === 'development' ? `Test card ${method}` : 'Card on file') };
  }

  /** The provider's customer of the account, kept before anything is done with it. */
  async function customerOf(accountId: number): Promise<{ readonly customer: string; readonly before?: OnFile }> {
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
      recharges.find(accountId),
      parts.couponRegistry.waitingPercent(accountId),
      credits.ledger(await termsOf(accountId)),
    ]);
    const growth = plans[GROWTH]!;
    const { planUntil } = account;
    return {
      plan: { slug: account.plan, name: planOf(plans, account.plan).name },
      ends: planUntil === undefined ? null : { at: planUntil, plan: subscription?.ends?.plan ?? AFTER_GROWTH },
      growth: {
        priceCents: growth.price_cents,
        currency: growth.currency,
        monthlyCredits: growth.monthly_credits,
      },
      growthToday: subscriptions.today(),
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
      await recharges.turnOff(accountId, null, isoOf(now()));
      return parts.onRechargeChanged();
    }
    const { threshold, packId, monthlyCapCents } = given;
    const pack = packs.find(({ id }) => id === packId);
    const fields = {
      ...(!isWithin(threshold, 1, MOST_THRESHOLD) && { threshold: 'Give 1 to 1,000,000 credits.' }),
      ...(!pack && { pack_id: 'Choose one of the packs.' }),
      ...(!isWithin(monthlyCapCents, pack?.price_cents ?? 0, MOST_CAP_CENTS) && {
        monthly_cap_cents: 'Give at least the price of the pack, and no more than 10,000,000 cents.',
      }),
    };
    if (Object.keys(fields).length > 0) throw new Refused(422, 'Auto-recharge was not turned on.', { fields });
    if (!(await cardOf(accountId))) throw new Refused(422, 'Add a card first: auto-recharge needs one.');
    await recharges.turnOn(accountId, { threshold, packId, monthlyCapCents }, isoOf(now()));
    await parts.onRechargeChanged();
  }

  async function setPaymentMethod(accountId: number, paymentMethod: string): Promise<void> {
    const { customer, before } = await customerOf(accountId);
    const outcome = await payments.putOnFile(customer, paymentMethod);
    switch (outcome.outcome) {
      case 'on_file':
        break;
      case 'declined':
        throw new Refused(402, `The card was declined. ${outcome.reason}`);
      case 'unknown_payment_method':
        throw wrongField('payment_method', 'There is no such card.');
      case 'refused':
        throw new Refused(402, 'The card could not be saved.');
    }
    await registry.putOnFile(accountId, provider, outcome.onFile, outcome.label);
    const isOther = before && before.paymentMethod !== null && before.paymentMethod !== outcome.onFile.paymentMethod;
    // The new one counts already: what fails here leaves an unused card with the provider.
    if (isOther) await payments.takeOffFile(before).catch(told(accountId, 'a card could not be taken off file'));
    await subscriptions.payOwed(accountId).catch(told(accountId, 'an owed month could not be asked for'));
  }

  const told = (accountId: number, message: string) => (error: unknown) =>
    log.error({ err: error, account_id: accountId }, message);

  async function takeOffFile(accountId: number): Promise<void> {
    await recharges.turnOff(accountId, null, isoOf(now()));
    await parts.onRechargeChanged();
    const onFile = await registry.onFile(accountId, provider);
    if (!onFile) return;
    await payments.takeOffFile(onFile);
    await registry.takeOffFile(accountId, provider);
  }

  async function topUp(act: BillingAct, packId: number): Promise<void> {
    const pack = packs.find(({ id }) => id === packId);
    if (!pack) throw wrongField('pack_id', 'There is no such pack.');
    const { accountId, userId, requestId, idempotencyKey } = act;
    const buyer = { accountId, userId, requestId, idempotencyKey, keyId: 0, by: 'form' } as const;
    const outcome = await purchases.buy(buyer, () => itemOf(pack)).catch(asRefused);
    refusedUnlessPaid(outcome!);
  }

  async function rewardDocsVisit(accountId: number): Promise<number> {
    const gift = { accountId, grant: 'reward.docs-visit', kind: 'reward', credits: DOCS_REWARD } as const;
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
    invoices: (accountId) => invoices.ofAccount(accountId),
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
      if (plan === GROWTH) throw new Refused(422, 'Growth needs a card. Leave Growth first, or give another card.');
      await takeOffFile(accountId);
    },
    async portal({ accountId }, returnTo) {
      const { customer } = await customerOf(accountId);
      return payments.portal(customer, returnTo);
    },
    async end(accountId) {
      const account = await registry.account(accountId);
      if (!account) return;
      // No money is taken from here on, whatever fails after it.
      if (account.plan === GROWTH) await subscriptions.change(accountId, AFTER_GROWTH, null, 'ended');
      await takeOffFile(accountId);
      await invoices.forgetCustomer(accountId);
    },
  };
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;
