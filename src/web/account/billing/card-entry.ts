import { scriptAsset } from '../../layout/page-assets.ts';

/**
 * How users enter a card: by name with the development adapter, in Stripe's own form, or not on this page if Stripe has
 * no publishable key.
 */
export type CardEntry = 'development' | 'stripe' | 'none';

export function chooseCardEntry(stripe: { readonly publishableKey?: string | undefined } | undefined): CardEntry {
  if (stripe === undefined) return 'development';
  return stripe.publishableKey === undefined ? 'none' : 'stripe';
}

/**
 * The card form if Stripe takes the payments. Stripe's script draws the fields in its own frames. This script asks the
 * server for the setup intent, and posts the id of the resulting payment method as an ordinary form.
 */
const CARD_SCRIPT = `'use strict';
const card = document.getElementById('card-form');
if (card) {
  const start = document.getElementById('card-start');
  const save = document.getElementById('card-save');
  const status = document.getElementById('card-status');
  const say = (words) => { status.textContent = words; };
  let stripe;
  let elements;
  const open = async () => {
    if (typeof Stripe !== 'function') return say('The card form of Stripe could not be loaded. Load the page again.');
    start.disabled = true;
    say('The card form is being loaded.');
    try {
      const answer = await fetch('/billing/setup-intent', {
        method: 'POST',
        headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _csrf: card.elements._csrf.value }),
      });
      const setup = await answer.json();
      if (!answer.ok || setup.publishable_key === null) {
        throw new Error(setup.error ? setup.error.message : 'This server takes no cards here.');
      }
      stripe = Stripe(setup.publishable_key);
      elements = stripe.elements({ clientSecret: setup.client_secret });
      const fields = elements.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } });
      fields.on('ready', () => { start.hidden = true; save.hidden = false; say(''); fields.focus(); });
      fields.on('loaderror', ({ error }) => { start.disabled = false; say(error.message); });
      fields.mount('#card-fields');
    } catch (error) {
      start.disabled = false;
      say(error.message);
    }
  };
  const confirm = async () => {
    save.disabled = true;
    say('The card is being checked.');
    try {
      const { error, setupIntent } = await stripe.confirmSetup({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: location.origin + '/billing' },
      });
      if (error) throw error;
      const method = setupIntent.payment_method;
      card.elements.payment_method.value = typeof method === 'string' ? method : method.id;
      card.submit();
    } catch (error) {
      save.disabled = false;
      say(error.message);
    }
  };
  start.hidden = false;
  start.addEventListener('click', open);
  card.addEventListener('submit', (event) => {
    event.preventDefault();
    if (elements) confirm();
  });
}
`;

export const CARD_ASSETS = { script: scriptAsset('/site/assets/card', CARD_SCRIPT) } as const;

/** Card numbers are typed into Stripe's frames, so this server never sees them. The file name holds the API version. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** The hosts of Stripe's script, its frames and its requests. */
export const STRIPE_HOSTS = ['https://js.stripe.com', 'https://api.stripe.com'] as const;
