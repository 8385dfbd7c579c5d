import type { AlertPreview, Webhook } from '../../../api/calls/services/webhook-services.ts';
import type { AlertFilter } from '../../../domain/alerts/alert-filter.ts';
import { ALERT_FORMATS, type PeopleFormat } from '../../../domain/alerts/alert-formats.ts';
import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { codeBlock, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import type { NamedEvent } from '../find-named-event.ts';
import { hiddenField, postButton, postForm, refusalBox, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { PageRequest, Refusal, SignedInRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';
import { ALERT_CHOICES } from './alert-choices.ts';
import { aboutWords, formatWords } from './alert-words.ts';

export const ALERTS_PATH = '/alerts';
export const alertPath = (id: number): string => `${ALERTS_PATH}/${id}`;

type FormatOption = readonly [PeopleFormat, string];
const BY_MAIL: FormatOption = ['email', 'E-mail, to your own address'];
/** A mail is a file in the data folder then. */
const BY_NO_MAIL: FormatOption = ['email', 'E-mail (this server sends none: SMTP_URL is not set)'];
const BY_ADDRESS: readonly FormatOption[] = [
  ['discord', 'Discord'],
  ['slack', 'Slack or Mattermost'],
  ['telegram', 'Telegram'],
  ['ntfy', 'ntfy'],
];
/** The first is chosen until another is. */
const formatsOf = (isMailSent: boolean): readonly FormatOption[] =>
  isMailSent ? [BY_MAIL, ...BY_ADDRESS] : [...BY_ADDRESS, BY_NO_MAIL];
const ALL_SPORTS = 'all';
/** Before the slug of a league, since a league may be named as its sport. */
const LEAGUE_PREFIX = 'league:';
/** Of the sports that have several. */
const LEAGUES = SPORTS.flatMap(({ leagues }) => (leagues.length > 1 ? leagues : []));

/** The account's alerts and webhooks. */
export const alertsPage = (
  visit: SignedInRequest,
  alerts: readonly Webhook[],
  nameOf: (eventId: number) => string | undefined,
  refusal?: Refusal,
): Html => html`
${refusalBox(refusal)}
<p>An alert reaches you by mail, on Discord, Slack, Telegram or ntfy: of scores, lines that move, edges, arbitrage and injuries.</p>
<p><a class="button" href="${ALERTS_PATH}/new">Make an alert</a></p>
<section><h2>Your alerts and webhooks</h2>${rowList(
  'Your alerts and webhooks',
  [...alerts].reverse().map((alert) => alertRow(visit, alert, nameOf)),
  'There is no alert yet. Make one, and see what it will say before you keep it.',
)}</section>`;

function alertRow(
  visit: SignedInRequest,
  { id, url, format, filter, event_types, is_active: isActive }: Webhook,
  nameOf: (eventId: number) => string | undefined,
): ListRow {
  const button = (act: string, text: string, kind: 'quiet' | 'danger') =>
    postButton(visit, `${alertPath(id)}/${act}`, text, kind);
  return {
    id: `alert-${id}`,
    cells: [
      html`<b>${aboutWords(filter, event_types, nameOf)}</b><br><span class="facts">Alert ${id}</span>`,
      html`${formatWords(format)}<br><code>${url}</code>`,
      html`<div class="buttons">${
        isActive
          ? html`${button('test', 'Send a test', 'quiet')} ${button('remove', 'End', 'danger')}`
          : html`<span class="badge bad">ended</span> ${button('remove', 'Remove', 'quiet')}`
      }</div>`,
    ],
  };
}

/** What was chosen on the page: from the form that was posted, or from the address of a page with a preview. */
export interface AlertWish {
  readonly format: PeopleFormat;
  readonly url: string;
  readonly filter: AlertFilter;
}

export const givenOf = ({ form, query, method }: PageRequest): URLSearchParams => (method === 'POST' ? form : query);

/**
 * @param event that it is about, if about one alone
 * @throws RefusedError 422 for a value that the page does not offer
 */
export function readAlertWish(visit: SignedInRequest, event: NamedEvent | undefined): AlertWish {
  const given = givenOf(visit);
  const [format, about, sport] = ['format', 'about', 'sport'].map((name) => fieldText(given, name));
  const fields: Record<string, string> = {};
  const choice = ALERT_CHOICES.find(({ value }) => value === (about || ALERT_CHOICES[0]!.value));
  if (!choice) fields['about'] = 'It must be one of these.';
  const isFormat = (text: string): text is PeopleFormat =>
    text !== 'ledgerline' && (ALERT_FORMATS as readonly string[]).includes(text);
  const chosen = format || 'email';
  if (!isFormat(chosen)) fields['format'] = 'It must be one of these.';
  const whose = event ? { event_ids: [event.id] } : whoseOf(sport || ALL_SPORTS);
  if (!whose) fields['sport'] = 'It must be one of these.';
  if (Object.keys(fields).length > 0 || !choice || !isFormat(chosen)) {
    throw new RefusedError(422, 'The alert was not made. See below.', { fields });
  }
  const url = chosen === 'email' ? `mailto:${visit.session.user.email}` : fieldText(given, 'url');
  return { format: chosen, url, filter: { ...choice.filter, ...whose } };
}

/** Whose changes are meant by a choice of a sport or a league; undefined if the page does not offer it. */
function whoseOf(choice: string): Pick<AlertFilter, 'sports' | 'leagues'> | undefined {
  if (choice === ALL_SPORTS) return {};
  if (SPORTS.some(({ slug }) => slug === choice)) return { sports: [choice] };
  const league = LEAGUES.find(({ slug }) => choice === `${LEAGUE_PREFIX}${slug}`);
  return league && { leagues: [league.slug] };
}

/** @param preview undefined: nothing can be shown of a wrong choice */
export function newAlertPage(
  visit: SignedInRequest,
  event: NamedEvent | undefined,
  preview: AlertPreview | undefined,
  isMailSent: boolean,
  refusal?: Refusal,
): Html {
  const given = givenOf(visit);
  const value = (name: string) => fieldText(given, name) || undefined;
  const error = (name: string) => refusal?.fields[name];
  const choices = html`${selectField({ name: 'format', label: 'Where to', options: formatsOf(isMailSent), value: value('format'), error: error('format') })}
<div class="for-address">${textField({
    name: 'url',
    label: 'Its address (not by mail)',
    value: value('url'),
    error: error('url'),
    maxlength: 2048,
    autocomplete: 'off',
    hint: 'Of the webhook, the chat or the topic: paste it from the service. A mail goes to your own address.',
  })}</div>
${selectField({ name: 'about', label: 'About what', options: ALERT_CHOICES.map((one) => [one.value, one.label]), value: value('about'), error: error('about') })}
${
  event
    ? html`${hiddenField('event', String(event.id))}<p>Of <a href="/events/${event.id}">${event.name}</a> alone. <a href="${ALERTS_PATH}/new">Of other games</a></p>`
    : selectField({
        name: 'sport',
        label: 'Of which sport or league',
        options: [[ALL_SPORTS, 'All sports']],
        groups: [
          { label: 'Sports', options: SPORTS.map(({ slug, name }) => [slug, name] as const) },
          { label: 'Leagues', options: LEAGUES.map(({ slug, name }) => [`${LEAGUE_PREFIX}${slug}`, name] as const) },
        ],
        value: value('sport'),
        error: error('sport'),
      })
}`;
  return html`
${refusalBox(refusal)}
${postForm(
  visit,
  ALERTS_PATH,
  html`${choices}
<div class="buttons">${submitButton('Make the alert')} <button type="submit" class="quiet" formmethod="get" formaction="${ALERTS_PATH}/new" formnovalidate>Show what it says</button></div>`,
)}
${preview === undefined ? '' : html`<section><h2>What it says</h2>${previewOf(preview)}</section>`}`;
}

function previewOf(preview: AlertPreview): Html {
  if (preview.lines === null) return nothingToShow(preview.searched);
  const { lines, at, isHistory } = preview;
  const history = html`<p>It is from imported history, of which no alert is sent: alerts tell what is less than a day old when it comes in. The setting <code>FEEDS</code> brings in games while they are played.</p>`;
  return html`<p>Of the last one that happened, on ${at.slice(0, 10)}, it would have said:</p><div class="wrapped">${codeBlock(lines.join('\n'), 'The text of the alert')}</div>
${isHistory ? history : ''}`;
}

/** Says why, and what to do. */
const nothingToShow = (searched: number): Html =>
  searched === 0
    ? emptyState('This server has no facts yet. Import a season or start a feed, and look again.')
    : emptyState(
        `None of the newest ${searched} facts on this server is of this kind and sport. Choose another kind or sport to see a text; or make the alert, and send a test: it comes with a sample.`,
      );
