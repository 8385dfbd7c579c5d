import type { Config } from '../config.ts';
import { developmentPayments } from './development.ts';
import type { Payments, Provider } from './payments.ts';

/** Who takes the payments, as it is configured. */
export const providerOf = ({ stripe }: Pick<Config, 'stripe'>): Provider =>
  stripe === undefined ? 'development' : 'stripe';

/** Stripe's client is large: it is only loaded where it is used. */
export async function openPayments({ stripe }: Pick<Config, 'stripe'>): Promise<Payments> {
  if (stripe === undefined) return developmentPayments();
  const { stripePayments } = await import('./stripe.ts');
  return stripePayments(stripe);
}
