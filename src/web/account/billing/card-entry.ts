import { scriptAsset } from '../../layout/page-assets.ts';
import { CARD_SCRIPT } from './card-script.ts';

/**
 * How users enter a card: by name with the development adapter, in Stripe's own form, or not on this page if Stripe has
 * no publishable key.
 */
export type CardEntry = 'development' | 'stripe' | 'none';

export function chooseCardEntry(stripe: { readonly publishableKey?: string | undefined } | undefined): CardEntry {
  if (stripe === undefined) return 'development';
  return stripe.publishableKey === undefined ? 'none' : 'stripe';
}

export const CARD_ASSETS = { script: scriptAsset('/site/assets/card', CARD_SCRIPT) } as const;

/** Card numbers are typed into Stripe's frames, so this server never sees them. The file name holds the API version. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** The hosts of Stripe's script, its frames and its requests. */
export const STRIPE_HOSTS = ['https://js.stripe.com', 'https://api.stripe.com'] as const;
