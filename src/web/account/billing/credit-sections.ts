import type { Pack } from '../../../platform/settings/plans.ts';
import { type Html, html } from '../../layout/html.ts';
import { checkField, form, hiddenField, selectField, submit, textField } from '../fields.ts';
import { creditsText, moneyText } from '../formats.ts';
import { type BillingView, postedTo } from './billing-view.ts';

const packText = ({ name, credits, price_cents, currency }: Pack): string =>
  `${name}: ${creditsText(credits)} credits, ${moneyText(price_cents, currency)}`;
const optionsOf = (packs: readonly Pack[]): readonly (readonly [string, string])[] =>
  packs.map((pack) => [String(pack.id), packText(pack)]);

/** Credits that are bought once. */
export function packSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { errorOf, typed, key } = postedTo(view, '/billing/topup');
  const content = html`${hiddenField('idempotency_key', key())}${selectField({
    ...{ name: 'pack_id', label: 'Pack', id: 'field-topup-pack', options: optionsOf(overview.packs) },
    value: typed('pack_id'),
    error: errorOf('pack_id'),
    hint: 'The card on file is charged at once. The credits never expire.',
  })}${submit('Buy')}`;
  return html`<section aria-labelledby="packs"><h2 id="packs">Buy credits</h2>
${overview.packs.length === 0 ? html`<p class="empty">This server sells no packs.</p>` : form(visit, '/billing/topup', content)}
</section>`;
}

/** Packs that are bought by themselves. */
export function autoRechargeSection(view: BillingView): Html {
  const { visit, overview } = view;
  const { enabled, threshold, packId, monthlyCapCents } = overview.autoRecharge;
  const { errorOf, typed } = postedTo(view, '/billing/auto-recharge');
  const shown = (name: string, now: number | null): string => typed(name) ?? (now === null ? '' : String(now));
  const wished = typed('enabled');
  const content = html`${checkField({
    ...{ name: 'enabled', label: 'Buy a pack when credits run low', id: 'field-enabled' },
    isChecked: wished === undefined ? enabled : wished !== '',
  })}${textField({
    ...{ name: 'threshold', label: 'When fewer credits are left than', inputmode: 'numeric' },
    value: shown('threshold', threshold),
    error: errorOf('threshold'),
    hint: '1 to 1,000,000.',
  })}${selectField({
    ...{ name: 'pack_id', label: 'Pack', id: 'field-recharge-pack', options: optionsOf(overview.packs) },
    value: shown('pack_id', packId),
    error: errorOf('pack_id'),
  })}${textField({
    ...{ name: 'monthly_cap_cents', label: 'At most in a month (UTC), in cents', inputmode: 'numeric' },
    value: shown('monthly_cap_cents', monthlyCapCents),
    error: errorOf('monthly_cap_cents'),
    hint: '12000 are 120.00. At least the price of the pack; automatic purchases stop before they would pass it.',
  })}${submit('Save')}`;
  return html`<section aria-labelledby="auto-recharge"><h2 id="auto-recharge">Auto-recharge</h2>
<p>It is <strong>${enabled ? 'on' : 'off'}</strong>. It needs a card on file; a declined charge turns it off.</p>
${form(visit, '/billing/auto-recharge', content)}
</section>`;
}

export function couponSection(view: BillingView): Html {
  const { errorOf, typed } = postedTo(view, '/billing/coupon');
  const content = html`${textField({
    ...{ name: 'code', label: 'Code', maxlength: 40, autocomplete: 'off' },
    value: typed('code'),
    error: errorOf('code'),
  })}${submit('Redeem')}`;
  return html`<section aria-labelledby="coupon"><h2 id="coupon">Coupon</h2>
${form(view.visit, '/billing/coupon', content)}
</section>`;
}
