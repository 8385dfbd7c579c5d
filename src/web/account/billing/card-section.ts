import { type Html, html } from '../../layout/html.ts';
import { form, hiddenField, postButton, selectField, submit } from '../fields.ts';
import { type BillingView, postedTo } from './billing-view.ts';

const PAYMENT_METHOD = '/billing/payment-method';

export function cardSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { card } = overview;
  return html`<section aria-labelledby="card"><h2 id="card">Card</h2>
<p>${card ? html`On file: <strong>${card.label}</strong>.` : 'No card is on file.'}</p>
${entry(view)}
${
  card &&
  html`<p>${postButton(visit, `${PAYMENT_METHOD}/remove`, 'Remove the card', 'danger')}</p>
<p class="facts">Removing the card turns auto-recharge off. With Growth a card has to stay on file.</p>`
}
</section>`;
}

function entry(view: BillingView): Html {
  const { visit, cardEntry, overview } = view;
  switch (cardEntry) {
    case 'development': {
      const { errorOf, typed } = postedTo(view, PAYMENT_METHOD);
      return form(
        visit,
        PAYMENT_METHOD,
        html`${selectField({
          name: 'payment_method',
          label: 'Test card',
          options: [
            ['ok', 'ok: always pays'],
            ['declined', 'declined: never pays'],
          ],
          value: typed('payment_method'),
          error: errorOf('payment_method'),
          hint: 'This server takes no real money.',
        })}${submit(overview.card ? 'Replace the card' : 'Put the card on file')}`,
      );
    }
    case 'stripe':
      return html`<form method="post" action="${PAYMENT_METHOD}" id="card-form">${hiddenField('_csrf', visit.csrf)}${hiddenField('payment_method', '')}
<div id="card-fields"></div>
<button type="button" id="card-start" hidden>${overview.card ? 'Replace the card' : 'Enter a card'}</button>
<button type="submit" id="card-save" hidden>Save the card</button>
<p id="card-status" role="status"></p>
</form>
<noscript><p>The card form is Stripe's and needs scripts.</p></noscript>
<p><a href="/billing/portal">Cards and invoices at Stripe</a></p>`;
    case 'none':
      return html`<p class="notice">This server cannot take cards on this page: its operator has not set it up.</p>`;
  }
}
