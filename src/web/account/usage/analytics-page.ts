import type { UsageAnalytics } from '../../../accounts/usage/usage-reader.ts';
import { dayBarChart, namedBarChart } from '../../layout/bar-charts.ts';
import { chartFigure, chartRow } from '../../layout/charts.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { refusalBox, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { creditsText } from '../formats.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageResponse, Refusal } from '../page-route.ts';
import { type CallStatistics, MAX_COUNTED_CALLS } from './call-statistics.ts';
import { indexKeyNames, keyText, type NamedKey } from './key-names.ts';
import { DEFAULT_DAYS } from './usage-query.ts';

const PATH = '/analytics';
/** Bars in a plot of operations or keys; the table has all. */
const MAX_BARS = 12;

/** Calls by day, operation, key and status, and how long they took. */
export function analyticsPage(
  query: URLSearchParams,
  { days, operations, keys }: UsageAnalytics,
  named: readonly NamedKey[],
  statistics: CallStatistics,
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
)}
${statistics.counted > 0 && html`${statusRows(statistics)}${latencyRows(statistics)}`}`,
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

/** The foot of a bar, in a text. */
const footKey = (kind: 'errors' | 'half'): Html =>
  html`<svg class="key" viewBox="0 0 8 8" aria-hidden="true"><rect class="${kind}" width="8" height="8"/></svg>`;

const dayRows = (days: UsageAnalytics['days']): Html => html`<h2>By day</h2>
${chartRow(
  chartFigure(
    dayBarChart(
      'Calls by day, as in the table',
      days.map(({ date, calls, errors }) => ({ date, value: calls, foot: errors })),
    ),
    html`Calls. The foot of a bar (${footKey('errors')}) is those that were answered with 4xx or 5xx.`,
  ),
  chartFigure(
    dayBarChart(
      'Credits by day, as in the table',
      days.map(({ date, credits }) => ({ date, value: credits })),
    ),
    'Credits.',
  ),
)}
<details><summary>By day in numbers</summary>${table(
  'By day',
  ['Day', 'Calls', 'Errors', 'Credits'],
  [...days].reverse().map(({ date, calls, errors, credits }) => [date, calls, errors, credits]),
)}</details>`;

interface NamedCounts {
  readonly name: string;
  readonly calls: number;
  readonly credits: number;
}

/** @param note below the heading */
function namedRows(
  what: 'Operation' | 'Key' | 'Status',
  rows: readonly NamedCounts[],
  note: Html | false = false,
): Html {
  const by = `by ${what.toLowerCase()}`;
  const heading = html`<h2>By ${what.toLowerCase()}</h2>
${note}`;
  if (rows.length === 0) return html`${heading}${emptyState('Nothing was called on these days.')}`;
  const plot = (of: 'calls' | 'credits', name: string): Html =>
    chartFigure(
      namedBarChart(
        `${name} ${by}, as in the table`,
        rows.slice(0, MAX_BARS).map((row) => ({ name: row.name, value: row[of] })),
      ),
      html`${name}${rows.length > MAX_BARS && html`, of the ${MAX_BARS} that were called most`}.`,
    );
  return html`${heading}
${chartRow(plot('calls', 'Calls'), plot('credits', 'Credits'))}
<details><summary>By ${what.toLowerCase()} in numbers</summary>${table(
    `By ${what.toLowerCase()}`,
    [what, 'Calls', 'Credits'],
    rows.map(({ name, calls, credits }) => [name, calls, credits]),
  )}</details>`;
}

const ofCounted = ({ isCut }: CallStatistics): Html | false =>
  isCut && html`<p class="facts">Of the newest ${creditsText(MAX_COUNTED_CALLS)} calls.</p>`;

const statusRows = (statistics: CallStatistics): Html =>
  namedRows(
    'Status',
    statistics.statuses.map(({ status, ...counts }) => ({ name: String(status), ...counts })),
    ofCounted(statistics),
  );

const latencyRows = (statistics: CallStatistics): Html => html`<h2>Latency</h2>
${ofCounted(statistics)}
<p>Half of the calls took at most ${millisecondsText(statistics.latency?.p50)} ms, and 95 of 100 at most ${millisecondsText(statistics.latency?.p95)} ms, within the server.</p>
${chartRow(
  chartFigure(
    dayBarChart(
      'Latency by day, as in the table',
      statistics.days.map(({ date, latency }) => ({ date, value: latency?.p95 ?? null, foot: latency?.p50 ?? 0 })),
      { foot: 'half' },
    ),
    html`Milliseconds: the 95th percentile, and as the foot of a bar (${footKey('half')}) the median.`,
  ),
)}
${dataTable(
  'Latency by day',
  ['Day', ['Median, ms', 'number'], ['95th percentile, ms', 'number']],
  [...statistics.days]
    .reverse()
    .filter(({ latency }) => latency !== null)
    .map(
      ({ date, latency }) =>
        html`<tr><th scope="row">${date}</th><td class="number">${millisecondsText(latency?.p50)}</td><td class="number">${millisecondsText(latency?.p95)}</td></tr>\n`,
    ),
)}`;

const millisecondsText = (value: number | undefined): string =>
  value === undefined ? '–' : creditsText(Math.round(value));

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
