import { createHmac } from 'node:crypto';
import type { CallReference } from '../../calls/account-services.ts';
import { ApiError, badRequest } from '../../calls/errors.ts';
import type { Principal } from '../../calls/principal.ts';
import { type Gate, openGate } from '../../clock/gate.ts';
import { formatTime, HOUR } from '../../domain/time.ts';
import type { ChargeOutcome, Payments } from '../../payments/payments.ts';
import type { Pack } from '../../settings/plans.ts';
import type { RandomBytes } from '../keys/key-format.ts';
import { type BillingRegistry, isOpen, type PackPayment } from './billing-registry.ts';
import { OutcomeUnclear, type PackPayments } from './pack-payments.ts';

export interface TopUpsParts {
  readonly registry: BillingRegistry;
  readonly payments: Payments;
  readonly packPayments: Pick<PackPayments, 'inTurn' | 'hold' | 'claim' | 'settle'>;
  readonly packs: readonly Pack[];
  /** Closed, nothing is bought: no money is taken whose credits could not be entered. Absent: it is open. */
  readonly gate?: Gate | undefined;
  /** What keys of clients are hidden with. */
  readonly pepper: string;
  readonly random: RandomBytes;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Buys a pack for the caller's account, with the payment method on file. @throws ApiError */
export type TopUp = (principal: Principal, packId: number, call: CallReference) => Promise<void>;

/** How long a client's `Idempotency-Key` means the same purchase. */
const REMEMBERED_FOR = 24 * HOUR;

export function createTopUp(parts: TopUpsParts): TopUp {
  const { registry, payments, packPayments, packs, gate = openGate, pepper, random, now } = parts;
  const digest = (text: string) => createHmac('sha256', pepper).update(text).digest('base64url');

  /** The payment that this call goes on with, or a new one. */
  async function paymentOf(principal: Principal, pack: Pack, call: CallReference): Promise<PackPayment> {
    const { accountId, keyId } = principal;
    const clientKey = call.idempotencyKey === undefined ? null : digest(`client ${accountId} ${call.idempotencyKey}`);
    const last = clientKey === null ? undefined : await registry.lastPayment(accountId, clientKey);
    const isSame = last !== undefined && now() - Date.parse(last.createdAt) < REMEMBERED_FOR && !isLost(last);
    if (isSame && last.packId === pack.id) return isOpen(last) ? heldHere(last) : last;
    if (isSame) throw otherPack();
    const onFile = await registry.onFile(accountId, payments.provider);
    const paymentMethod = onFile && (await payments.methodOf(onFile));
    if (!onFile || !paymentMethod) throw methodRequired();
    const attempt = (last?.attempt ?? 0) + 1;
    const payment = {
      // By the request's id it would be the client's choice, who may send the same one with every request.
      key: clientKey === null ? Buffer.from(random(32)).toString('base64url') : digest(`${clientKey} ${attempt}`),
      provider: payments.provider,
      accountId,
      clientKey,
      attempt,
      customer: onFile.customer,
      paymentMethod,
      packId: pack.id,
      packName: pack.name,
      credits: pack.credits,
      priceCents: pack.price_cents,
      currency: pack.currency,
      // Of a session there is none.
      keyId: keyId ?? 0,
      requestId: call.requestId,
      createdAt: formatTime(now()),
    };
    return registry.addPayment(payment, packPayments.hold());
  }

  /** @throws OutcomeUnclear where another process is at it */
  async function heldHere(payment: PackPayment): Promise<PackPayment> {
    const claimed = await packPayments.claim(payment.key);
    if (claimed === 'held') throw new OutcomeUnclear();
    return claimed ?? (await registry.payment(payment.key))!;
  }

  return async (principal, packId, call) => {
    if (principal.account === undefined) {
      throw new ApiError('forbidden', 'This API key has no account that could buy credits.');
    }
    const pack = packs.find(({ id }) => id === packId);
    if (!pack) throw badRequest(`pack_id: there is no pack ${packId}; GET /api/agent/credit-packs lists them`);
    await packPayments.inTurn(principal.accountId, async () => {
      gate.assertOpen();
      const payment = await paymentOf(principal, pack, call).catch(asApiError);
      if (payment.state === 'done') return;
      refuseUnlessPaid(await packPayments.settle(payment).catch(asApiError));
    });
  };
}

/** Only success is remembered: what took no money is tried anew, since the card may be another one by now. */
const isLost = ({ state }: PackPayment): boolean => state === 'declined' || state === 'failed';

function refuseUnlessPaid(outcome: ChargeOutcome): void {
  switch (outcome.outcome) {
    case 'paid':
      return;
    case 'declined': {
      const why = outcome.reason === 'authentication_required' ? ': its bank wants the cardholder to be there' : '';
      throw new ApiError('card_declined', `The card on file was declined${why}.`);
    }
    case 'payment_method_required':
      throw methodRequired();
    case 'refused':
      throw new ApiError('internal_error', 'The payment could not be asked for. No money was taken.');
  }
}

function asApiError(error: unknown): never {
  if (!(error instanceof OutcomeUnclear)) throw error;
  throw new ApiError(
    'internal_error',
    'It is not known yet whether the payment was made. If it was, its credits will follow. Ask again with the same Idempotency-Key, or look at the balance.',
  );
}

const methodRequired = (): ApiError =>
  new ApiError('payment_method_required', 'There is no payment method on file. Add one at billing_url.');

function otherPack(): ApiError {
  const msg = 'was used for another pack already';
  const errors = [{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }];
  return new ApiError('validation_error', `Idempotency-Key: ${msg}`, { errors });
}
