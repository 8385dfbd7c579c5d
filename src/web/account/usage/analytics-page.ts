import type { UsageAnalytics } from '../../../accounts/usage/usage-reader.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { refusalBox, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { creditsText } from '../formats.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageResponse, Refusal } from '../page-route.ts';
import { dayBarChart, namedBarChart } from './bar-charts.ts';
import { indexKeyNames, keyText, type NamedKey } from './key-names.ts';
import { DEFAULT_DAYS } from './usage-query.ts';

const PATH = '/analytics';
/** Bars in a plot of operations or keys; the table has all. */
const MAX_BARS = 12;

/** Calls by day, operation and key. */
export function analyticsPage(
  query: URLSearchParams,
  { days, operations, keys }: UsageAnalytics,
  named: readonly NamedKey[],
): PageResponse {
  const nameOf = indexKeyNames(named);
  const total = (of: 'calls' | 'errors' | 'credits') => creditsText(days.reduce((sum, day) => sum + day[of], 0));
  return pageResponse(
    'Analytics',
    html`${daysForm(query)}
<p>${total('calls')} calls, of which ${total('errors')} were answered with 4xx or 5xx, for ${total('credits')} credits. Days are those of UTC; the last is today. <a href="${PATH}?days=${days.length}&format=json">As JSON</a></p>
${dayRows(days)}
${namedRows(
  'Operation',
  operations.map(({ operation, ...counts }) => ({ name: operation ?? 'None that exists', ...counts })),
)}
${namedRows(
  'Key',
  keys.map(({ key_id, ...counts }) => ({ name: keyText(key_id, nameOf), ...counts })),
)}`,
  );
}

/** The form with its errors, without data. */
export const refusedAnalyticsPage = (query: URLSearchParams, refusal: Refusal): PageResponse =>
  pageResponse('Analytics', html`${refusalBox(refusal)}${daysForm(query, refusal)}`, { status: refusal.status });

function daysForm(query: URLSearchParams, refusal?: Refusal): Html {
  const value = fieldText(query, 'days') || String(DEFAULT_DAYS);
  const { days, format } = refusal?.fields ?? {};
  return html`<form method="get" action="${PATH}" class="filters">
${textField({ name: 'days', label: 'Days', value, inputmode: 'numeric', error: days })}
<button type="submit">Show</button></form>
${format !== undefined && html`<p class="wrong">${format}</p>`}`;
}

const dayRows = (days: UsageAnalytics['days']): Html => html`<h2>By day</h2>
<div class="plots">
<figure>${dayBarChart(
  'calls-by-day',
  'Calls by day, as in the table',
  days.map(({ date, calls, errors }) => ({ date, value: calls, errors })),
)}
<figcaption>Calls. The foot of a bar (<svg class="key" viewBox="0 0 8 8" aria-hidden="true"><rect class="errors" width="8" height="8"/></svg>) is those that were answered with 4xx or 5xx.</figcaption></figure>
<figure>${dayBarChart(
  'credits-by-day',
  'Credits by day, as in the table',
  days.map(({ date, credits }) => ({ date, value: credits })),
)}
<figcaption>Credits.</figcaption></figure>
</div>
${table(
  'By day',
  ['Day', 'Calls', 'Errors', 'Credits'],
  [...days].reverse().map(({ date, calls, errors, credits }) => [date, calls, errors, credits]),
)}`;

interface NamedCounts {
  readonly name: string;
  readonly calls: number;
  readonly credits: number;
}

function namedRows(what: 'Operation' | 'Key', rows: readonly NamedCounts[]): Html {
  const by = `by ${what.toLowerCase()}`;
  const heading = html`<h2>By ${what.toLowerCase()}</h2>`;
  if (rows.length === 0) return html`${heading}${emptyState('Nothing was called on these days.')}`;
  const plot = (of: 'calls' | 'credits', name: string): Html =>
    html`<figure>${namedBarChart(
      `${of}-by-${what.toLowerCase()}`,
      `${name} ${by}, as in the table`,
      rows.slice(0, MAX_BARS).map((row) => ({ name: row.name, value: row[of] })),
    )}
<figcaption>${name}${rows.length > MAX_BARS && html`, of the ${MAX_BARS} that were called most`}.</figcaption></figure>`;
  return html`${heading}
<div class="plots">${plot('calls', 'Calls')}${plot('credits', 'Credits')}</div>
${table(
  `By ${what.toLowerCase()}`,
  [what, 'Calls', 'Credits'],
  rows.map(({ name, calls, credits }) => [name, calls, credits]),
)}`;
}

const table = (
  name: string,
  [first, ...numbers]: readonly [string, ...string[]],
  rows: readonly (readonly [string, ...number[]])[],
): Html =>
  dataTable(
    name,
    [first, ...numbers.map((heading) => [heading, 'number'] as const)],
    rows.map(
      ([label, ...values]) =>
        html`<tr><th scope="row">${label}</th>${values.map((value) => html`<td class="number">${creditsText(value)}</td>`)}</tr>\n`,
    ),
  );
