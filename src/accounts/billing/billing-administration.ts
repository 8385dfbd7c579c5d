import { decideRefund } from '../../../commands/credit-decisions.ts';
import type { ChargedCall } from '../../domain/accounts/account-event-data.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { PaymentProvider } from '../../platform/payments/payments.ts';
import type { Credits } from '../credits/credits.ts';
import { readLedgerRecords } from '../credits/ledger-reader.ts';
import type { ProviderInvoices } from './provider-invoices.ts';

/** An operator's request that cannot be carried out. The message says why. */
export class BillingRefused extends Error {
  readonly code = 'billing_refused';
}

interface BillingAdministrationParts {
  readonly provider: PaymentProvider;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly credits: Pick<Credits, 'ledger' | 'record' | 'remaining' | 'flush'>;
  readonly invoices: Pick<ProviderInvoices, 'record'>;
  /** Undefined if there is no such account. */
  readonly findTerms: (accountId: number) => Promise<AccountTerms | undefined>;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly newInvoiceId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The operator's commands for an account's money. The answers are printed as they are. @throws BillingRefused */
export interface BillingAdministration {
  /** For the development adapter, which sends no invoices: adds a declined invoice, or pays the last declined one. */
  invoice(accountId: number, kind: 'declined' | 'paid'): Promise<Record<string, unknown>>;
  /** Refunds the charge of a call, once. */
  refund(accountId: number, requestId: string, reason: string): Promise<Record<string, unknown>>;
}

export function createBillingAdministration(parts: BillingAdministrationParts): BillingAdministration {
  const { provider, log, credits, invoices, findTerms, baseUrl, newInvoiceId, now } = parts;

  async function termsOf(accountId: number): Promise<AccountTerms> {
    const terms = await findTerms(accountId);
    if (!terms) throw new BillingRefused(`there is no account ${accountId}`);
    return terms;
  }

  /** The charges with this request id. The client chooses the id, and may have used it for two calls. */
  async function chargesFor(accountId: number, requestId: string) {
    const found: { readonly call: ChargedCall; readonly unlimited: boolean }[] = [];
    for await (const { type, data } of readLedgerRecords(log, accountId)) {
      if (type !== 'CreditsCharged') continue;
      for (const call of data.charges) {
        if (call.requestId === requestId) found.push({ call, unlimited: data.unlimited === true });
      }
    }
    return found;
  }

  return {
    async invoice(accountId, kind) {
      if (provider !== 'development') {
        throw new BillingRefused(`invoices are those of ${provider}, which tells of them itself`);
      }
      const ledger = await credits.ledger(await termsOf(accountId));
      const invoice = kind === 'declined' ? newInvoiceId() : ledger.declined.invoices.at(-1);
      if (invoice === undefined) throw new BillingRefused(`account ${accountId} has no declined invoice`);
      const hostedInvoiceUrl = kind === 'declined' ? `${baseUrl()}/billing#${invoice}` : null;
      await invoices.record(accountId, { kind, invoice, hostedInvoiceUrl });
      return { account_id: accountId, invoice, status: kind, hosted_invoice_url: hostedInvoiceUrl };
    },

    async refund(accountId, requestId, reason) {
      const terms = await termsOf(accountId);
      // The charge may not be in the log yet.
      await credits.flush();
      const [charge, another] = await chargesFor(accountId, requestId);
      if (!charge) throw new BillingRefused(`account ${accountId} was charged nothing for the request ${requestId}`);
      if (another) throw new BillingRefused(`more than one call of account ${accountId} has the id ${requestId}`);
      if (charge.unlimited) {
        throw new BillingRefused(`account ${accountId} had credits without a limit then: nothing was taken from it`);
      }
      if ((await credits.ledger(terms)).refunded.includes(requestId)) {
        throw new BillingRefused(`the charge of the request ${requestId} was taken back before`);
      }
      await credits.record(terms, (ledger) => decideRefund(accountId, ledger, charge.call, reason, now()));
      const { credits: refunded, operation } = charge.call;
      return {
        account_id: accountId,
        request_id: requestId,
        operation,
        credits: refunded,
        balance: await credits.remaining(terms),
      };
    },
  };
}
