import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { PaymentProvider, Payments } from '../../platform/payments/payments.ts';
import type { Pack } from '../../platform/settings/plans-and-packs.ts';
import type { Credits } from '../credits/credits.ts';
import type { RandomBytes } from '../keys/key-format.ts';
import { accountTermsOfBilled, type Plans } from './account-terms.ts';
import { type AutoRecharges, createAutoRecharges } from './auto-recharge.ts';
import { type BillingAdministration, createBillingAdministration } from './billing-administration.ts';
import { type Coupons, createCoupons } from './coupons.ts';
import { createCustomerBilling } from './create-customer-billing.ts';
import { createStaffBilling } from './create-staff-billing.ts';
import type { LivePlans } from './live-plans.ts';
import type { BillingRegistry } from './model/billing-registry.ts';
import type { CustomerBilling, Invoice, StaffBilling } from './model/billing-services.ts';
import type { BillingStores } from './model/billing-stores.ts';
import {
  type BillingLogger,
  createPaymentProcessor,
  type PaymentProcessor,
  type PaymentProcessorParts,
} from './payments/payment-processor.ts';
import { createPurchases } from './payments/purchases.ts';
import { createTopUp, type TopUp } from './payments/top-ups.ts';
import { createProviderInvoices, type ProviderInvoices } from './provider-invoices.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

interface InvoicingParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly registry: BillingRegistry;
  readonly provider: PaymentProvider;
  readonly credits: Credits;
  readonly plans: Plans;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly random: RandomBytes;
  /** Milliseconds. */
  readonly now: () => number;
  readonly billingLog: BillingLogger;
}

interface Invoicing {
  readonly invoices: ProviderInvoices;
  readonly administration: BillingAdministration;
}

/** The part of billing that moves no money. Commands use it without a server. */
export function createInvoicing(parts: InvoicingParts): Invoicing {
  const { random, billingLog } = parts;
  const findTerms = createTermsFinder(parts);
  const invoices = createProviderInvoices({ ...parts, termsOf: requireTerms(findTerms), log: billingLog });
  const newInvoiceId = () => `development_invoice_${Buffer.from(random(9)).toString('base64url')}`;
  return { invoices, administration: createBillingAdministration({ ...parts, invoices, findTerms, newInvoiceId }) };
}

export interface BillingParts
  extends Omit<InvoicingParts, 'provider' | 'log'>,
    Pick<PaymentProcessorParts, 'later' | 'owner' | 'gate'>,
    Partial<Pick<PaymentProcessorParts, 'personOf' | 'mail'>> {
  readonly log: Pick<EventLog, 'readStream' | 'appendAll'>;
  readonly stores: BillingStores;
  readonly payments: Payments;
  /** While it is closed, no money is taken; default: `gate`. */
  readonly moneyGate?: WriteGate | undefined;
  /** The plans in force. They change while the server runs. */
  readonly livePlans: Pick<LivePlans, 'plans' | 'refresh'>;
  readonly packs: readonly Pack[];
  readonly pepper: string;
  readonly receiptPdf?: ((invoice: Invoice) => Promise<Uint8Array>) | undefined;
}

export interface Billing extends Invoicing {
  readonly topUp: TopUp;
  readonly packPayments: Pick<PaymentProcessor, 'resume' | 'close'>;
  readonly customerBilling: CustomerBilling;
  readonly staffBilling: StaffBilling;
  readonly autoRecharges: AutoRecharges;
  readonly subscriptions: Pick<Subscriptions, 'doDue'>;
  readonly coupons: Pick<Coupons, 'resume'>;
}

export function createBilling(parts: BillingParts): Billing {
  const { payments, billingLog: log, stores, random, registry, packs, credits, plans, now, gate } = parts;
  const { moneyGate = gate } = parts;
  const termsOf = requireTerms(createTermsFinder(parts));
  const {
    mail = async () => {},
    // Without user accounts, use the e-mail address that the operator gave to the account.
    personOf = async (accountId) => ({ name: null, email: (await stores.customers.find(accountId))?.email ?? null }),
    receiptPdf = async (invoice) => (await import('./receipt-pdf.ts')).renderReceiptPdf(invoice),
  } = parts;
  const newId = () => Buffer.from(random(12)).toString('base64url');
  const newRequestId = () => `billing_${newId()}`;
  const common = { credits, termsOf, now, log, gate: moneyGate };
  const packPayments = createPaymentProcessor({ ...parts, ...common, personOf, mail });
  const purchases = createPurchases({ ...parts, gate: moneyGate, packPayments, coupons: stores.coupons });
  const coupons = createCoupons({ ...common, gate, registry: stores.coupons });
  const subscriptions = createSubscriptions({
    ...common,
    registry: stores.subscriptions,
    billing: registry,
    invoices: stores.issuedInvoices,
    purchases,
    packPayments,
    plans,
    newRequestId,
  });
  const autoRecharges = createAutoRecharges({
    ...common,
    registry: stores.autoRecharges,
    purchases,
    packs,
    mail,
    newRequestId,
    later: parts.later,
  });
  const customerBilling = createCustomerBilling({
    ...common,
    registry,
    payments,
    plans,
    packs,
    receiptPdf,
    purchases,
    coupons,
    subscriptions,
    couponRegistry: stores.coupons,
    subscriptionRegistry: stores.subscriptions,
    autoRecharges: stores.autoRecharges,
    invoices: stores.issuedInvoices,
    rewards: stores.rewards,
    onRechargeChanged: autoRecharges.refresh,
  });
  const staffBilling = createStaffBilling({
    ...common,
    log: parts.log,
    livePlans: parts.livePlans,
    newId,
    subscriptions,
    coupons: stores.coupons,
    customers: stores.customers,
    planChanges: stores.planChanges,
  });
  const topUp = createTopUp({ purchases, packs });
  const invoicing = createInvoicing({ ...parts, provider: payments.provider });
  return { ...invoicing, topUp, packPayments, customerBilling, staffBilling, autoRecharges, subscriptions, coupons };
}

type FindTerms = (accountId: number) => Promise<AccountTerms | undefined>;

/** Finds what credits an account is due. Undefined where there is no such account. */
export const createTermsFinder =
  ({ registry, plans }: Pick<InvoicingParts, 'registry' | 'plans'>): FindTerms =>
  async (accountId) => {
    const account = await registry.account(accountId);
    return account && accountTermsOfBilled(account, plans);
  };

const requireTerms = (findTerms: FindTerms) => async (accountId: number) => {
  const terms = await findTerms(accountId);
  if (!terms) throw new Error(`there is no account ${accountId}`);
  return terms;
};
