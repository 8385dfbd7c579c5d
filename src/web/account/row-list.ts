import { type Html, html } from '../layout/html.ts';
import { emptyState } from '../layout/states.ts';

/** A row of `rowList`. */
export interface ListRow {
  /** Of the row in the page, for links to it. */
  readonly id?: string;
  readonly cells: readonly Html[];
}

/**
 * Rows whose cells stand beside each other where there is room, and else below each other, so that no row is wider than
 * the page.
 * @param empty text that is shown if there are no rows
 */
export const rowList = (name: string, rows: readonly ListRow[], empty: string): Html =>
  rows.length === 0
    ? emptyState(empty)
    : html`<ul class="rows" aria-label="${name}">${rows.map(
        ({ id, cells }) =>
          html`<li${id !== undefined && html` id="${id}"`}>${cells.map((cell) => html`<div>${cell}</div>\n`)}</li>\n`,
      )}</ul>`;
