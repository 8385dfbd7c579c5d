import type { AlertPreview, Webhook } from '../../../api/calls/services/webhook-services.ts';
import type { AlertFilter } from '../../../domain/alerts/alert-filter.ts';
import { ALERT_FORMATS, type PeopleFormat } from '../../../domain/alerts/alert-formats.ts';
import { SPORT_SLUGS, SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { codeBlock, dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { postButton, postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { PageRequest, Refusal, SignedInRequest } from '../page-route.ts';
import { ALERT_CHOICES } from './alert-choices.ts';

export const ALERTS_PATH = '/alerts';
export const alertPath = (id: number): string => `${ALERTS_PATH}/${id}`;

const FORMATS: readonly (readonly [PeopleFormat, string])[] = [
  ['email', 'E-mail, to your own address'],
  ['discord', 'Discord'],
  ['slack', 'Slack or Mattermost'],
  ['telegram', 'Telegram'],
  ['ntfy', 'ntfy'],
];
const ALL_SPORTS = 'all';

/** The account's alerts and webhooks. */
export const alertsPage = (visit: SignedInRequest, alerts: readonly Webhook[], refusal?: Refusal): Html => html`
${refusalBox(refusal)}
<p>An alert reaches you by mail, on Discord, Slack, Telegram or ntfy: of scores, lines that move, edges, arbitrage and injuries.</p>
<p><a class="button" href="${ALERTS_PATH}/new">Make an alert</a></p>
<section><h2>Your alerts and webhooks</h2>${
  alerts.length === 0
    ? emptyState('There is no alert yet.')
    : dataTable(
        'Your alerts and webhooks',
        ['Id', 'State', 'To', 'About'],
        [...alerts].reverse().map((alert) => alertRow(visit, alert)),
      )
}</section>`;

function alertRow(
  visit: SignedInRequest,
  { id, url, format, filter, event_types, is_active: isActive }: Webhook,
): Html {
  const state = isActive
    ? html`${postButton(visit, `${alertPath(id)}/test`, 'Send a test')} ${postButton(visit, `${alertPath(id)}/remove`, 'End', 'danger')}`
    : html`<span class="badge bad">ended</span> ${postButton(visit, `${alertPath(id)}/remove`, 'Remove')}`;
  return html`<tr><th scope="row">${id}</th><td>${state}</td><td class="wide">${format}<br><code>${url}</code></td>
<td class="wide">${aboutOf(filter, event_types)}</td></tr>
`;
}

/** The types, then the other members in words of the API. */
function aboutOf(filter: AlertFilter | null, eventTypes: Webhook['event_types']): string {
  const { types = eventTypes, ...others } = filter ?? {};
  return [
    types.join(', '),
    ...Object.entries(others).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`),
  ].join('; ');
}

/** What was chosen on the page: from the form that was posted, or from the address of a page with a preview. */
export interface AlertWish {
  readonly format: PeopleFormat;
  readonly url: string;
  readonly filter: AlertFilter;
}

const givenOf = ({ form, query, method }: PageRequest): URLSearchParams => (method === 'POST' ? form : query);

/** @throws RefusedError 422 for a value that the page does not offer */
export function readAlertWish(visit: SignedInRequest): AlertWish {
  const given = givenOf(visit);
  const [format, about, sport] = ['format', 'about', 'sport'].map((name) => fieldText(given, name));
  const fields: Record<string, string> = {};
  const choice = ALERT_CHOICES.find(({ value }) => value === (about || ALERT_CHOICES[0]!.value));
  if (!choice) fields['about'] = 'It must be one of these.';
  const isFormat = (text: string): text is PeopleFormat =>
    text !== 'ledgerline' && (ALERT_FORMATS as readonly string[]).includes(text);
  const chosen = format || 'email';
  if (!isFormat(chosen)) fields['format'] = 'It must be one of these.';
  const isAnySport = !sport || sport === ALL_SPORTS;
  if (!isAnySport && !(SPORT_SLUGS as readonly string[]).includes(sport)) fields['sport'] = 'It must be one of these.';
  if (Object.keys(fields).length > 0 || !choice || !isFormat(chosen)) {
    throw new RefusedError(422, 'The alert was not made. See below.', { fields });
  }
  const url = chosen === 'email' ? `mailto:${visit.session.user.email}` : fieldText(given, 'url');
  return { format: chosen, url, filter: { ...choice.filter, ...(isAnySport ? {} : { sports: [sport!] }) } };
}

/** @param preview undefined: nothing can be shown of a wrong choice */
export function newAlertPage(visit: SignedInRequest, preview: AlertPreview | undefined, refusal?: Refusal): Html {
  const given = givenOf(visit);
  const value = (name: string) => fieldText(given, name) || undefined;
  const error = (name: string) => refusal?.fields[name];
  const choices = html`${selectField({ name: 'format', label: 'Where to', options: FORMATS, value: value('format'), error: error('format') })}
${selectField({ name: 'about', label: 'About what', options: ALERT_CHOICES.map((one) => [one.value, one.label]), value: value('about'), error: error('about') })}
${selectField({ name: 'sport', label: 'Of which sport', options: [[ALL_SPORTS, 'All sports'], ...SPORTS.map(({ slug, name }) => [slug, name] as const)], value: value('sport'), error: error('sport') })}`;
  return html`
${refusalBox(refusal)}
${postForm(
  visit,
  ALERTS_PATH,
  html`${choices}
${textField({
  name: 'url',
  label: 'Its address (not by mail)',
  value: value('url'),
  error: error('url'),
  maxlength: 2048,
  autocomplete: 'off',
  hint: 'Of the webhook, the chat or the topic: paste it from the service. A mail goes to your own address.',
})}
${submitButton('Make the alert')} <button type="submit" formmethod="get" formaction="${ALERTS_PATH}/new" formnovalidate>Show what it says</button>`,
)}
${preview === undefined ? '' : html`<section><h2>What it says</h2>${previewOf(preview)}</section>`}`;
}

function previewOf(preview: AlertPreview): Html {
  if (preview.lines === null) return nothingToShow(preview.searched);
  const { lines, at, isHistory } = preview;
  const history = html`<p>It is from imported history, of which no alert is sent: alerts tell what is less than a day old when it comes in. The setting <code>FEEDS</code> brings in games while they are played.</p>`;
  return html`<p>Of the last one that happened, on ${at.slice(0, 10)}, it would have said:</p>${codeBlock(lines.join('\n'), 'The text of the alert')}
${isHistory ? history : ''}`;
}

/** Says why, and what to do. */
const nothingToShow = (searched: number): Html =>
  searched === 0
    ? emptyState('This server has no facts yet. Import a season or start a feed, and look again.')
    : emptyState(
        `None of the newest ${searched} facts on this server is of this kind and sport. Choose another kind or sport to see a text; or make the alert, and send a test: it comes with a sample.`,
      );
