import { createHmac } from 'node:crypto';
import { formatTime, HOUR } from '../../../domain/primitives/time.ts';
import { alwaysOpenGate, type WriteGate } from '../../../platform/clock/write-gate.ts';
import type { ChargeOutcome, Payments } from '../../../platform/payments/payments.ts';
import { isUniqueViolation } from '../../../platform/sql/dialects.ts';
import type { RandomBytes } from '../../keys/key-format.ts';
import { couponDiscount } from '../model/amount-rules.ts';
import {
  type BillingRegistry,
  isPaymentOpen,
  type NewPaymentRecord,
  type PaymentRecord,
} from '../model/billing-registry.ts';
import type { CouponStore } from '../model/billing-stores.ts';
import { ChargeOutcomeUnknown, NO_PAYMENT_METHOD, type PaymentProcessor } from './payment-processor.ts';

interface PurchasesParts {
  readonly registry: BillingRegistry;
  readonly coupons: Pick<CouponStore, 'waitingPercent'>;
  readonly payments: Payments;
  readonly packPayments: Pick<PaymentProcessor, 'inTurn' | 'hold' | 'claim' | 'settle'>;
  /**
   * While it is closed, nothing is bought: money whose credits could not be recorded must not be taken. Default: open.
   */
  readonly gate?: WriteGate | undefined;
  /** The secret that hashes the clients' idempotency keys. */
  readonly pepper: string;
  readonly random: RandomBytes;
  /** Milliseconds. */
  readonly now: () => number;
}

export type PurchaseItem = Pick<
  NewPaymentRecord,
  'purpose' | 'month' | 'packId' | 'packName' | 'credits' | 'priceCents' | 'currency'
>;

/** The buyer, and the origin of the purchase. */
interface Buyer extends Pick<NewPaymentRecord, 'accountId' | 'keyId' | 'userId' | 'requestId'> {
  /** The same key again means the same purchase; absent: each purchase is a new one. */
  readonly idempotencyKey?: string | undefined;
  /** The origin of the idempotency key. With `form` a decline is remembered too: the same key gives the same answer. */
  readonly by: 'client' | 'form' | 'server';
}

/** The idempotency key was used for another purchase. */
export class IdempotencyKeyReused extends Error {}
/** Another payment of this purpose is in progress, or this one is not allowed now. */
export class PurchaseNotAllowed extends Error {}

export interface Purchases {
  /**
   * Buys an item with the payment method on file. `decide` chooses the item in the account's turn.
   * @param decide null: there is nothing to buy any more
   * @returns the outcome of the charge, `payment_method_required` without a card; null: nothing was bought
   * @throws ChargeOutcomeUnknown, IdempotencyKeyReused, PurchaseNotAllowed
   */
  buy(buyer: Buyer, decide: () => Promise<PurchaseItem | null> | PurchaseItem): Promise<ChargeOutcome | null>;
}

/** How long an idempotency key means the same purchase. */
const KEY_REMEMBERED_FOR = 24 * HOUR;

export function createPurchases(parts: PurchasesParts): Purchases {
  const { registry, coupons, payments, packPayments, gate = alwaysOpenGate, pepper, random, now } = parts;
  const digest = (text: string) => createHmac('sha256', pepper).update(text).digest('base64url');

  async function buy(
    buyer: Buyer,
    decide: () => Promise<PurchaseItem | null> | PurchaseItem,
  ): Promise<ChargeOutcome | null> {
    gate.assertOpen();
    const { accountId, idempotencyKey: given, by } = buyer;
    const clientKey = given === undefined ? null : digest(`${by} ${accountId} ${given}`);
    const last = clientKey === null ? undefined : await registry.lastPayment(accountId, clientKey);
    const isRemembered = last !== undefined && now() - Date.parse(last.createdAt) < KEY_REMEMBERED_FOR;
    if (isRemembered && last.state === 'declined' && by === 'form') {
      return { outcome: 'declined', reason: last.reason ?? '' };
    }
    const isSame = isRemembered && !isUnpaid(last);
    // After the payment `decide` would choose something else.
    if (isSame && last.state === 'done' && last.purpose !== undefined) return toPaidOutcome(last);
    const item = await decide();
    if (item === null) return null;
    if (isSame && (last.packId !== item.packId || last.purpose !== item.purpose)) throw new IdempotencyKeyReused();
    if (isSame) return isPaymentOpen(last) ? continuePayment(last) : toPaidOutcome(last);
    const method = await methodOf(accountId, item);
    // A month is owed without a card too.
    if (!method && item.purpose !== 'month')
      return { outcome: 'payment_method_required', reason: 'no card is on file' };
    const attempt = (last?.attempt ?? 0) + 1;
    const payment = await begin({
      // Never derive the key from the request id: a client may send the same one with every request.
      key: clientKey === null ? Buffer.from(random(32)).toString('base64url') : digest(`${clientKey} ${attempt}`),
      provider: payments.provider,
      accountId,
      clientKey,
      attempt,
      ...(method ?? NO_CUSTOMER),
      ...item,
      keyId: buyer.keyId,
      requestId: buyer.requestId,
      ...(buyer.userId !== undefined && { userId: buyer.userId }),
      createdAt: formatTime(now()),
    });
    return payment.state === 'done' ? toPaidOutcome(payment) : packPayments.settle(payment);
  }

  async function begin(payment: NewPaymentRecord): Promise<PaymentRecord> {
    try {
      const begun = await registry.addPayment(payment, packPayments.hold());
      if (!begun) throw new PurchaseNotAllowed();
      return begun;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // Another process received the same request at the same moment.
      return claimOrReload((await registry.payment(payment.key))!);
    }
  }

  /** Undefined: there is something to charge, but no card. */
  async function methodOf(accountId: number, { priceCents }: PurchaseItem) {
    const onFile = await registry.onFile(accountId, payments.provider);
    const paymentMethod = onFile && (await payments.methodOf(onFile));
    if (onFile && paymentMethod) return { customer: onFile.customer, paymentMethod };
    const percent = priceCents === 0 ? 0 : await coupons.waitingPercent(accountId);
    const isFree = priceCents - couponDiscount(priceCents, percent ?? 0) === 0;
    return isFree ? NO_CUSTOMER : undefined;
  }

  async function continuePayment(payment: PaymentRecord): Promise<ChargeOutcome> {
    const held = await claimOrReload(payment);
    return held.state === 'done' ? toPaidOutcome(held) : packPayments.settle(held);
  }

  /** @throws ChargeOutcomeUnknown if another process works on it */
  async function claimOrReload(payment: PaymentRecord): Promise<PaymentRecord> {
    const found = await packPayments.claim(payment.key);
    if (found === 'held') throw new ChargeOutcomeUnknown();
    return found ?? (await registry.payment(payment.key))!;
  }

  return { buy: (buyer, decide) => packPayments.inTurn(buyer.accountId, () => buy(buyer, decide)) };
}

const NO_CUSTOMER = { customer: '', paymentMethod: NO_PAYMENT_METHOD };

/** A purchase that took no money is tried again, since the card may have changed. */
const isUnpaid = ({ state }: PaymentRecord): boolean => state === 'declined' || state === 'failed';

const toPaidOutcome = ({ payment }: PaymentRecord): ChargeOutcome => ({ outcome: 'paid', payment: payment ?? '' });
