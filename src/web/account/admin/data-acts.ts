import { type Html, html } from '../../layout/html.ts';
import { readBefore } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';
import { undoForm } from './data-forms.ts';
import { messagesList } from './data-messages.ts';
import { placeOf, placePath } from './data-place.ts';
import { targetText } from './data-texts.ts';
import { emptySection, formFields } from './data-trial.ts';
import type { ActRow, IdentityDesk, ShownAct } from './identity-desk.ts';
import { badge } from './staff-page-frame.ts';

const ROWS = 50;

export async function actsTab(desk: IdentityDesk, visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const { before } = placeOf(visit);
  const query = new URLSearchParams(before === undefined ? {} : { before });
  const rows = await desk.acts(readBefore(query) ?? null, ROWS);
  const lowest = rows.at(-1)?.act ?? 0;
  return html`${isAdmin && emptySection(visit, 'split')}
<section aria-labelledby="acts"><h2 id="acts">What was done, newest first</h2>
${rowList(
  'Acts',
  rows.map((row) => actRow(visit, row, isAdmin)),
  'Nothing was done.',
)}
${lowest > 1 && html`<p><a href="${placePath({ tab: 'acts', before: String(lowest) })}" rel="next">Older</a></p>`}</section>`;
}

function actRow(visit: SignedInRequest, row: ShownAct, isAdmin: boolean): ListRow {
  const { act, at, by, note, undone_by, moved } = row;
  const state = undone_by === null ? badge('in force') : html`undone by ${undone_by}`;
  return {
    id: `act-${act}`,
    cells: [
      html`<strong>${act}</strong> ${actText(visit, row)} ${messagesList(visit, row.messages, moved.records, `identities waiting --dismissed --id ${act}`)}`,
      html`${timeTag(at, visit.session.user.timezone)}, by ${by ?? '–'}${note !== null && html`<p>${note}</p>`}`,
      html`${state}${isAdmin && undone_by === null && html`${splitLink(visit, row)}${undoForm(visit, row)}`}`,
    ],
  };
}

function actText(visit: SignedInRequest, { action, what, from, into, target, from_target }: ActRow): Html {
  const start = html`${action} ${from}${from_target && html` – ${targetText(visit, what, from_target.id, from_target)}`}`;
  return into === null ? start : html`${start} → ${targetText(visit, what, into, target)}`;
}

/** A bind cannot be undone once something was told under the ref: then the ref is split off. */
function splitLink(visit: SignedInRequest, { action, what, from }: ActRow): Html {
  if (action !== 'bind' || what === null) return html``;
  const text = String(from);
  // A source is a slug, so the first colon ends it.
  const colon = text.indexOf(':');
  const members = { what, source: text.slice(0, colon), ref: text.slice(colon + 1) };
  return html`<p><a href="${placePath(placeOf(visit), formFields('split', members))}">Split the ref off…</a></p>`;
}
