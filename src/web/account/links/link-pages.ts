import type { LinkListing } from '../../../api/calls/services/link-services.ts';
import { codeBlock, dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { postButton, postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';

export const LINKS_PATH = '/links';

const FORMATS = [
  ['csv', 'CSV, for a spreadsheet'],
  ['ics', 'Calendar'],
  ['json', 'JSON'],
] as const;

/**
 * The account's links, and the form for a new one. A refused form keeps the typed values; at first it holds those of the
 * address, from a page that leads to it.
 */
export const linksPage = (visit: SignedInRequest, links: readonly LinkListing[], refusal?: Refusal): Html => html`
${refusalBox(refusal)}
<p>A link answers one read of the API to whoever has its address, and your account pays. It is for programs that cannot send a key, such as spreadsheets and calendars.</p>
<section><h2>Your links</h2>${links.length === 0 ? emptyState('There is no link yet.') : linksTable(visit, links)}</section>
<section><h2>Make a link</h2>${postForm(visit, LINKS_PATH, linkFields(visit.method === 'POST' ? visit.form : visit.query, refusal))}</section>`;

const linksTable = (visit: SignedInRequest, links: readonly LinkListing[]): Html =>
  dataTable(
    'Your links',
    ['Reads', 'State', 'Format', 'Made', 'Ends', 'Last used', 'Uses'],
    [...links].reverse().map((link) => linkRow(visit, link)),
  );

function linkRow(visit: SignedInRequest, link: LinkListing): Html {
  const { timezone } = visit.session.user;
  const { id, name, path, format, created_at: made, expires_at: ends, last_used_at: used, uses } = link;
  return html`<tr><th scope="row" class="wide">${name ?? ''}<br><code>${path}</code></th>
<td>${postButton(visit, `${LINKS_PATH}/${id}/revoke`, 'Revoke', 'danger')}</td>
<td>${format}</td><td>${timeTag(made, timezone)}</td><td>${ends === null ? 'never' : timeTag(ends, timezone)}</td>
<td>${used === null ? 'never' : timeTag(used, timezone)}</td><td>${uses}</td></tr>
`;
}

function linkFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const { path, format, name, expires_at: ends } = refusal?.fields ?? {};
  return html`${textField({
    name: 'path',
    label: 'Path',
    value: fieldText(typed, 'path'),
    error: path,
    required: true,
    maxlength: 2000,
    hint: 'A read of the API with its query, such as /v1/events?league=nfl&from=today&to=+7d. Dates may be today, tomorrow, +7d or -7d; the limit in CSV and calendars up to 2500.',
    autocomplete: 'off',
  })}
${selectField({ name: 'format', label: 'Format', options: FORMATS, value: fieldText(typed, 'format'), error: format })}
${textField({ name: 'name', label: 'Name', value: fieldText(typed, 'name'), error: name, maxlength: 100, hint: 'For you, such as what uses it.', autocomplete: 'off' })}
${textField({ name: 'expires_at', label: 'Ends at', value: fieldText(typed, 'expires_at'), error: ends, hint: 'A UTC time such as 2026-12-31T00:00:00Z; empty: never.', autocomplete: 'off' })}
${submitButton('Make the link')}`;
}

/** A new link, which is shown once. */
export const newLinkPage = ({ url, format }: LinkListing): Html => html`
<p class="notice">Copy the address now. This page shows it once, and the server keeps no copy.</p>
<div class="secret">${codeBlock(url!, 'The address of the link')}</div>
${format === 'csv' && spreadsheets(url!)}
${format === 'ics' && calendars(url!)}
<p>Whoever has the address reads what it shows, at your cost. Asked again within 10 seconds it gives the same answer, free.</p>
<p><a href="${LINKS_PATH}">Your links</a></p>`;

const spreadsheets = (url: string): Html => html`
<h2>Google Sheets</h2>${codeBlock(`=IMPORTDATA("${url}")`, 'The formula for Google Sheets')}
<h2>Excel</h2><p>Data, From Web, and this address; or in the advanced editor of Power Query:</p>
${codeBlock(`= Csv.Document(Web.Contents("${url}"), [Encoding = 65001])`, 'The source for Excel')}`;

const calendars = (url: string): Html => html`
<h2>Calendars</h2><p>Subscribe to this address: in Google Calendar by “Other calendars, From URL”, in Apple Calendar by “New Calendar Subscription”, in Outlook by “Subscribe from web”.</p>
${codeBlock(url.replace(/^https?:/, 'webcal:'), 'The address for a calendar')}`;
