import { developmentPayments } from './development.ts';
import type { Payments, Provider } from './payments.ts';
import type { StripeSettings } from './stripe.ts';

/** What of the settings concerns payments. */
export interface PaymentSettings {
  /** Undefined: payments go to the development adapter. */
  readonly stripe: StripeSettings | undefined;
}

/** Who takes the payments, as it is configured. */
export const providerOf = ({ stripe }: PaymentSettings): Provider => (stripe === undefined ? 'development' : 'stripe');

/** Stripe's client is large: it is only loaded where it is used. */
export async function openPayments({ stripe }: PaymentSettings): Promise<Payments> {
  if (stripe === undefined) return developmentPayments();
  const { stripePayments } = await import('./stripe.ts');
  return stripePayments(stripe);
}
