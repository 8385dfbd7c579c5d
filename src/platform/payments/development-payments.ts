import { createHash } from 'node:crypto';
import type { CardOutcome, Charge, ChargeOutcome, Payments } from './payments.ts';

/** Cards of the development adapter. */
const DEVELOPMENT_CARDS = ['ok', 'declined'] as const;
export type DevelopmentCard = (typeof DEVELOPMENT_CARDS)[number];

export const developmentCustomerId = (accountId: number): string => `development-${accountId}`;

/** Payments where there is no provider: the card decides, and no money moves. It keeps nothing. */
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

/** A card that never pays is put on file too: it is for trying what a decline does. */
function cardOutcomeOf(customer: string, card: string): CardOutcome {
  if (!DEVELOPMENT_CARDS.some((name) => name === card)) {
    return { outcome: 'unknown_payment_method', reason: `there is no card ${card}` };
  }
  return { outcome: 'on_file', onFile: { customer, paymentMethod: card }, label: `Test card ${card}` };
}

/** The payment follows from the key: the same key gives the same payment, also after a restart. */
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
