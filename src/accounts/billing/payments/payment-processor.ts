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
import { alwaysOpenGate, type WriteGate } from '../../../platform/clock/write-gate.ts';
import type { Charge, ChargeOutcome, Payments } from '../../../platform/payments/payments.ts';
import type { Credits } from '../../credits/credits.ts';
import {
  type BillingRegistry,
  invoiceLineOf,
  type PaymentOutcome,
  type PaymentRecord,
  type ProcessLease,
  paymentTotal,
} from '../model/billing-registry.ts';
import { GROWTH_PLAN } from '../model/billing-stores.ts';

/** Where the course of payments is told. */
export interface BillingLogger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface Payer {
  readonly name: string | null;
  readonly email: string | null;
}

/** What owners are written of: a pack that was to be bought by itself, or a month, could not be paid for. */
export type BillingMailKind = 'auto_recharge_declined' | 'invoice_declined';

export interface PaymentProcessorParts {
  readonly registry: BillingRegistry;
  readonly payments: Payments;
  readonly credits: Pick<Credits, 'record'>;
  /** Of an account that exists. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Who is charged, for invoices. */
  readonly personOf: (accountId: number) => Promise<Payer>;
  /** Writes to the owner of an account. Resolves when it is on its way for good. */
  readonly mail: (accountId: number, what: BillingMailKind) => Promise<void>;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds. It must not keep the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
  /** Closed, no payment goes on: its credits could not be entered. Absent: it is open. */
  readonly gate?: WriteGate | undefined;
  /** Names this process among those that work on one registry; default: it is alone. */
  readonly owner?: string | undefined;
}

/** Payments, of packs and of months, on their way from their row in the registry to what they bring. */
export interface PaymentProcessor {
  /** One thing at a time for each account: nothing of it is asked for, or looked for, twice at once. */
  inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  /** For a payment that begins now: no other process works on it. */
  hold(): ProcessLease;
  /** As `BillingRegistry` has it. Whoever settles a payment that it has not begun holds it first. */
  claim(key: string): Promise<PaymentRecord | 'held' | undefined>;
  /**
   * Charges a payment whose row is on disk, and brings its credits. In its account's turn, and held.
   * @throws OutcomeUnclear; and whatever kept the credits from the log, after which they follow by themselves
   */
  settle(payment: PaymentRecord): Promise<ChargeOutcome>;
  /** Goes on with what a process before this one, or a fault in it, has left open. Never throws. */
  resume(): Promise<void>;
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

/** The provider's answer was lost. */
export class ChargeOutcomeUnknown extends Error {}

/** Providers forget idempotency keys after 24 hours: from then on asking again could charge again. */
const RETRY_CHARGE_FOR = 23 * HOUR;
/** When what is open is looked at again, and how long a charge may take to show at the provider. */
const RECHECK_AFTER = 60_000;
/** Longer than a charge takes with all that is repeated of it. Another process goes on with it after that. */
const LEASE_LENGTH = 5 * 60_000;

/**
 * The order of a payment, and the failure that each step prevents:
 *
 * 1. its row, pending, with the idempotency key: without it a crash after the charge would forget that money was taken;
 * 2. the charge, under that key: without the key, asking again after a crash would take the money twice;
 * 3. what it brings, in the account's ledger, once for each payment: were the row done before it, a crash between the two
 *    would keep the money and lose the credits, and without the once a crash after it would give them twice. The rest of
 *    a month's credits stand there before the account is on the plan (see `decidePaidRest`);
 * 4. the row, done, with the invoice, the plan and the coupon: without it every start would go over all payments that
 *    were ever made.
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

  /** What costs nothing, or has nobody to be charged, is no matter of the provider's. */
  function ask(payment: PaymentRecord, asking: (charge: Charge) => Promise<ChargeOutcome>): Promise<ChargeOutcome>;
  function ask(
    payment: PaymentRecord,
    asking: (charge: Charge) => Promise<ChargeOutcome | null>,
  ): Promise<ChargeOutcome | null>;
  async function ask(payment: PaymentRecord, asking: (charge: Charge) => Promise<ChargeOutcome | null>) {
    if (paymentTotal(payment) === 0) return { outcome: 'paid' as const, payment: `free_${payment.key}` };
    if (payment.paymentMethod === NO_PAYMENT_METHOD)
      return { outcome: 'payment_method_required' as const, reason: 'no card' };
    return asking(toCharge(payment));
  }

  async function settle(payment: PaymentRecord): Promise<ChargeOutcome> {
    let outcome: ChargeOutcome;
    try {
      outcome = await ask(payment, (charge) => payments.charge(charge));
    } catch (error) {
      log.error({ err: error, ...fieldsOf(payment) }, 'it is not known what has become of a charge; it is looked for');
      lookAgain();
      await registry.markUnclear(payment.key, (error as Error).message, at());
      throw new ChargeOutcomeUnknown();
    }
    return conclude(payment, outcome);
  }

  async function conclude(payment: PaymentRecord, outcome: ChargeOutcome): Promise<ChargeOutcome> {
    try {
      await enter(payment, outcome);
      await end(payment, outcome);
    } catch (error) {
      lookAgain();
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

  /** What the account's ledger has of it. */
  async function enter(payment: PaymentRecord, outcome: ChargeOutcome): Promise<void> {
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
    // Before the row: a crash between the two would have written to nobody.
    if (state !== 'done' && purpose === 'automatic') await mail(accountId, 'auto_recharge_declined');
    if (state === 'declined' && purpose === 'month') await mail(accountId, 'invoice_declined');
    await registry.endPayment({
      ...{ key, state, at: isoOf(now()), line: invoiceLineOf(payment), card: label },
      ...(outcome.outcome === 'paid' ? { payment: outcome.payment } : { reason: outcome.reason }),
      ...{ isTest: provider === 'development', customerName: name, customerEmail: email },
    });
  }

  const mail = (accountId: number, what: BillingMailKind): Promise<void> =>
    parts.mail(accountId, what).catch((error) => {
      log.error({ err: error, account_id: accountId, what }, 'nobody could be written that a charge was declined');
    });

  /** Nobody waits for it any more. @returns whether it has come to an end */
  async function goOn(payment: PaymentRecord): Promise<boolean> {
    const { state, createdAt, updatedAt } = payment;
    const askedSince = Date.parse(createdAt);
    // Who was told that it is unclear may have paid in another way since: it is not asked for again.
    if (state === 'pending' && now() - askedSince < RETRY_CHARGE_FOR) {
      await settle(payment);
      return true;
    }
    const outcome = await ask(payment, (charge) => payments.find(charge, askedSince));
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
    if (!gate.isOpen) return lookAgain();
    const open = await registry.openPayments();
    const others = open.filter(({ provider }) => provider !== payments.provider);
    for (const payment of others) log.warn(fieldsOf(payment), 'an open payment waits for a start with its provider');
    for (const { accountId, key, provider } of open) {
      if (closed || provider !== payments.provider) continue;
      await turns.inTurn(accountId, async () => {
        // A call may have come first, or another process.
        const payment = closed ? undefined : await claim(key);
        if (closed || payment === undefined) return;
        const isOver =
          payment !== 'held' &&
          (await goOn(payment).catch((error) => {
            if (!(error instanceof ChargeOutcomeUnknown)) {
              log.error({ err: error, ...fieldsOf(payment) }, 'an open payment could not be brought to its end');
            }
            return false;
          }));
        if (!isOver) lookAgain();
      });
    }
  }

  const resumeSafely = (): Promise<void> =>
    resume().catch((error) => {
      log.error({ err: error }, 'open payments could not be looked at');
      lookAgain();
    });

  function lookAgain(): void {
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

/** Nobody is to be charged. */
export const NO_PAYMENT_METHOD = '';

/** A month that has no card to be charged is owed as one that was declined. */
function finalStateOf({ purpose }: PaymentRecord, { outcome }: ChargeOutcome): PaymentOutcome['state'] {
  if (outcome === 'paid') return 'done';
  const isDeclined = outcome === 'declined' || (outcome === 'payment_method_required' && purpose === 'month');
  return isDeclined ? 'declined' : 'failed';
}

/** What a payment brings; nothing where it has brought it already. */
function eventsOfPaid(ledger: Readonly<Ledger>, row: PaymentRecord, payment: string, now: number): LedgerEvent[] {
  const { accountId, purpose, credits, packId, currency, keyId, requestId } = row;
  switch (purpose) {
    case 'growth': {
      const rest = { accountId, plan: GROWTH_PLAN, month: row.month!, payment, credits, by: row.userId ?? null };
      // A month that could not be charged before is none in a row any more.
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

/** Of a card that no page has put on file. */
const defaultCardLabel = ({ provider, paymentMethod }: PaymentRecord): string =>
  provider === 'development' ? `Test card ${paymentMethod}` : 'Card on file';

const isoOf = (time: number): string => new Date(time).toISOString();

/** From the row alone: asked for again, it is asked for in the same words. */
const toCharge = (payment: PaymentRecord): Charge => ({
  accountId: payment.accountId,
  customer: payment.customer,
  paymentMethod: payment.paymentMethod,
  amountCents: paymentTotal(payment),
  currency: payment.currency,
  description: invoiceLineOf(payment),
  idempotencyKey: payment.key,
});
