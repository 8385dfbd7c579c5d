import type { Invoice } from '../../../accounts/billing/customer-billing.ts';
import { type Html, html } from '../../layout/html.ts';
import { moneyText, timeTag } from '../formats.ts';
import type { BillingView } from './billing-view.ts';

const STATUS: Readonly<Record<Invoice['status'], Html>> = {
  paid: html`<span class="badge good">paid</span>`,
  declined: html`<span class="badge bad">declined</span>`,
  open: html`<span class="badge">open</span>`,
};

/** What was charged, and the receipts of what was paid. */
export function invoiceSection({ visit, invoices }: BillingView): Html {
  const { timezone } = visit.session.user;
  return html`<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>
${
  invoices.length === 0
    ? html`<p class="empty">Nothing has been charged yet.</p>`
    : html`<div class="table" tabindex="0" role="group" aria-label="Invoices"><table>
<thead><tr><th>Number</th><th>PDF</th><th>Time</th><th class="wide">For</th><th class="number">Price</th><th class="number">Discount</th><th class="number">Total</th><th>Status</th></tr></thead>
<tbody>${invoices.map((invoice) => row(invoice, timezone))}</tbody>
</table></div>`
}
</section>`;
}

function row(invoice: Invoice, timezone: string): Html {
  const { id, number, at, line, priceCents, discountCents, totalCents, currency, status } = invoice;
  return html`<tr><td>${number}</td><td>${status === 'paid' && html`<a href="/billing/invoices/${id}/receipt" aria-label="Receipt ${number}">Receipt</a>`}</td><td>${timeTag(at, timezone)}</td><td class="wide">${line}</td>
<td class="number">${moneyText(priceCents, currency)}</td><td class="number">${discountCents === 0 ? '' : moneyText(-discountCents, currency)}</td>
<td class="number">${moneyText(totalCents, currency)}</td><td>${STATUS[status]}</td></tr>
`;
}
