import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import type { ChargeOutcome } from '../../../platform/payments/payments.ts';
import { ChargeOutcomeUnknown } from './payment-processor.ts';
import { IdempotencyKeyReused, PurchaseNotAllowed } from './purchases.ts';
import { describeDecline } from './top-ups.ts';

/** The page's error for a charge that took no money. @throws RefusedError 402 */
export function throwRefusedUnlessPaid(outcome: ChargeOutcome): void {
  switch (outcome.outcome) {
    case 'paid':
      return;
    case 'declined':
      throw new RefusedError(402, `${describeDecline(outcome.reason)} Nothing was charged.`);
    case 'payment_method_required':
      throw new RefusedError(402, 'There is no card on file. Add one first.');
    case 'refused':
      throw new RefusedError(402, 'The payment could not be asked for. Nothing was charged.');
  }
}

/** The page's error for a charge that did not begin, or whose outcome is unknown. */
export function throwAsRefused(error: unknown): never {
  if (error instanceof IdempotencyKeyReused)
    throw new RefusedError(422, 'This form was used for another purchase already.');
  if (error instanceof PurchaseNotAllowed)
    throw new RefusedError(409, 'A payment is under way already. Try again in a minute.');
  if (error instanceof ChargeOutcomeUnknown) {
    throw new RefusedError(
      409,
      'It is not known yet whether the payment was made. If it was, what it brings will follow.',
    );
  }
  throw error;
}
