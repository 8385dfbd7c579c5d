/**
 * The card form if Stripe takes the payments. Stripe's script draws the fields in its own frames. This script asks the
 * server for the setup intent, and posts the id of the resulting payment method as an ordinary form.
 */
export const CARD_SCRIPT = `'use strict';
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
