import type { BillingOverview } from '../../../accounts/billing/model/billing-services.ts';
import { formatTime, startOfNextMonth } from '../../../domain/primitives/time.ts';
import type { Plan } from '../../../platform/settings/plans-and-packs.ts';
import { bulletList, type Html, html } from '../../layout/html.ts';
import { creditAmount, creditsText, formatMoney } from '../formats.ts';

/** Plans begin and end with UTC days. */
export function dayTag(iso: string): Html {
  const date = new Date(iso);
  const text = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString()}">${text} UTC</time>`;
}

/** What a plan gives, and what it allows. @param plan undefined: one that the server does not know any more */
export function planHoldings(plan: Plan | undefined): Html {
  if (!plan) return html`<p class="empty">What this plan holds is not known any more.</p>`;
  const { initial_credits, monthly_credits, credits_expire_hours, daily_credit_cap } = plan;
  const count = (most: number | null) => (most === null ? 'any number' : creditsText(most));
  const rows: readonly (readonly [string, string] | false)[] = [
    initial_credits === null && ['Credits', 'unlimited'],
    initial_credits !== null &&
      initial_credits > 0 && [
        'Credits, once',
        creditsText(initial_credits) + (credits_expire_hours === null ? '' : `, for ${credits_expire_hours} hours`),
      ],
    monthly_credits > 0 && ['Credits a month', `${creditsText(monthly_credits)}, until its end (UTC)`],
    daily_credit_cap !== null && ['Of these in 24 hours', `at most ${creditsText(daily_credit_cap)}`],
    ['Requests a minute, each key', count(plan.requests_per_minute)],
    ['API keys', count(plan.max_api_keys)],
  ];
  return html`<dl>${rows.map((row) => row && html`<dt>${row[0]}</dt><dd>${row[1]}</dd>`)}</dl>`;
}

/** What will be charged or given, and when. @param now milliseconds */
export function planOutlook(overview: BillingOverview, plan: Plan | undefined, now: number): Html {
  const { plan: current, ends, growth, autoRecharge, waitingPercent, packs } = overview;
  const nextMonth = dayTag(formatTime(startOfNextMonth(now)));
  const pack = packs.find(({ id }) => id === autoRecharge.packId);
  const monthly = plan?.monthly_credits ?? 0;
  const items: (Html | false)[] = [
    ends !== null && html`${dayTag(ends.at)}: the plan ends, and nothing is charged.`,
    ends === null &&
      current.slug === 'growth' &&
      html`${nextMonth}: ${formatMoney(growth.priceCents, growth.currency)}${waitingPercent !== null && ` less ${waitingPercent}%`} for the month, which brings ${creditAmount(growth.monthlyCredits)}. What is left of this month’s credits ends then.`,
    ends === null &&
      current.slug !== 'growth' &&
      monthly > 0 &&
      html`${nextMonth}: ${creditAmount(monthly)} of the plan. What is left of this month’s ends then.`,
    autoRecharge.enabled &&
      pack !== undefined &&
      html`When fewer than ${creditAmount(autoRecharge.threshold ?? 0)} are left: ${creditAmount(pack.credits)} for ${formatMoney(pack.price_cents, pack.currency)}${autoRecharge.monthlyCapCents !== null && `, at most ${formatMoney(autoRecharge.monthlyCapCents, pack.currency)} a month`}.`,
  ];
  const known = items.filter((item) => item !== false);
  return known.length > 0
    ? bulletList(known)
    : html`<p class="empty">Nothing is charged, and no credits come, without a choice of yours below.</p>`;
}
