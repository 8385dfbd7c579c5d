import { scriptAsset } from '../../layout/page-assets.ts';
import { CARD_SCRIPT } from './card-script.ts';

/**
 * How somebody puts a card in: by name, with the development adapter; in Stripe's own form; not here, since Stripe has
 * no publishable key.
 */
export type CardEntry = 'development' | 'stripe' | 'none';

export function chooseCardEntry(stripe: { readonly publishableKey?: string | undefined } | undefined): CardEntry {
  if (stripe === undefined) return 'development';
  return stripe.publishableKey === undefined ? 'none' : 'stripe';
}

export const CARD_ASSETS = { script: scriptAsset('/site/assets/card', CARD_SCRIPT) } as const;

/** Card numbers are typed in frames of Stripe's: this server never sees them. The name is that of the API's version. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** Where that script comes from, whose frames it opens, and whom it tells. */
export const STRIPE_HOSTS = ['https://js.stripe.com', 'https://api.stripe.com'] as const;
