import type { BillingOverview } from '../../../accounts/billing/model/billing-services.ts';
import type { UsageAnalytics, UsageCall } from '../../../accounts/usage/usage-reader.ts';
import type { CreditBalance, KeyListing } from '../../../api/calls/services/account-services.ts';
import { dayBarChart } from '../../layout/bar-charts.ts';
import { chartFigure, chartRow } from '../../layout/charts.ts';
import { codeBlock, dataTable, type Html, html } from '../../layout/html.ts';
import { meterList } from '../../layout/meter.ts';
import { emptyState } from '../../layout/states.ts';
import { postButton, refusalBox } from '../form-fields.ts';
import { creditsText, timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { creditBurn, daysLeft } from '../usage/credit-burn.ts';
import { keyText } from '../usage/key-names.ts';

interface DashboardView {
  readonly balance: CreditBalance;
  readonly billing: Pick<BillingOverview, 'plan' | 'ends' | 'paymentFailed' | 'autoRecharge' | 'testMode'>;
  /** Undefined while the read model is being rebuilt after an upgrade. */
  readonly recentUsage: RecentUsage | undefined;
  /** Active keys. */
  readonly keys: readonly KeyListing[];
  /** Knows the names of active keys and of recently revoked ones. */
  readonly nameOf: (keyId: number) => string | undefined;
  /** The public address without a trailing slash. */
  readonly baseUrl: string;
  readonly limits: AccountLimits;
  readonly refusal?: Refusal | undefined;
}

/** What the plan allows; null: any number. */
export interface AccountLimits {
  readonly keys: number | null;
  /** For each key. */
  readonly requestsPerMinute: number | null;
  /** Credits of the plan in 24 hours. */
  readonly dailyCredits: number | null;
}

export interface RecentUsage {
  /** Of this UTC month. */
  readonly month: { readonly calls: number; readonly errors: number; readonly credits: number };
  /** Of the last 31 UTC days, oldest first. */
  readonly days: UsageAnalytics['days'];
  /** Newest first. */
  readonly calls: readonly UsageCall[];
  /** Of the last 24 hours. */
  readonly lastDay: {
    readonly credits: number;
    /** The most calls of one key within a minute. */
    readonly busiestMinute: number;
  };
}

const PLACEHOLDER = 'YOUR_API_KEY';
const KEYS_SHOWN = 5;

/** The state of the account at a glance, and the first steps. */
export const dashboardPage = (visit: SignedInRequest, view: DashboardView): Html => html`
${refusalBox(view.refusal)}
${notices(visit, view).map((notice) => html`<p class="notice">${notice}</p>`)}
${figures(view)}
<p>If you bet: <a href="/bets">your bets</a> and what they were worth, <a href="/account/books">the books you bet at</a>, and <a href="/alerts/new">alerts</a> of games and lines.</p>
<section><h2>Limits</h2>${limitMeters(view)}</section>
${charts(view)}
${hasBegun(view) ? html`<details><summary>First steps</summary>${firstSteps(visit, view)}</details>` : html`<section><h2>First steps</h2>${firstSteps(visit, view)}</section>`}
<section><h2>Newest calls</h2>${newestCalls(visit, view)}</section>
<section><h2>Keys</h2>${keysInForce(visit, view)}</section>`;

function notices(visit: SignedInRequest, { balance, billing, keys }: DashboardView): readonly Html[] {
  const { timezone } = visit.session.user;
  const { paymentFailed, autoRecharge, ends } = billing;
  const billingLink = html`<a href="/billing">Billing</a>`;
  return [
    paymentFailed &&
      html`Two invoices were declined: calls that cost credits are refused until one is paid. ${billingLink}`,
    balance.is_trial_expired && html`The trial is over, and its credits are gone. ${billingLink}`,
    balance.total_remaining === 0 && !balance.is_trial_expired && html`No credits are left. ${billingLink}`,
    autoRecharge.notice !== null && html`${autoRecharge.notice} ${billingLink}`,
    ends !== null && html`The plan ends on ${timeTag(ends.at, timezone)}; then it is ${ends.plan}. ${billingLink}`,
    keys.length === 0 && html`There is no API key yet. <a href="/api-keys">Make one</a>`,
    billing.testMode && html`TEST: no money moves on this server.`,
  ].filter((notice) => notice !== false);
}

const NOT_KNOWN = 'Not known yet';

function figures({ balance, billing, recentUsage }: DashboardView): Html {
  const { calls, errors, credits } = recentUsage?.month ?? {};
  const shown = (count: number | undefined) => (count === undefined ? NOT_KNOWN : creditsText(count));
  const { total_remaining: left, credit_limit: limit, bonus_credits: bonus } = balance;
  const burn = recentUsage && creditBurn(recentUsage.days);
  const lasting = daysLeft(left, burn);
  const of = limit === null ? 'no limit' : `${creditsText(limit)} of the plan, ${creditsText(bonus)} bought or given`;
  return html`<div class="cards figures">
<section class="card"><h2>Credits left</h2><p class="stat">${left === null ? 'Unlimited' : creditsText(left)}</p><p class="facts">${of}</p></section>
<section class="card"><h2>Credits a day</h2><p class="stat">${recentUsage ? creditsText(Math.round(burn?.perDay ?? 0)) : NOT_KNOWN}</p><p class="facts">${burn ? (burn.days === 1 ? 'Today, the first day with calls' : `Mean of the last ${burn.days} days, today included`) : 'Nothing was called yet'}</p></section>
<section class="card"><h2>Days left</h2><p class="stat">${recentUsage ? (left === null ? 'No end' : lasting === undefined ? '–' : creditsText(lasting)) : NOT_KNOWN}</p><p class="facts">${left === null ? 'Credits are unlimited' : lasting === undefined ? 'Nothing is being spent' : 'At this rate'}</p></section>
<section class="card"><h2>Plan</h2><p class="stat">${billing.plan.name}</p><p class="facts"><a href="/billing">Billing</a></p></section>
<section class="card"><h2>Calls this month</h2><p class="stat">${shown(calls)}</p><p class="facts">${errors !== undefined && `${creditsText(errors)} with errors; `}the month of UTC</p></section>
<section class="card"><h2>Credits this month</h2><p class="stat">${shown(credits)}</p><p class="facts"><a href="/analytics">Analytics</a></p></section>
</div>`;
}

function limitMeters({ balance, limits, keys, recentUsage }: DashboardView): Html {
  const { credits_used: spent, credit_limit: limit, bonus_credits: bonus } = balance;
  const meter = (label: string, used: number, most: number | null) =>
    most === null ? [] : [{ label, used, limit: most, text: `${creditsText(used)} of ${creditsText(most)}` }];
  const { lastDay } = recentUsage ?? {};
  const meters = [
    ...meter(
      bonus > 0 ? 'Credits, with those beside the plan' : 'Credits',
      spent,
      limit === null ? null : limit + bonus,
    ),
    // What was bought does not count against the cap, and what was spent of it is not known apart.
    ...(lastDay && bonus === 0 ? meter('Credits of the last 24 hours', lastDay.credits, limits.dailyCredits) : []),
    ...(lastDay
      ? meter('Most calls of a key in a minute, last 24 hours', lastDay.busiestMinute, limits.requestsPerMinute)
      : []),
    ...meter('API keys', keys.length, limits.keys),
  ].filter(({ limit: most }) => most > 0);
  if (meters.length === 0) return emptyState('This plan has no limits.');
  return html`${meterList(meters)}${
    limits.dailyCredits !== null &&
    bonus > 0 &&
    html`<p class="facts">Of the plan’s credits at most ${creditsText(limits.dailyCredits)} are charged in 24 hours; how many of those beside the plan were charged is not shown apart here.</p>`
  }`;
}

function charts({ recentUsage }: DashboardView): Html | false {
  if (!recentUsage || recentUsage.days.every(({ calls }) => calls === 0)) return false;
  const { days } = recentUsage;
  const chart = (of: 'calls' | 'credits', name: string): Html =>
    chartFigure(
      dayBarChart(
        `${name} by day, as in the table of Analytics`,
        days.map((day) => ({ date: day.date, value: day[of] })),
      ),
      `${name} a day, of the last ${days.length} days of UTC.`,
    );
  return html`<section><h2>By day</h2>${chartRow(chart('calls', 'Calls'), chart('credits', 'Credits'))}<p><a href="/analytics">By operation, key, status and latency</a></p></section>`;
}

/** Whoever has a key and calls knows them. */
const hasBegun = ({ keys, recentUsage }: DashboardView): boolean =>
  keys.length > 0 && (recentUsage?.month.calls ?? 0) > 0;

const firstSteps = (visit: SignedInRequest, { baseUrl }: DashboardView): Html => html`
<ol>
<li><p><a href="/api-keys">Make an API key</a>, and copy it: it is shown once.</p></li>
<li><p>Make a call, with the key in the place of <code>${PLACEHOLDER}</code>:</p>
${codeBlock(`curl ${baseUrl}/v1/sports -H 'Authorization: Bearer ${PLACEHOLDER}'`, 'A first call')}</li>
<li><p>Or try calls in the <a href="/playground">playground</a>, without a key.</p></li>
<li><p>Read the documentation. The first visit brings 100 credits that never expire, once for an account.</p>
${postButton(visit, '/onboarding/docs-visit', 'Open the documentation')}</li>
</ol>`;

function newestCalls(visit: SignedInRequest, { recentUsage, nameOf }: DashboardView): Html {
  if (!recentUsage) return emptyState('The calls are being put together. Look again in a moment.');
  const { calls } = recentUsage;
  if (calls.length === 0) return emptyState('No call was answered yet.');
  const { timezone } = visit.session.user;
  const rows = calls.map(
    ({
      at,
      keyId,
      operation,
      status,
      credits,
    }) => html`<tr><td>${timeTag(at, timezone)}</td><td>${operation ?? '-'}</td>
<td class="wide">${keyText(keyId, nameOf)}</td><td class="number">${status}</td><td class="number">${creditsText(credits)}</td></tr>
`,
  );
  return html`${dataTable('Newest calls', ['Time', 'Call', 'Key', ['Status', 'number'], ['Credits', 'number']], rows)}<p><a href="/usage">All calls</a></p>`;
}

function keysInForce(visit: SignedInRequest, { keys }: DashboardView): Html {
  const { timezone } = visit.session.user;
  const all = html`<p><a href="/api-keys">All keys</a></p>`;
  if (keys.length === 0) return html`${emptyState('There is none in force.')}${all}`;
  const rows = keys.slice(-KEYS_SHOWN).map(
    ({
      name,
      prefix,
      last_used_at: used,
    }) => html`<tr><th scope="row" class="wide">${name}</th><td><code>${prefix}</code></td>
<td>${used === null ? 'never' : timeTag(used, timezone)}</td></tr>
`,
  );
  return html`${dataTable('Keys in force', ['Name', 'Begins with', 'Last used'], rows)}${all}`;
}
