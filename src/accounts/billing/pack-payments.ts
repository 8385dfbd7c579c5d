import { decideTopUp } from '../../../commands/credits/decider.ts';
import { type Gate, openGate } from '../../clock/gate.ts';
import type { AccountTerms } from '../../domain/accounts/terms.ts';
import { formatTime, HOUR } from '../../domain/time.ts';
import type { Charge, ChargeOutcome, Payments } from '../../payments/payments.ts';
import { createOneAtATimeByKey } from '../../time/one-at-a-time.ts';
import type { Credits } from '../credits/credits.ts';
import type { BillingRegistry, PackPayment, PaymentHold } from './billing-registry.ts';

/** Where the course of payments is told. */
export interface BillingLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface PackPaymentsParts {
  readonly registry: BillingRegistry;
  readonly payments: Payments;
  readonly credits: Pick<Credits, 'record'>;
  /** Of an account that exists. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds. It must not keep the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLog;
  /** Closed, no payment goes on: its credits could not be entered. Absent: it is open. */
  readonly gate?: Gate | undefined;
  /** Names this process among those that work on one registry; default: it is alone. */
  readonly owner?: string | undefined;
}

/** Payments on their way from their row in the registry to the credits that they bring. */
export interface PackPayments {
  /** One thing at a time for each account: nothing of it is asked for, or looked for, twice at once. */
  inTurn<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  /** For a payment that begins now: no other process works on it. */
  hold(): PaymentHold;
  /** As `BillingRegistry` has it. Whoever settles a payment that it has not begun holds it first. */
  claim(key: string): Promise<PackPayment | 'held' | undefined>;
  /**
   * Charges a payment whose row is on disk, and brings its credits. In its account's turn, and held.
   * @throws OutcomeUnclear; and whatever kept the credits from the log, after which they follow by themselves
   */
  settle(payment: PackPayment): Promise<ChargeOutcome>;
  /** Goes on with what a process before this one, or a fault in it, has left open. Never throws. */
  resume(): Promise<void>;
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

/** The provider's answer was lost. */
export class OutcomeUnclear extends Error {}

/** Providers forget idempotency keys after 24 hours: from then on asking again could charge again. */
const ASK_AGAIN_FOR = 23 * HOUR;
/** When what is open is looked at again, and how long a charge may take to show at the provider. */
const LOOK_AGAIN = 60_000;
/** Longer than a charge takes with all that is repeated of it. Another process goes on with it after that. */
const HELD_FOR = 5 * 60_000;

/**
 * The order of a payment, and the failure that each step prevents:
 *
 * 1. its row, pending, with the idempotency key: without it a crash after the charge would forget that money was taken;
 * 2. the charge, under that key: without the key, asking again after a crash would take the money twice;
 * 3. `CreditsToppedUp` in the log, once for each payment: were the row done before it, a crash between the two would
 *    keep the money and lose the credits, and without the once a crash after it would give them twice;
 * 4. the row, done: without it every start would go over all payments that were ever made.
 */
export function createPackPayments(parts: PackPaymentsParts): PackPayments {
  const { registry, payments, credits, termsOf, now, later, log, gate = openGate, owner = 'server' } = parts;
  const turns = createOneAtATimeByKey<number>();
  let closed = false;
  let isScheduled = false;

  const at = () => formatTime(now());
  const fieldsOf = ({ accountId, provider, key, packId }: PackPayment) => ({
    account_id: accountId,
    provider,
    payment_key: key,
    pack_id: packId,
  });

  const hold = (): PaymentHold => ({ owner, until: formatTime(now() + HELD_FOR) });
  const claim = (key: string) => registry.claimOpenPayment(key, hold(), at());

  async function settle(payment: PackPayment): Promise<ChargeOutcome> {
    let outcome: ChargeOutcome;
    try {
      outcome = await payments.charge(chargeOf(payment));
    } catch (error) {
      log.error({ err: error, ...fieldsOf(payment) }, 'it is not known what has become of a charge; it is looked for');
      lookAgain();
      const reason = (error as Error).message;
      await registry.settlePayment(payment.key, { state: 'unclear', reason, updatedAt: at() });
      throw new OutcomeUnclear();
    }
    return conclude(payment, outcome);
  }

  async function conclude(payment: PackPayment, outcome: ChargeOutcome): Promise<ChargeOutcome> {
    if (outcome.outcome !== 'paid') {
      const state = outcome.outcome === 'declined' ? 'declined' : 'failed';
      await registry.settlePayment(payment.key, { state, reason: outcome.reason, updatedAt: at() });
      const fields = { ...fieldsOf(payment), reason: outcome.reason };
      if (outcome.outcome === 'refused') log.error(fields, 'the provider refused a charge; no money was taken');
      else log.info(fields, 'a charge was declined');
      return outcome;
    }
    try {
      await giveCredits(payment, outcome.payment);
      await registry.settlePayment(payment.key, { state: 'done', payment: outcome.payment, updatedAt: at() });
    } catch (error) {
      lookAgain();
      throw error;
    }
    log.info({ ...fieldsOf(payment), payment: outcome.payment, credits: payment.credits }, 'a pack was paid for');
    return outcome;
  }

  async function giveCredits(row: PackPayment, payment: string): Promise<void> {
    const { accountId, packId, priceCents, currency, keyId, requestId } = row;
    const topUp = { accountId, packId, credits: row.credits, payment, priceCents, currency, keyId, requestId };
    await credits.record(await termsOf(accountId), (ledger) => decideTopUp(ledger, topUp, now()));
  }

  /** Nobody waits for it any more. @returns whether it has come to an end */
  async function goOn(payment: PackPayment): Promise<boolean> {
    const { key, state, createdAt, updatedAt } = payment;
    const askedSince = Date.parse(createdAt);
    // Who was told that it is unclear may have paid in another way since: it is not asked for again.
    if (state === 'pending' && now() - askedSince < ASK_AGAIN_FOR) {
      await settle(payment);
      return true;
    }
    const outcome = await payments.find(chargeOf(payment), askedSince);
    if (outcome !== null) {
      await conclude(payment, outcome);
      return true;
    }
    if (state === 'unclear' && now() - Date.parse(updatedAt) < LOOK_AGAIN) return false;
    await registry.settlePayment(key, { state: 'failed', reason: 'it was never made', updatedAt: at() });
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
            if (!(error instanceof OutcomeUnclear)) {
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
    }, LOOK_AGAIN);
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

/** From the row alone: asked for again, it is asked for in the same words. */
const chargeOf = ({ key, accountId, customer, paymentMethod, packName, ...pack }: PackPayment): Charge => ({
  accountId,
  customer,
  paymentMethod,
  amountCents: pack.priceCents,
  currency: pack.currency,
  description: `${pack.credits} credits (${packName})`,
  idempotencyKey: key,
});
