import type { z } from 'zod';

interface StripeValues {
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_PUBLISHABLE_KEY?: string | undefined;
}

/** The keys for payments by Stripe. */
export interface StripeKeys {
  readonly secretKey: string;
  readonly webhookSecret: string | undefined;
  readonly publishableKey: string | undefined;
}

/** Undefined: payments go to the development adapter. */
export function toStripeKeys(values: StripeValues): StripeKeys | undefined {
  const secretKey = values.STRIPE_SECRET_KEY;
  if (secretKey === undefined) return undefined;
  return { secretKey, webhookSecret: values.STRIPE_WEBHOOK_SECRET, publishableKey: values.STRIPE_PUBLISHABLE_KEY };
}

/** Checks that no Stripe variable is set without the secret key, and that both keys are of the same Stripe mode. */
export function checkStripe(values: StripeValues, context: z.RefinementCtx): void {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = values;
  const wrong = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY'] as const) {
    if (values[name] !== undefined && secretKey === undefined) wrong(name, 'needs STRIPE_SECRET_KEY beside it');
  }
  if (secretKey === undefined || publishableKey === undefined || modeOf(secretKey) === modeOf(publishableKey)) return;
  wrong('STRIPE_PUBLISHABLE_KEY', 'must be of the same mode as STRIPE_SECRET_KEY, test or live');
}

const modeOf = (key: string): string | undefined => key.split('_')[1];
