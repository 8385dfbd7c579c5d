import type { AccountTerms } from '../../domain/accounts/terms.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Payments, Provider } from '../../payments/payments.ts';
import type { Pack } from '../../settings/plans.ts';
import type { Credits } from '../credits/credits.ts';
import type { RandomBytes } from '../keys/key-format.ts';
import { type Plans, termsOfAccount } from '../plan-terms.ts';
import { type BillingAdministration, createBillingAdministration } from './billing-administration.ts';
import type { BillingRegistry } from './billing-registry.ts';
import { createInvoices, type Invoices } from './invoices.ts';
import { type BillingLog, createPackPayments, type PackPayments, type PackPaymentsParts } from './pack-payments.ts';
import { createTopUp, type TopUp } from './top-ups.ts';

export interface InvoicingParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly registry: BillingRegistry;
  readonly provider: Provider;
  readonly credits: Credits;
  readonly plans: Plans;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly random: RandomBytes;
  /** Milliseconds. */
  readonly now: () => number;
  readonly billingLog: BillingLog;
}

export interface Invoicing {
  readonly invoices: Invoices;
  readonly administration: BillingAdministration;
}

/** What moves no money: a command without a server has it too. */
export function createInvoicing(parts: InvoicingParts): Invoicing {
  const { random, billingLog } = parts;
  const findTerms = termsFinder(parts);
  const invoices = createInvoices({ ...parts, termsOf: existing(findTerms), log: billingLog });
  const newInvoiceId = () => `development_invoice_${Buffer.from(random(9)).toString('base64url')}`;
  return { invoices, administration: createBillingAdministration({ ...parts, invoices, findTerms, newInvoiceId }) };
}

export interface BillingParts
  extends Omit<InvoicingParts, 'provider'>,
    Pick<PackPaymentsParts, 'later' | 'owner' | 'gate'> {
  readonly payments: Payments;
  readonly packs: readonly Pack[];
  readonly pepper: string;
}

export interface Billing extends Invoicing {
  readonly topUp: TopUp;
  readonly packPayments: Pick<PackPayments, 'resume' | 'close'>;
}

export function createBilling(parts: BillingParts): Billing {
  const { payments, billingLog } = parts;
  const termsOf = existing(termsFinder(parts));
  const packPayments = createPackPayments({ ...parts, termsOf, log: billingLog });
  const topUp = createTopUp({ ...parts, packPayments });
  return { ...createInvoicing({ ...parts, provider: payments.provider }), topUp, packPayments };
}

type FindTerms = (accountId: number) => Promise<AccountTerms | undefined>;

/** What an account is due; undefined where there is no such account. */
export const termsFinder =
  ({ registry, plans }: Pick<InvoicingParts, 'registry' | 'plans'>): FindTerms =>
  async (accountId) => {
    const account = await registry.account(accountId);
    return account && termsOfAccount(account, plans);
  };

const existing = (findTerms: FindTerms) => async (accountId: number) => {
  const terms = await findTerms(accountId);
  if (!terms) throw new Error(`there is no account ${accountId}`);
  return terms;
};
