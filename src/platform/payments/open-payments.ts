import { createDevelopmentPayments } from './development-payments.ts';
import type { PaymentProvider, Payments } from './payments.ts';
import type { StripeSettings } from './stripe-payments.ts';

/** The settings for payments. */
interface PaymentSettings {
  /** Undefined: payments go to the development adapter. */
  readonly stripe: StripeSettings | undefined;
}

/** The configured provider. */
export const paymentProviderOf = ({ stripe }: PaymentSettings): PaymentProvider =>
  stripe === undefined ? 'development' : 'stripe';

/** Stripe's client is large: load it only when it is used. */
export async function openPayments({ stripe }: PaymentSettings): Promise<Payments> {
  if (stripe === undefined) return createDevelopmentPayments();
  const { createStripePayments: stripePayments } = await import('./stripe-payments.ts');
  return stripePayments(stripe);
}
