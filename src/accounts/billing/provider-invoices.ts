import { decideInvoiceDeclined, decideInvoicePaid } from '../../../commands/billing-decisions.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import type { InvoiceNotice, PaymentProvider } from '../../platform/payments/payments.ts';
import type { Credits } from '../credits/credits.ts';
import type { BillingRegistry } from './model/billing-registry.ts';
import type { BillingLogger } from './payments/payment-processor.ts';

interface ProviderInvoicesParts {
  readonly registry: BillingRegistry;
  readonly provider: PaymentProvider;
  readonly credits: Pick<Credits, 'record'>;
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: BillingLogger;
}

/** Declined and paid invoices from the provider. Its notices arrive more than once, and in any order. */
export interface ProviderInvoices {
  /** Resolves when the invoice is on disk. An invoice of an unknown customer is only logged. */
  receive(notice: InvoiceNotice): Promise<void>;
  /** The same, for a known account. */
  record(accountId: number, notice: Omit<InvoiceNotice, 'customer'>): Promise<void>;
}

export function createProviderInvoices({
  registry,
  provider,
  credits,
  termsOf,
  now,
  log,
}: ProviderInvoicesParts): ProviderInvoices {
  /** One notice after the other: a notice of a decline may arrive after the notice that the invoice is paid. */
  const queue = createSequentialQueue();

  async function record(accountId: number, notice: Omit<InvoiceNotice, 'customer'>): Promise<void> {
    const { invoice, kind, hostedInvoiceUrl } = notice;
    const known = await registry.invoice(provider, invoice);
    if (known?.status === 'paid' || known?.status === kind) return;
    await credits.record(await termsOf(accountId), (ledger) =>
      kind === 'paid'
        ? decideInvoicePaid(ledger, { accountId, invoice }, now())
        : decideInvoiceDeclined(ledger, { accountId, invoice, hostedInvoiceUrl }, now()),
    );
    // The ledger comes first. A stored invoice is not recorded again, so a crash between the two must leave it
    // unstored.
    const updatedAt = formatTime(now());
    await registry.putInvoice({ provider, id: invoice, accountId, status: kind, hostedInvoiceUrl, updatedAt });
    log.info({ account_id: accountId, invoice, provider }, `an invoice was ${kind}`);
  }

  function recordInTurn(accountId: number, notice: Omit<InvoiceNotice, 'customer'>): Promise<void> {
    return queue(() => record(accountId, notice));
  }

  return {
    record: recordInTurn,
    async receive({ customer, ...notice }) {
      const accountId = await registry.accountOfCustomer(provider, customer);
      if (accountId !== undefined) return recordInTurn(accountId, notice);
      log.warn({ customer, invoice: notice.invoice, provider }, 'an invoice of a customer of no account');
    },
  };
}
