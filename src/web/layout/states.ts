import { dataTable, type Html, html } from './html.ts';

/** Stands where there is nothing to list. */
export const emptyState = (text: Html | string): Html => html`<p class="empty">${text}</p>`;

/**
 * A table, or a text where it has no rows.
 * @param empty the text
 */
export const tableOrEmpty = (
  name: string,
  headings: Parameters<typeof dataTable>[1],
  rows: readonly Html[],
  empty: string,
): Html => (rows.length === 0 ? emptyState(empty) : dataTable(name, headings, rows));

/** The content of a page that cannot be shown, and where to go from there. */
export const errorState = (title: string, text: string, links: Html): Html =>
  html`<h1>${title}</h1>
<p>${text}</p>
<p>${links}</p>`;
