import type { OddsRow, ScreenMarket } from '../../answers/odds-screen-answers.ts';
import { oddsFormat } from '../stores/preferences.ts';
import { ageText } from '../view-model/odds-screen/age-text.ts';
import { rowHtml, rowId, type ScreenColumn } from '../view-model/odds-screen/row-html.ts';

/** What the address of the page chose, as the server wrote it beside the rows. */
export interface ShownScreen {
  readonly date: string;
  readonly market: ScreenMarket;
  readonly league: string | null;
  readonly chosen: ReadonlySet<string> | null;
}

export function readShownScreen({ dataset }: HTMLElement): ShownScreen {
  const books = dataset['books'] ?? '';
  return {
    date: dataset['date']!,
    market: dataset['market'] as ScreenMarket,
    league: dataset['league'] || null,
    chosen: books === '' ? null : new Set(books.split(',')),
  };
}

export const readColumns = (screen: HTMLElement): ScreenColumn[] =>
  [...screen.querySelectorAll<HTMLElement>('thead [data-book]')].map((head) => ({
    slug: head.dataset['book']!,
    name: head.textContent!,
  }));

const FLASH = 'screen-flash';
const FLASH_MS = 2000;
/** What is lit up, by when it began. */
const flashes = new Map<Element, number>();

/** Ends what has been lit up for long enough. */
export function endFlashes(now: number): void {
  for (const [offer, began] of flashes) {
    if (now - began < FLASH_MS && offer.isConnected) continue;
    offer.classList.remove(FLASH);
    flashes.delete(offer);
  }
}

/**
 * Draws a row that is on the page again, cell by cell: what has not changed stays, with the focus that it may have.
 * @param isChange what is new is lit up for a moment
 * @returns false if the row is not on the page
 */
export function drawRow(
  row: OddsRow,
  { market, chosen }: ShownScreen,
  columns: readonly ScreenColumn[],
  isChange: boolean,
): boolean {
  const shown = document.getElementById(rowId(row.id));
  if (!shown) return false;
  const holder = document.createElement('template');
  const options = { market, columns, chosen, now: Date.now(), format: oddsFormat.value };
  holder.innerHTML = rowHtml(row, options).html;
  const next = holder.content.firstElementChild!;
  shown.className = next.className;
  for (const [index, cell] of [...next.children].entries()) {
    const own = shown.children[index]!;
    // The switch of a phone stays as it was set.
    if (own.className === 'screen-more' || own.outerHTML === cell.outerHTML) continue;
    replaceCell(own, cell, isChange);
  }
  return true;
}

/** Replaces what a cell holds, so that an open cell and its link keep their place. */
function replaceCell(own: Element, next: Element, isChange: boolean): void {
  const before = pricesOf(own);
  const after = pricesOf(next);
  own.className = next.className;
  const link = own.querySelector('a');
  const nextLink = next.querySelector('a');
  if (link && nextLink && own.children.length === 1 && next.children.length === 1) {
    link.replaceChildren(...nextLink.childNodes);
  } else {
    // The arrow keys lead to it.
    if (nextLink) nextLink.tabIndex = -1;
    own.replaceChildren(...next.childNodes);
  }
  if (!isChange) return;
  for (const [index, offer] of [...own.querySelectorAll('.offer')].entries()) {
    if (before[index] === after[index]) continue;
    offer.classList.add(FLASH);
    flashes.set(offer, performance.now());
  }
}

const pricesOf = (cell: Element): string[] =>
  [...cell.querySelectorAll('.offer')].map((offer) =>
    [...offer.querySelectorAll('.point, .price')].map(({ textContent }) => textContent).join(' '),
  );

/** Replaces the table by a newer one. Rows that were opened stay open, and the focus stays where it was. */
export function replaceTable(table: Element, fresh: Element): void {
  const focused = table.contains(document.activeElement) ? document.activeElement : null;
  const focusedRow = focused?.closest('tr')?.id;
  const focusedLink = focused?.getAttribute('href');
  for (const row of fresh.querySelectorAll('tbody tr')) {
    const isOpen = document.getElementById(row.id)?.querySelector<HTMLInputElement>('.screen-switch')?.checked ?? false;
    row.querySelector<HTMLInputElement>('.screen-switch')!.checked = isOpen;
  }
  table.replaceWith(fresh);
  if (!focusedRow) return;
  const within = focusedLink ? `a[href="${CSS.escape(focusedLink)}"]` : '.screen-switch';
  document.getElementById(focusedRow)?.querySelector<HTMLElement>(within)?.focus({ preventScroll: true });
}

/** Writes the ages of all prices anew. */
export function writeAges(screen: HTMLElement, now: number): void {
  for (const age of screen.querySelectorAll<HTMLTimeElement>('time.age')) {
    const text = ageText(age.dateTime, now);
    if (age.textContent !== text) age.textContent = text;
  }
}
