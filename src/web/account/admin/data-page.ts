import { bulletList, type Html, html } from '../../layout/html.ts';
import { fieldText, readBefore } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { dataActRoute } from './data-act-route.ts';
import { bindForm, dismissForm, mergeForm, messagesList, nameForm, undoForm } from './data-forms.ts';
import { splitSection } from './data-split.ts';
import { DATA_PATH, type DataTab, dataTabOf } from './data-tabs.ts';
import type { ActRow, ShownAct, ShownDuplicate, ShownWaiting, ThingRow } from './identity-desk.ts';
import { badge, type ListRow, mayChange, rowList, staffGet, staffPage } from './staff-page-frame.ts';

type DataParts = Pick<AdminParts, 'desk' | 'securityLog' | 'recordStaffAct'>;

/** Rows of a tab. */
const ROWS = 50;
const TABS: readonly (readonly [DataTab, string])[] = [
  ['waiting', 'Waiting'],
  ['duplicates', 'Duplicates'],
  ['acts', 'Acts'],
];

/** What waits, what is probably double, and what people did about it. */
export const dataRoutes = (parts: DataParts): readonly PageRoute[] => [
  staffGet(DATA_PATH, (visit) => dataPage(parts, visit)),
  dataActRoute(parts, (visit, refusal) => dataPage(parts, visit, refusal)),
];

async function dataPage({ desk }: DataParts, visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
  const tab = dataTabOf(fieldText(visit.form, 'tab') || fieldText(visit.query, 'tab'));
  const links = TABS.map(
    ([one, text]) => html`<a href="${DATA_PATH}?tab=${one}"${one === tab && html` aria-current="page"`}>${text}</a> `,
  );
  const isAdmin = mayChange(visit) && desk.act !== undefined;
  const content = await CONTENTS[tab](desk, visit, isAdmin);
  return staffPage(visit, 'Data', html`<nav class="pages" aria-label="Data">${links}</nav>\n${content}`, refusal);
}

type Content = (desk: DataParts['desk'], visit: SignedInRequest, isAdmin: boolean) => Promise<Html>;

const CONTENTS: Readonly<Record<DataTab, Content>> = { waiting: waitingTab, duplicates: duplicatesTab, acts: actsTab };

async function waitingTab(desk: DataParts['desk'], visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const after = fieldText(visit.query, 'after') || null;
  const rows = await desk.waiting(after, ROWS);
  const last = rows.length === ROWS ? rows.at(-1) : undefined;
  const more = new URLSearchParams({ tab: 'waiting', after: last?.id ?? '' });
  return html`<section aria-labelledby="waiting"><h2 id="waiting">What waits, by source and ref</h2>
${rowList(
  'Waiting',
  rows.map((row, index) => waitingRow(visit, row, index, isAdmin)),
  'Nothing waits.',
)}
${last && html`<p><a href="${DATA_PATH}?${more.toString()}" rel="next">More</a></p>`}</section>`;
}

function waitingRow(visit: SignedInRequest, row: ShownWaiting, index: number, isAdmin: boolean): ListRow {
  const { source, ref, reason, kinds, count, last_at, things } = row;
  const kindsText = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  const about = things.length === 0 || row.candidates.length === 0 ? sidesText(row) : null;
  const last = timeTag(last_at, visit.session.user.timezone);
  return {
    cells: [
      html`<strong>${source}:${ref ?? '–'}</strong> ${badge(reason)}
<p>${reasonText(row)}</p>
${about !== null && html`<p class="facts">${about}</p>`}
<p class="facts">${kindsText.join(', ')}; the last ${last}</p>
${messagesList(visit, row.messages, count, `identities waiting --id '${row.id}'`)}`,
      html`${things.length > 0 && row.candidates.length === 0 && html`<p class="facts">Near it:</p>`}
${things.map(
  (thing) =>
    html`<p>${thingText(visit, thing)}${thing.id === row.suggestion && badge('nearest')}</p>${isAdmin && bindForm(visit, row, index, thing)}`,
)}
${
  isAdmin &&
  html`${ref !== null && bindForm(visit, row, index)}
${nameForm(visit, row, index)}
${dismissForm(visit, row, index)}`
}`,
      html`<p class="facts">As commands:</p>${bulletList(row.advice.split('; '))}`,
    ],
  };
}

/** A message that waited for something else before was refused when that became known. */
const reasonText = ({ reason, text }: ShownWaiting): string =>
  reason === 'refused' ? `What it waited for is known, and then it was refused: ${text}` : text;

/** What the oldest message itself says of its event. */
function sidesText({ match }: ShownWaiting): string {
  if (match === null) return '–';
  const names = ['home', 'away', 'player_1', 'player_2'].flatMap((role) => match[role] ?? []);
  return `${names.join(' – ')}, ${String(match['starts_at'])}`;
}

/** Sides, start, sources and last score. */
function thingText(visit: SignedInRequest, { id, name, starts_at, sources, score }: ThingRow): Html {
  const start = starts_at === null ? '' : timeTag(starts_at, visit.session.user.timezone);
  return html`<strong>${name}</strong> (${id}) ${start} ${sources.length > 0 && `of ${sources.join(', ')}`} ${score}`;
}

async function duplicatesTab(desk: DataParts['desk'], visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const rows = await desk.duplicates(ROWS);
  return html`<section aria-labelledby="duplicates"><h2 id="duplicates">Pairs that are probably one</h2>
<p class="facts">Of events, those that start from 30 days ago on. At most ${ROWS}; the command identities duplicates lists all.</p>
${rowList(
  'Duplicates',
  rows.map((row) => duplicateRow(visit, row, isAdmin)),
  'There are none.',
)}</section>`;
}

function duplicateRow(visit: SignedInRequest, row: ShownDuplicate, isAdmin: boolean): ListRow {
  const { what, a, b, reason } = row;
  return {
    cells: [
      html`${badge(what)} ${reason}`,
      html`${thingText(visit, a)}${isAdmin && mergeForm(visit, row, b, a)}`,
      html`${thingText(visit, b)}${isAdmin && mergeForm(visit, row, a, b)}`,
    ],
  };
}

async function actsTab(desk: DataParts['desk'], visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const rows = await desk.acts(readBefore(visit.query) ?? null, ROWS);
  const lowest = rows.at(-1)?.act ?? 0;
  return html`${isAdmin && (await splitSection(desk, visit))}
<section aria-labelledby="acts"><h2 id="acts">What was done, newest first</h2>
${rowList(
  'Acts',
  rows.map((row) => actRow(visit, row, isAdmin)),
  'Nothing was done.',
)}
${lowest > 1 && html`<p><a href="${DATA_PATH}?tab=acts&before=${lowest}" rel="next">Older</a></p>`}</section>`;
}

function actRow(visit: SignedInRequest, row: ShownAct, isAdmin: boolean): ListRow {
  const { act, at, by, note, undone_by } = row;
  const state = undone_by === null ? badge('in force') : html`undone by ${undone_by}`;
  return {
    id: `act-${act}`,
    cells: [
      html`<strong>${act}</strong> ${actText(row)} ${messagesList(visit, row.messages, row.moved.records, `identities waiting --dismissed --id ${act}`)}`,
      html`${timeTag(at, visit.session.user.timezone)}, by ${by ?? '–'}${note !== null && html`<p>${note}</p>`}`,
      html`${state}${isAdmin && undone_by === null && undoForm(visit, row)}`,
    ],
  };
}

function actText({ action, what, from, into }: ActRow): string {
  const thing = into === null ? '' : ` – ${what} ${into}`;
  return `${action} ${from}${thing}`;
}
