import type { UsageCall } from '../../../accounts/usage/usage-reader.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { refusalBox, selectField, textField } from '../form-fields.ts';
import { fieldText, paginationNav } from '../form-values.ts';
import { creditsText, timeTag } from '../formats.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageResponse, Refusal } from '../page-route.ts';
import { indexKeyNames, keyText, type NamedKey } from './key-names.ts';
import { DEFAULT_DAYS } from './usage-query.ts';

const PATH = '/usage';
/** The newest keys, as options of the form. */
const MAX_KEY_OPTIONS = 100;

interface UsagePageView {
  readonly query: URLSearchParams;
  readonly keys: readonly NamedKey[];
  readonly timezone: string;
  readonly number: number;
  readonly calls: readonly UsageCall[];
  readonly hasMore: boolean;
}

export const usagePage = (shown: UsagePageView): PageResponse => {
  const { query, keys, number, hasMore } = shown;
  const csv = new URLSearchParams(query);
  csv.delete('page');
  csv.set('format', 'csv');
  return pageResponse(
    'Usage',
    html`${filterForm(query, keys)}
<p><a href="${PATH}?${csv.toString()}">Download as CSV</a> <span class="facts">with these filters, at most 100,000 calls</span></p>
${callsTable(shown)}
${paginationNav(PATH, query, { page: number, hasMore })}
<p class="facts">Of each request its operation is kept, and not what it asked for. Calls by day, operation, key and status, and how long they took: <a href="/analytics">Analytics</a>.</p>`,
  );
};

/** The form with its errors, without data. */
export const refusedUsagePage = (query: URLSearchParams, keys: readonly NamedKey[], refusal: Refusal): PageResponse =>
  pageResponse('Usage', html`${refusalBox(refusal)}${filterForm(query, keys, refusal)}`, { status: refusal.status });

function filterForm(query: URLSearchParams, keys: readonly NamedKey[], refusal?: Refusal): Html {
  const error = (name: string) => refusal?.fields[name];
  const days = fieldText(query, 'days') || String(DEFAULT_DAYS);
  const keyId = fieldText(query, 'key_id');
  const offered = keys.slice(-MAX_KEY_OPTIONS).map(({ id, name }) => [String(id), name] as const);
  const isOffered = keyId === '' || offered.some(([id]) => id === keyId);
  return html`<form method="get" action="${PATH}" role="search" class="filters">
${textField({ name: 'days', label: 'Days', value: days, inputmode: 'numeric', error: error('days') })}
${selectField({
  name: 'key_id',
  label: 'Key',
  value: keyId,
  error: error('key_id'),
  options: [['', 'any'], ...offered, ...(isOffered ? [] : [[keyId, keyId] as const])],
})}
${textField({ name: 'status', label: 'Status: 404, 4xx', value: fieldText(query, 'status'), error: error('status') })}
${textField({ name: 'q', label: 'Operation or request id', type: 'search', value: fieldText(query, 'q'), error: error('q') })}
<button type="submit">Filter</button></form>
${['Page', 'Format'].map((name) => {
  const message = error(name.toLowerCase());
  return message !== undefined && html`<p class="wrong">${name}: ${message}</p>`;
})}`;
}

const HEADINGS = [
  ...['Time', 'Key', 'Operation'],
  ...[['Status', 'number'] as const, ['Credits', 'number'] as const, ['Milliseconds', 'number'] as const],
  'Request id',
];

function callsTable({ calls, keys, timezone, number }: UsagePageView): Html {
  if (calls.length === 0) {
    return emptyState(number > 1 ? 'There are no more calls.' : 'No call fits these filters.');
  }
  const nameOf = indexKeyNames(keys);
  return dataTable(
    'Calls',
    HEADINGS,
    calls.map(
      ({ at, keyId, operation, status, credits, milliseconds, requestId }) =>
        html`<tr><td>${timeTag(at, timezone)}</td><td>${keyText(keyId, nameOf)}</td><td>${operation ?? '–'}</td><td class="number">${status}</td><td class="number">${creditsText(credits)}</td><td class="number">${creditsText(milliseconds)}</td><td><code>${requestId}</code></td></tr>\n`,
    ),
  );
}
