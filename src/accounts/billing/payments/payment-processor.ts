import {
  decideInvoiceDeclined,
  decideInvoicePaid,
  decidePaidRestOfMonth,
} from '../../../../commands/billing-decisions.ts';
import { decideTopUp } from '../../../../commands/credit-decisions.ts';
import type { LedgerEvent } from '../../../domain/accounts/account-events.ts';
import type { Ledger } from '../../../domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../domain/accounts/credit-terms.ts';
import { formatTime, HOUR } from '../../../domain/primitives/time.ts';
import { createKeyedSequentialQueue } from '../../../platform/async/concurrency.ts';
import { toIsoTime } from '../../../platform/clock/iso-time.ts';
import { alwaysOpenGate, type WriteGate } from '../../../platform/clock/write-gate.ts';
import type { Charge, ChargeOutcome, Payments } from '../../../platform/payments/payments.ts';
import type { Credits } from '../../credits/credits.ts';
import {
  type BillingRegistry,
  invoiceLineOf,
  type PaymentOutcome,
  type PaymentRecord,
  type ProcessLease,
  paymentDescriptionOf,
  paymentTotal,
} from '../model/billing-registry.ts';
import { GROWTH_PLAN } from '../model/billing-stores.ts';

/** The log for the progress of payments. */
export interface BillingLogger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface Payer {
  readonly name: string | null;
  readonly email: string | null;
}

/** The reasons for a mail to the owner: an automatic pack, or a month, could not be paid. */
export type BillingMailKind = 'auto_recharge_declined' | 'invoice_declined';

export interface PaymentProcessorParts {
  readonly registry: BillingRegistry;
  readonly payments: Payments;
  readonly credits: Pick<Credits, 'record'>;
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** The customer's name and address, for the invoice. */
  readonly personOf: (accountId: number) => Promise<Payer>;
  /** Sends a mail to the account's owner. Resolves when the mail is stored for delivery. */
  readonly mail: (accountId: number, what: BillingMailKind) => Promise<void>;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after this many milliseconds, without keeping the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
  /** While it is closed, no payment continues, since its credits could not be recorded. Default: open. */
  readonly gate?: WriteGate | undefined;
  /** Names this process among those that share the registry. Default: it is the only one. */
  readonly owner?: string | undefined;
}

/** Processes payments of packs and months: from the row in the registry to the credits. */
export interface PaymentProcessor {
  /** Runs one piece of work at a time for each account, so that nothing is charged or looked up twice at once. */
  inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  /** A lease for a payment that begins now. */
  hold(): ProcessLease;
  /** As in `BillingRegistry`. Claim a payment before settling it, unless it was begun here. */
  claim(key: string): Promise<PaymentRecord | 'held' | undefined>;
  /**
   * Charges a stored payment and adds its credits. Call it in the account's turn, with the lease.
   * @throws ChargeOutcomeUnknown; or the error that kept the credits out of the log, in which case they are added later
   */
  settle(payment: PaymentRecord): Promise<ChargeOutcome>;
  /** Continues payments that an earlier process, or an error, has left open. Never throws. */
  resume(): Promise<void>;
  /** Starts no more work, and waits for the work in progress. */
  close(): Promise<void>;
}

/** The provider's answer was lost. */
export class ChargeOutcomeUnknown extends Error {}

/** Providers forget idempotency keys after 24 hours. Later a repeated request could charge again. */
const RETRY_CHARGE_FOR = 23 * HOUR;
/** When open payments are checked again, and how long a charge may take to appear at the provider. */
const RECHECK_AFTER = 60_000;
/** Longer than a charge with all its retries. After that another process takes over. */
const LEASE_LENGTH = 5 * 60_000;

/**
 * The steps of a payment, and the failure that each step prevents:
 *
 * 1. Store the row, pending, with the idempotency key. Without it a crash after the charge would lose track of the
 * money.
 * 2. Charge, with that key. Without the key, repeating the charge after a crash would take the money twice.
 * 3. Record the credits in the account's ledger, once for each payment. If the row were ended first, a crash between
 * the two would keep the money and lose the credits. If they were not recorded once only, a crash after this step would
 * give them twice. The credits for the rest of a month are recorded before the account is on the plan (see
 * `decidePaidRestOfMonth`).
 * 4. End the row, with the invoice, the plan and the coupon. Without it every start would go through all payments ever
 * made.
 */
export function createPaymentProcessor(parts: PaymentProcessorParts): PaymentProcessor {
  const { registry, payments, credits, termsOf, personOf, baseUrl, now } = parts;
  const { later, log, gate = alwaysOpenGate, owner = 'server' } = parts;
  const turns = createKeyedSequentialQueue<number>();
  let closed = false;
  let isScheduled = false;

  const at = () => formatTime(now());
  const fieldsOf = ({ accountId, provider, key, packId }: PaymentRecord) => ({
    account_id: accountId,
    provider,
    payment_key: key,
    pack_id: packId,
  });

  const hold = (): ProcessLease => ({ owner, until: formatTime(now() + LEASE_LENGTH) });
  const claim = (key: string) => registry.claimOpenPayment(key, hold(), at());

  /** A payment that costs nothing, or has no card to charge, does not go to the provider. */
  function askProvider(
    payment: PaymentRecord,
    request: (charge: Charge) => Promise<ChargeOutcome>,
  ): Promise<ChargeOutcome>;
  function askProvider(
    payment: PaymentRecord,
    request: (charge: Charge) => Promise<ChargeOutcome | null>,
  ): Promise<ChargeOutcome | null>;
  async function askProvider(payment: PaymentRecord, request: (charge: Charge) => Promise<ChargeOutcome | null>) {
    if (paymentTotal(payment) === 0) return { outcome: 'paid' as const, payment: `free_${payment.key}` };
    if (payment.paymentMethod === NO_PAYMENT_METHOD)
      return { outcome: 'payment_method_required' as const, reason: 'no card' };
    return request(toCharge(payment));
  }

  async function settle(payment: PaymentRecord): Promise<ChargeOutcome> {
    let outcome: ChargeOutcome;
    try {
      outcome = await askProvider(payment, (charge) => payments.charge(charge));
    } catch (error) {
      log.error({ err: error, ...fieldsOf(payment) }, 'it is not known what has become of a charge; it is looked for');
      scheduleResume();
      await registry.markUnclear(payment.key, (error as Error).message, at());
      throw new ChargeOutcomeUnknown();
    }
    return conclude(payment, outcome);
  }

  async function conclude(payment: PaymentRecord, outcome: ChargeOutcome): Promise<ChargeOutcome> {
    try {
      await recordOutcome(payment, outcome);
      await end(payment, outcome);
    } catch (error) {
      scheduleResume();
      throw error;
    }
    const fields = fieldsOf(payment);
    if (outcome.outcome === 'paid') {
      const { credits: bought, month = null } = payment;
      const what = payment.packId === 0 ? 'a month of a plan was paid for' : 'a pack was paid for';
      log.info({ ...fields, payment: outcome.payment, credits: bought, month }, what);
    } else if (outcome.outcome === 'refused') {
      log.error({ ...fields, reason: outcome.reason }, 'the provider refused a charge; no money was taken');
    } else log.info({ ...fields, reason: outcome.reason }, 'a charge was declined');
    return outcome;
  }

  /** Records the outcome in the account's ledger. */
  async function recordOutcome(payment: PaymentRecord, outcome: ChargeOutcome): Promise<void> {
    const { accountId } = payment;
    const isPaid = outcome.outcome === 'paid';
    if (!isPaid && !(payment.purpose === 'month' && outcome.outcome !== 'refused')) return;
    const decide = (ledger: Readonly<Ledger>) =>
      isPaid
        ? eventsOfPaid(ledger, payment, outcome.payment, now())
        : decideInvoiceDeclined(
            ledger,
            { accountId, invoice: payment.key, hostedInvoiceUrl: `${baseUrl()}/billing` },
            now(),
          );
    await credits.record(await termsOf(accountId), decide);
  }

  async function end(payment: PaymentRecord, outcome: ChargeOutcome): Promise<void> {
    const { accountId, provider, key, purpose } = payment;
    const isFree = paymentTotal(payment) === 0;
    const label = isFree ? null : ((await registry.cardLabel(accountId, provider)) ?? defaultCardLabel(payment));
    const { name, email } = await personOf(accountId);
    const state = finalStateOf(payment, outcome);
    // Send the mail before the row ends. In the other order a crash between the two would lose the mail.
    if (state !== 'done' && purpose === 'automatic') await mail(accountId, 'auto_recharge_declined');
    if (state === 'declined' && purpose === 'month') await mail(accountId, 'invoice_declined');
    await registry.endPayment({
      key,
      state,
      at: toIsoTime(now()),
      line: invoiceLineOf(payment),
      card: label,
      ...(outcome.outcome === 'paid' ? { payment: outcome.payment } : { reason: outcome.reason }),
      isTest: provider === 'development',
      customerName: name,
      customerEmail: email,
    });
  }

  const mail = (accountId: number, what: BillingMailKind): Promise<void> =>
    parts.mail(accountId, what).catch((error) => {
      log.error({ err: error, account_id: accountId, what }, 'nobody could be written that a charge was declined');
    });

  /** Continues a payment for which no caller waits. @returns whether the payment has ended */
  async function resumePayment(payment: PaymentRecord): Promise<boolean> {
    const { state, createdAt, updatedAt } = payment;
    const requestedSince = Date.parse(createdAt);
    // Never repeat an unclear charge: the client knows that it is unclear, and may have paid in another way since.
    if (state === 'pending' && now() - requestedSince < RETRY_CHARGE_FOR) {
      await settle(payment);
      return true;
    }
    const outcome = await askProvider(payment, (charge) => payments.find(charge, requestedSince));
    if (outcome !== null) {
      await conclude(payment, outcome);
      return true;
    }
    if (state === 'unclear' && now() - Date.parse(updatedAt) < RECHECK_AFTER) return false;
    await end(payment, { outcome: 'refused', reason: 'it was never made' });
    log.warn(fieldsOf(payment), 'a payment that was left open was never made');
    return true;
  }

  async function resume(): Promise<void> {
    if (!gate.isOpen) return scheduleResume();
    const open = await registry.openPayments();
    const others = open.filter(({ provider }) => provider !== payments.provider);
    for (const payment of others) log.warn(fieldsOf(payment), 'an open payment waits for a start with its provider');
    for (const { accountId, key, provider } of open) {
      if (closed || provider !== payments.provider) continue;
      await turns.inTurn(accountId, async () => {
        // A call or another process may have settled it meanwhile.
        const payment = closed ? undefined : await claim(key);
        if (closed || payment === undefined) return;
        const isOver =
          payment !== 'held' &&
          (await resumePayment(payment).catch((error) => {
            if (!(error instanceof ChargeOutcomeUnknown)) {
              log.error({ err: error, ...fieldsOf(payment) }, 'an open payment could not be brought to its end');
            }
            return false;
          }));
        if (!isOver) scheduleResume();
      });
    }
  }

  const resumeSafely = (): Promise<void> =>
    resume().catch((error) => {
      log.error({ err: error }, 'open payments could not be looked at');
      scheduleResume();
    });

  function scheduleResume(): void {
    if (closed || isScheduled) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      if (!closed) void resumeSafely();
    }, RECHECK_AFTER);
  }

  return {
    inTurn: turns.inTurn,
    hold,
    claim,
    settle,
    resume: resumeSafely,
    async close() {
      closed = true;
      await turns.settled();
    },
  };
}

/** There is no card to charge. */
export const NO_PAYMENT_METHOD = '';

/** A month without a card to charge is owed like a declined one. */
function finalStateOf({ purpose }: PaymentRecord, { outcome }: ChargeOutcome): PaymentOutcome['state'] {
  if (outcome === 'paid') return 'done';
  const isDeclined = outcome === 'declined' || (outcome === 'payment_method_required' && purpose === 'month');
  return isDeclined ? 'declined' : 'failed';
}

/** The events of a paid payment; none if they are recorded already. */
function eventsOfPaid(ledger: Readonly<Ledger>, row: PaymentRecord, payment: string, now: number): LedgerEvent[] {
  const { accountId, purpose, credits, packId, currency, keyId, requestId } = row;
  switch (purpose) {
    case 'growth': {
      const rest = { accountId, plan: GROWTH_PLAN, month: row.month!, payment, credits, by: row.userId ?? null };
      // This payment also ends a run of months that could not be charged.
      return [
        ...decidePaidRestOfMonth(ledger, rest, now),
        ...decideInvoicePaid(ledger, { accountId, invoice: row.key }, now),
      ];
    }
    case 'month':
      return decideInvoicePaid(ledger, { accountId, invoice: row.key }, now);
    default: {
      const topUp = { accountId, packId, credits, payment, priceCents: paymentTotal(row), currency, requestId };
      return decideTopUp(ledger, keyId === 0 ? topUp : { ...topUp, keyId }, now);
    }
  }
}

/** The label of a card that no page has put on file. */
export const defaultCardLabel = ({
  provider,
  paymentMethod,
}: Pick<PaymentRecord, 'provider' | 'paymentMethod'>): string =>
  provider === 'development' ? `Test card ${paymentMethod}` : 'Card on file';

/** It uses only stored data, so that a repeated charge is identical. */
const toCharge = (payment: PaymentRecord): Charge => ({
  accountId: payment.accountId,
  customer: payment.customer,
  paymentMethod: payment.paymentMethod,
  amountCents: paymentTotal(payment),
  currency: payment.currency,
  description: paymentDescriptionOf(payment),
  idempotencyKey: payment.key,
});
