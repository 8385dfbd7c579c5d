import { Refused } from '../../domain/refused-act.ts';
import type { ChargeOutcome } from '../../platform/payments/payments.ts';
import { OutcomeUnclear } from './pack-payments.ts';
import { NotNow, OtherPurchase } from './purchases.ts';
import { declineText } from './top-ups.ts';

/** What a page says of a charge that took no money. @throws Refused 402 */
export function refusedUnlessPaid(outcome: ChargeOutcome): void {
  switch (outcome.outcome) {
    case 'paid':
      return;
    case 'declined':
      throw new Refused(402, `${declineText(outcome.reason)} Nothing was charged.`);
    case 'payment_method_required':
      throw new Refused(402, 'There is no card on file. Add one first.');
    case 'refused':
      throw new Refused(402, 'The payment could not be asked for. Nothing was charged.');
  }
}

/** What a page says of a charge of which nothing is known, or that did not begin. */
export function asRefused(error: unknown): never {
  if (error instanceof OtherPurchase) throw new Refused(422, 'This form was used for another purchase already.');
  if (error instanceof NotNow) throw new Refused(409, 'A payment is under way already. Try again in a minute.');
  if (error instanceof OutcomeUnclear) {
    throw new Refused(409, 'It is not known yet whether the payment was made. If it was, what it brings will follow.');
  }
  throw error;
}
