import { ApiError, badRequest } from '../../../api/calls/api-errors.ts';
import type { Principal } from '../../../api/calls/principal.ts';
import type { CallReference } from '../../../api/calls/services/account-services.ts';
import type { ChargeOutcome } from '../../../platform/payments/payments.ts';
import type { Pack } from '../../../platform/settings/plans-and-packs.ts';
import { ChargeOutcomeUnknown } from './payment-processor.ts';
import { IdempotencyKeyReused, type PurchaseItem, type Purchases } from './purchases.ts';

interface TopUpsParts {
  readonly purchases: Purchases;
  readonly packs: readonly Pack[];
}

/** Buys a pack for the caller's account with the payment method on file. @throws ApiError */
export type TopUp = (principal: Principal, packId: number, call: CallReference) => Promise<void>;

export function createTopUp({ purchases, packs }: TopUpsParts): TopUp {
  return async ({ account, accountId, keyId }, packId, call) => {
    if (account === undefined) {
      throw new ApiError('forbidden', 'This API key has no account that could buy credits.');
    }
    const pack = packs.find(({ id }) => id === packId);
    if (!pack) throw badRequest(`pack_id: there is no pack ${packId}; GET /api/agent/credit-packs lists them`);
    const { requestId, idempotencyKey } = call;
    // A session has no key.
    const buyer = { accountId, keyId: keyId ?? 0, requestId, idempotencyKey, by: 'client' } as const;
    const outcome = await purchases.buy(buyer, () => toPurchaseItem(pack)).catch(throwAsApiError);
    throwApiErrorUnlessPaid(outcome!);
  };
}

export const toPurchaseItem = ({ id, name, credits, price_cents: priceCents, currency }: Pack): PurchaseItem => ({
  packId: id,
  packName: name,
  credits,
  priceCents,
  currency,
});

/** The reason of the cardholder's bank, as text for people. */
export function describeDecline(reason: string): string {
  const why = reason === 'authentication_required' ? ': its bank wants the cardholder to be there' : '';
  return `The card on file was declined${why}.`;
}

function throwApiErrorUnlessPaid(outcome: ChargeOutcome): void {
  switch (outcome.outcome) {
    case 'paid':
      return;
    case 'declined':
      throw new ApiError('card_declined', describeDecline(outcome.reason));
    case 'payment_method_required':
      throw new ApiError('payment_method_required', 'There is no payment method on file. Add one at billing_url.');
    case 'refused':
      throw new ApiError('internal_error', 'The payment could not be asked for. No money was taken.');
  }
}

function throwAsApiError(error: unknown): never {
  if (error instanceof IdempotencyKeyReused) throw keyReusedError();
  if (!(error instanceof ChargeOutcomeUnknown)) throw error;
  throw new ApiError(
    'internal_error',
    'It is not known yet whether the payment was made. If it was, its credits will follow. Ask again with the same Idempotency-Key, or look at the balance.',
  );
}

function keyReusedError(): ApiError {
  const msg = 'was used for another pack already';
  const errors = [{ loc: ['header', 'Idempotency-Key'], msg, type: 'idempotency_key_reused' }];
  return new ApiError('validation_error', `Idempotency-Key: ${msg}`, { errors });
}
