import type { BillingOverview, Invoice } from '../../../accounts/billing/model/billing-services.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import type { Pack, Plan } from '../../../platform/settings/plans-and-packs.ts';
import { type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import {
  checkboxField,
  hiddenField,
  postButton,
  postForm,
  refusalBox,
  selectField,
  submitButton,
  textField,
} from '../form-fields.ts';
import { olderLink } from '../form-values.ts';
import { creditAmount, formatMoney, moneyFieldText, timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import type { CardEntry } from './card-entry.ts';
import { dayTag, planHoldings, planOutlook } from './plan-outlook.ts';

export const billingPage = (view: BillingView): Html => html`${refusalBox(view.refusal)}
${notices(view)}
${balanceSection(view)}
<div class="cards">
<section class="card" aria-labelledby="holds"><h2 id="holds">What the plan holds</h2>${planHoldings(view.plan)}</section>
<section class="card" aria-labelledby="next"><h2 id="next">What comes next</h2>${planOutlook(view.overview, view.plan, view.now)}</section>
</div>
${planSection(view)}
${cardSection(view)}
${packSection(view)}
${autoRechargeSection(view)}
${couponSection(view)}
${invoiceSection(view)}`;

function notices({ overview, cardEntry }: BillingView): Html {
  const { testMode, paymentFailed, autoRecharge, waitingPercent } = overview;
  const texts: readonly (string | null | false)[] = [
    (testMode || cardEntry === 'development') && 'TEST: no money moves on this server.',
    paymentFailed && 'Two invoices in a row were declined: calls that cost credits are refused until one is paid.',
    autoRecharge.notice,
    waitingPercent !== null && `A coupon takes ${waitingPercent}% off the next charge.`,
  ];
  return html`${texts.map((text) => text && html`<p class="notice">${text}</p>`)}`;
}

/** The data of the page. */
interface BillingView {
  readonly visit: SignedInRequest;
  readonly overview: BillingOverview;
  /** Undefined: the account has just been deleted. */
  readonly balance: CreditBalance | undefined;
  /** The plan in force; undefined if the server does not know it any more. */
  readonly plan: Plan | undefined;
  /** Milliseconds. */
  readonly now: number;
  readonly invoices: readonly Invoice[];
  /** Older invoices follow. */
  readonly hasMoreInvoices: boolean;
  readonly cardEntry: CardEntry;
  /** Makes a new idempotency key for each form that takes money, each time the page is drawn. */
  readonly newKey: () => string;
  /** The refusal of the posted form; undefined if the page was requested with GET. */
  readonly refusal: Refusal | undefined;
}

function balanceSection({ balance }: BillingView): Html {
  if (!balance) return html``;
  const { total_remaining: left, credit_limit: limit, bonus_credits: bonus, credits_used: used } = balance;
  const text =
    left === null ? 'Your credits have no limit.' : html`<strong class="stat">${creditAmount(left)}</strong> left.`;
  const parts = limit !== null && html` ${creditAmount(limit)} of the plan, ${creditAmount(bonus)} bought or given.`;
  return html`<section aria-labelledby="balance"><h2 id="balance">Balance</h2>
<p>${text}${parts} ${creditAmount(used)} used.</p></section>`;
}

/** The errors and typed values of the form at this path; nothing if another form was posted. */
function formStateAt({ visit, refusal, newKey }: BillingView, path: string) {
  const isPosted = refusal !== undefined && visit.path === path;
  return {
    errorOf: (name: string): string | undefined => (isPosted ? refusal.fields[name] : undefined),
    /**
     * With 409 the purchase is running or its result is unknown, so the same key is sent again.
     * In all other cases the posted form is answered, and the next purchase needs a new key.
     */
    key: (): string => (isPosted && refusal.status === 409 && visit.form.get('idempotency_key')) || newKey(),
    /** Undefined if this form was not posted. */
    typed: (name: string): string | undefined => (isPosted ? (visit.form.get(name) ?? '') : undefined),
  };
}

const SUBSCRIBE = '/billing/subscribe';

/** The plans that users can choose. The operator assigns all other plans. */
const PLAN_CHOICES: Readonly<Record<string, string>> = { free: 'Free Tier', payg: 'Pay As You Go', growth: 'Growth' };
const isPlanChoice = (plan: string): boolean => Object.hasOwn(PLAN_CHOICES, plan);

function planSection(view: BillingView): Html {
  const { visit, overview, newKey } = view;
  const { plan, ends, growth, growthToday } = overview;
  const { errorOf, typed, key } = formStateAt(view, SUBSCRIBE);
  const requested = typed('plan') ?? visit.query.get('plan') ?? '';
  const chosen = [requested, plan.slug].find(isPlanChoice) ?? '';
  const monthlyPrice = `${formatMoney(growth.priceCents, growth.currency)} a month`;
  const hint =
    plan.slug === 'growth'
      ? 'Leaving Growth takes effect at the end of the month.'
      : 'Free Tier and Pay As You Go take effect at once and cost nothing. Growth charges the card on file and begins at once.';
  const options = Object.entries({ ...PLAN_CHOICES, growth: `Growth, ${monthlyPrice}` });
  if (!isPlanChoice(plan.slug)) options.unshift(['', 'Choose a plan']);
  return html`<section aria-labelledby="plan"><h2 id="plan">Plan</h2>
<p>Your plan is <strong>${plan.name}</strong>.${ends && html` It ends on ${dayTag(ends.at)}; the plan is then <strong>${PLAN_CHOICES[ends.plan] ?? ends.plan}</strong>.`}</p>
<p>Growth costs ${monthlyPrice} and brings ${creditAmount(growth.monthlyCredits)} in each month.${
    plan.slug !== 'growth' &&
    html` Begun today it costs ${formatMoney(growthToday.priceCents, growth.currency)} and brings ${creditAmount(growthToday.credits)} for the rest of this month (UTC), then the whole from the next 1st on.`
  } What never expires stays, whatever the plan.</p>
${postForm(
  visit,
  SUBSCRIBE,
  html`${hiddenField('idempotency_key', key())}${selectField({
    name: 'plan',
    label: 'Plan',
    options,
    value: chosen,
    error: errorOf('plan'),
    hint,
  })}${submitButton('Change the plan')}`,
)}
${
  ends &&
  html`<p>${postButton(visit, SUBSCRIBE, 'Keep Growth', 'plain', { plan: 'growth', idempotency_key: newKey() })} Nothing is charged for it.</p>`
}
${plan.slug === 'growth' && !ends && html`<p>${postButton(visit, '/billing/cancel', 'Cancel Growth', 'danger')}</p>`}
</section>`;
}

const PAYMENT_METHOD = '/billing/payment-method';

function cardSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { card } = overview;
  return html`<section aria-labelledby="card"><h2 id="card">Card</h2>
<p>${card ? html`On file: <strong>${card.label}</strong>.` : 'No card is on file.'}</p>
${cardForm(view)}
${
  card &&
  html`<p>${postButton(visit, `${PAYMENT_METHOD}/remove`, 'Remove the card', 'danger')}</p>
<p class="facts">Removing the card turns auto-recharge off. With Growth a card has to stay on file.</p>`
}
</section>`;
}

function cardForm(view: BillingView): Html {
  const { visit, cardEntry, overview } = view;
  switch (cardEntry) {
    case 'development': {
      const { errorOf, typed } = formStateAt(view, PAYMENT_METHOD);
      return postForm(
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
        })}${submitButton(overview.card ? 'Replace the card' : 'Put the card on file')}`,
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

const packText = ({ name, credits, price_cents, currency }: Pack): string =>
  `${name}: ${creditAmount(credits)}, ${formatMoney(price_cents, currency)}`;
const packOptions = (packs: readonly Pack[]): readonly (readonly [string, string])[] =>
  packs.map((pack) => [String(pack.id), packText(pack)]);

/** Credits that are bought once. */
function packSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { errorOf, typed, key } = formStateAt(view, '/billing/topup');
  const content = html`${hiddenField('idempotency_key', key())}${selectField({
    name: 'pack_id',
    label: 'Pack',
    id: 'field-topup-pack',
    options: packOptions(overview.packs),
    value: typed('pack_id'),
    error: errorOf('pack_id'),
    hint: 'The card on file is charged at once. The credits never expire.',
  })}${submitButton('Buy')}`;
  return html`<section aria-labelledby="packs"><h2 id="packs">Buy credits</h2>
${overview.packs.length === 0 ? emptyState('This server sells no packs.') : postForm(visit, '/billing/topup', content)}
</section>`;
}

/** Packs that are bought automatically. */
function autoRechargeSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { enabled, threshold, packId, monthlyCapCents } = overview.autoRecharge;
  const { currency } = overview.packs.find(({ id }) => id === packId) ?? overview.packs[0] ?? overview.growth;
  const { errorOf, typed } = formStateAt(view, '/billing/auto-recharge');
  const typedEnabled = typed('enabled');
  const content = html`${checkboxField({
    name: 'enabled',
    label: 'Buy a pack when credits run low',
    id: 'field-enabled',
    isChecked: typedEnabled === undefined ? enabled : typedEnabled !== '',
  })}${textField({
    name: 'threshold',
    label: 'When fewer credits are left than',
    inputmode: 'numeric',
    value: typed('threshold') ?? String(threshold ?? ''),
    error: errorOf('threshold'),
    hint: '1 to 1,000,000.',
  })}${selectField({
    name: 'pack_id',
    label: 'Pack',
    id: 'field-recharge-pack',
    options: packOptions(overview.packs),
    value: typed('pack_id') ?? String(packId ?? ''),
    error: errorOf('pack_id'),
  })}${textField({
    name: 'monthly_cap',
    label: `At most in a month (UTC), in ${currency.toUpperCase()}`,
    inputmode: 'decimal',
    value: typed('monthly_cap') ?? (monthlyCapCents === null ? '' : moneyFieldText(monthlyCapCents, currency)),
    error: errorOf('monthly_cap'),
    hint: 'At least the price of the pack; automatic purchases stop before they would pass it.',
  })}${submitButton('Save')}`;
  return html`<section aria-labelledby="auto-recharge"><h2 id="auto-recharge">Auto-recharge</h2>
<p>It is <strong>${enabled ? 'on' : 'off'}</strong>. It needs a card on file; a declined charge turns it off.</p>
${postForm(visit, '/billing/auto-recharge', content)}
</section>`;
}

function couponSection(view: BillingView): Html {
  const { errorOf, typed } = formStateAt(view, '/billing/coupon');
  const content = html`${textField({
    name: 'code',
    label: 'Code',
    maxlength: 40,
    autocomplete: 'off',
    value: typed('code'),
    error: errorOf('code'),
  })}${submitButton('Redeem')}`;
  return html`<section aria-labelledby="coupon"><h2 id="coupon">Coupon</h2>
${postForm(view.visit, '/billing/coupon', content)}
</section>`;
}

const INVOICE_STATUS_BADGES: Readonly<Record<Invoice['status'], Html>> = {
  paid: html`<span class="badge good">paid</span>`,
  declined: html`<span class="badge bad">declined</span>`,
  open: html`<span class="badge">open</span>`,
};

/** Invoices, and the receipts of the paid ones. */
function invoiceSection({ visit, invoices, hasMoreInvoices }: BillingView): Html {
  const { timezone } = visit.session.user;
  return html`<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>
${
  invoices.length === 0
    ? emptyState('Nothing has been charged yet.')
    : html`<div class="table" tabindex="0" role="group" aria-label="Invoices"><table>
<thead><tr><th>Number</th><th>PDF</th><th>Time</th><th class="wide">For</th><th class="number">Price</th><th class="number">Discount</th><th class="number">Total</th><th>Status</th></tr></thead>
<tbody>${invoices.map((invoice) => invoiceRow(invoice, timezone))}</tbody>
</table></div>
${hasMoreInvoices && olderLink('/billing', invoices.at(-1)!.id, 'Older invoices')}`
}
</section>`;
}

function invoiceRow(invoice: Invoice, timezone: string): Html {
  const { id, number, at, line, priceCents, discountCents, totalCents, currency, status } = invoice;
  return html`<tr><td>${number}</td><td>${status === 'paid' && html`<a href="/billing/invoices/${id}/receipt" aria-label="Receipt ${number}">Receipt</a>`}</td><td>${timeTag(at, timezone)}</td><td class="wide">${line}</td>
<td class="number">${formatMoney(priceCents, currency)}</td><td class="number">${discountCents === 0 ? '' : formatMoney(-discountCents, currency)}</td>
<td class="number">${formatMoney(totalCents, currency)}</td><td>${INVOICE_STATUS_BADGES[status]}</td></tr>
`;
}
