import { type Html, html } from '../../layout/html.ts';
import type { SignedInRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';
import { mergeForm } from './data-forms.ts';
import { thingText } from './data-texts.ts';
import { emptySection } from './data-trial.ts';
import type { IdentityDesk, ShownDuplicate } from './identity-desk.ts';
import { badge } from './staff-page-frame.ts';

const ROWS = 50;

export async function duplicatesTab(desk: IdentityDesk, visit: SignedInRequest, isAdmin: boolean): Promise<Html> {
  const rows = await desk.duplicates(ROWS);
  return html`${isAdmin && emptySection(visit, 'merge')}
<section aria-labelledby="duplicates"><h2 id="duplicates">Pairs that are probably one</h2>
<p class="facts">Of events, those that start from 30 days ago on, the nearest first. At most ${ROWS}; the command identities duplicates lists all.</p>
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
