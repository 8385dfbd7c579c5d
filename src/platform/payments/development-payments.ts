import { createHash } from 'node:crypto';
import type { CardOutcome, Charge, ChargeOutcome, Payments } from './payments.ts';

/** The cards of the development adapter. */
const DEVELOPMENT_CARDS = ['ok', 'declined'] as const;
export type DevelopmentCard = (typeof DEVELOPMENT_CARDS)[number];

export const developmentCustomerId = (accountId: number): string => `development-${accountId}`;

/** Payments without a provider: the card decides, and no money moves. It has no state. */
export function createDevelopmentPayments(): Payments {
  return {
    provider: 'development',
    description: 'payments: the development adapter, NO MONEY MOVES (STRIPE_SECRET_KEY makes them real)',
    methodOf: async ({ paymentMethod }) => paymentMethod,
    charge: async (charge) => outcomeOf(charge),
    find: async (charge) => outcomeOf(charge),
    customerOf: async (accountId) => developmentCustomerId(accountId),
    setupIntent: async () => ({ client_secret: 'development', publishable_key: null }),
    putOnFile: async (customer, card) => cardOutcomeOf(customer, card),
    takeOffFile: async () => {},
    portal: async () => null,
  };
}

/** The card `declined` can be put on file too, to try out declines. */
function cardOutcomeOf(customer: string, card: string): CardOutcome {
  if (!DEVELOPMENT_CARDS.some((name) => name === card)) {
    return { outcome: 'unknown_payment_method', reason: `there is no card ${card}` };
  }
  return { outcome: 'on_file', onFile: { customer, paymentMethod: card }, label: `Test card ${card}` };
}

/** The payment id is derived from the key, so the same key gives the same payment, even after a restart. */
function outcomeOf({ idempotencyKey, paymentMethod }: Charge): ChargeOutcome {
  switch (paymentMethod) {
    case 'ok': {
      const digest = createHash('sha256').update(idempotencyKey).digest('hex');
      return { outcome: 'paid', payment: `development_${digest.slice(0, 24)}` };
    }
    case 'declined':
      return { outcome: 'declined', reason: 'the card `declined` of the development adapter' };
    default:
      return { outcome: 'payment_method_required', reason: `there is no card ${paymentMethod}` };
  }
}
