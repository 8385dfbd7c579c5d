import { type Html, html } from '../../layout/html.ts';
import { form, hiddenField, postButton, selectField, submit } from '../fields.ts';
import { creditsText, moneyText } from '../formats.ts';
import { type BillingView, postedTo } from './billing-view.ts';

const SUBSCRIBE = '/billing/subscribe';

/** What can be chosen here. Other plans are given by the operator. */
const CHOICES: Readonly<Record<string, string>> = { free: 'Free', payg: 'Pay As You Go', growth: 'Growth' };
const isChoice = (plan: string): boolean => Object.hasOwn(CHOICES, plan);

export function planSection(view: BillingView): Html {
  const { visit, overview, newKey } = view;
  const { plan, ends, growth, growthToday } = overview;
  const { errorOf, typed, key } = postedTo(view, SUBSCRIBE);
  const wished = typed('plan') ?? visit.query.get('plan') ?? '';
  const chosen = [wished, plan.slug].find(isChoice) ?? '';
  const whole = `${moneyText(growth.priceCents, growth.currency)} a month`;
  const hint =
    plan.slug === 'growth'
      ? 'Leaving Growth takes effect at the end of the month.'
      : 'Free and Pay As You Go take effect at once and cost nothing. Growth charges the card on file and begins at once.';
  const options = Object.entries({ ...CHOICES, growth: `Growth, ${whole}` });
  if (!isChoice(plan.slug)) options.unshift(['', 'Choose a plan']);
  return html`<section aria-labelledby="plan"><h2 id="plan">Plan</h2>
<p>Your plan is <strong>${plan.name}</strong>.${ends && html` It ends on ${day(ends.at)}; the plan is then <strong>${CHOICES[ends.plan] ?? ends.plan}</strong>.`}</p>
<p>Growth costs ${whole} and brings ${creditsText(growth.monthlyCredits)} credits in each month.${
    plan.slug !== 'growth' &&
    html` Begun today it costs ${moneyText(growthToday.priceCents, growth.currency)} and brings ${creditsText(growthToday.credits)} credits for the rest of this month (UTC), then the whole from the next 1st on.`
  } What never expires stays, whatever the plan.</p>
${form(
  visit,
  SUBSCRIBE,
  html`${hiddenField('idempotency_key', key())}${selectField({
    name: 'plan',
    label: 'Plan',
    options,
    value: chosen,
    error: errorOf('plan'),
    hint,
  })}${submit('Change the plan')}`,
)}
${
  ends &&
  html`<p>${postButton(visit, SUBSCRIBE, 'Keep Growth', 'plain', { plan: 'growth', idempotency_key: newKey() })} Nothing is charged for it.</p>`
}
${plan.slug === 'growth' && !ends && html`<p>${postButton(visit, '/billing/cancel', 'Cancel Growth', 'danger')}</p>`}
</section>`;
}

/** Plans begin and end with UTC days. */
function day(iso: string): Html {
  const date = new Date(iso);
  const text = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString()}">${text} UTC</time>`;
}
