import { bulletList, type Html, html } from '../../layout/html.ts';
import { selectField, textField } from '../form-fields.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';
import { dismissSourceSection } from './data-dismiss-source.ts';
import { bindForm, dismissForm, nameForms } from './data-forms.ts';
import { extraList, messagesList } from './data-messages.ts';
import { DATA_PATH, placeOf, placePath } from './data-place.ts';
import { thingText } from './data-texts.ts';
import type { IdentityDesk, ShownWaiting } from './identity-desk.ts';
import { badge } from './staff-page-frame.ts';

/** Groups of a page. */
const ROWS = 50;

/** The reasons for which messages wait (`QUARANTINE_CODES`), which the room of pages does not import. */
const REASONS = [
  ...['ambiguous', 'unknown_event', 'unknown_ref', 'unknown_team', 'unknown_player'],
  ...['ambiguous_team', 'ambiguous_player', 'side_unproved', 'refused'],
];

export async function waitingTab(desk: IdentityDesk, visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const place = placeOf(visit);
  const { rows, next } = await desk.waiting({
    after: place.after ?? null,
    limit: ROWS,
    source: place.by_source,
    reason: place.by_reason,
  });
  return html`${isAdmin && (await dismissSourceSection(desk, visit))}
<section aria-labelledby="waiting"><h2 id="waiting">What waits, by source and ref</h2>
<form method="get" action="${DATA_PATH}" class="filters">
${textField({ name: 'by_source', label: 'Source', value: place.by_source ?? '' })}
${selectField({
  name: 'by_reason',
  label: 'Reason',
  value: place.by_reason ?? '',
  options: [['', 'all'] as const, ...REASONS.map((one) => [one, one] as const)],
})}
<button type="submit">Filter</button></form>
${rowList(
  'Waiting',
  rows.map((row, index) => waitingRow(visit, row, index, isAdmin)),
  next === null ? 'Nothing waits.' : 'Nothing among those that were looked at.',
)}
${next !== null && html`<p><a href="${placePath({ ...place, after: next })}" rel="next">More</a></p>`}</section>`;
}

function waitingRow(visit: SignedInRequest, row: ShownWaiting, index: number, isAdmin: boolean): ListRow {
  const { source, ref, reason, kinds, count, last_at, things } = row;
  const kindsText = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  const isNear = row.candidates.length === 0;
  const last = timeTag(last_at, visit.session.user.timezone);
  return {
    cells: [
      html`<strong>${source}:${ref ?? '–'}</strong> ${badge(reason)}
<p>${reasonText(row)}</p>
${row.match !== null && html`<p class="facts">${sidesText(visit, row.match)}</p>`}
${extraList(row.extra)}
<p class="facts">${kindsText.join(', ')}; the last ${last}</p>
${messagesList(visit, row.messages, count, `identities waiting --id '${row.id}'`)}`,
      html`${things.length > 0 && isNear && html`<p class="facts">Near it:</p>`}
${things.map(
  (thing) =>
    html`<p>${thingText(visit, thing)}${thing.id === row.suggestion && badge('nearest')}${isSwapped(row, thing.id) && badge('sides swapped')}</p>${isAdmin && bindForm(visit, row, index, thing)}`,
)}
${
  isAdmin &&
  html`${ref !== null && bindForm(visit, row, index)}
${nameForms(visit, row, index)}
${dismissForm(visit, row, index)}`
}`,
      html`<p class="facts">As commands:</p>${bulletList(row.advice.split('; '))}`,
    ],
  };
}

const isSwapped = ({ candidates, near }: ShownWaiting, id: number): boolean =>
  [...candidates, ...near].some(({ event_id, swapped }) => event_id === id && swapped === true);

/** A message that waited for something else before was refused when that became known. */
const reasonText = ({ reason, text }: ShownWaiting): string =>
  reason === 'refused' ? `What it waited for is known, and then it was refused: ${text}` : text;

/** What the oldest message itself says of its event. */
function sidesText(visit: SignedInRequest, match: Readonly<Record<string, unknown>>): Html {
  const names = ['home', 'away', 'player_1', 'player_2'].flatMap((role) => match[role] ?? []);
  const start = match['starts_at'];
  const isTime = typeof start === 'string' && !Number.isNaN(Date.parse(start));
  return html`It says: ${names.join(' – ')}${isTime && html`, ${timeTag(start, visit.session.user.timezone)}`}`;
}
