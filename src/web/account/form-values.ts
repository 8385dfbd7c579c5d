import { type Html, html } from '../layout/html.ts';

/** A trimmed field of a form or query; '' if absent. */
export const fieldText = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim();

/** An untrimmed field: passwords keep their blanks. */
export const untrimmedFieldText = (form: URLSearchParams, name: string): string => form.get(name) ?? '';

/** Reads an integer of digits only, with a leading `-` if negative; undefined if the text is none. */
export function parseWholeNumber(text: string): number | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** The `before` of a query: the lowest id of the page in front of this one; undefined if absent or no id. */
export function readBefore(query: URLSearchParams): number | undefined {
  const id = parseWholeNumber(fieldText(query, 'before'));
  return id !== undefined && id > 0 ? id : undefined;
}

interface ShownPart {
  /** From 1. */
  readonly page: number;
  /** The lowest id that is shown; undefined: the page is empty, or its list is not read by id. */
  readonly lowestId?: number | undefined;
  readonly hasMore: boolean;
}

/** Links to the previous and next page with the same filters. Empty if there is only one page. */
export function paginationNav(path: string, query: URLSearchParams, { page, lowestId, hasMore }: ShownPart): Html {
  if (page === 1 && !hasMore) return html``;
  const link = (to: number, text: string, rel: string, before?: number) => {
    const target = new URLSearchParams(query);
    target.set('page', String(to));
    target.delete('before');
    if (before !== undefined) target.set('before', String(before));
    return html`<a href="${path}?${target.toString()}" rel="${rel}">${text}</a>`;
  };
  return html`<nav class="pages" aria-label="Pages">${page > 1 && link(page - 1, 'Newer', 'prev')} <span>Page ${page}</span> ${hasMore && link(page + 1, 'Older', 'next', lowestId)}</nav>`;
}

/** How many rows a list of one page has, such as `1,234 users`. A longer one is not counted. */
export const rowCountText = (
  rows: number,
  { page, hasMore }: ShownPart,
  [one, many]: readonly [string, string],
): string => (page > 1 || hasMore ? '' : `${rows} ${rows === 1 ? one : many}`);

/** A link to the rows before this id, of a list without page numbers. */
export const olderLink = (path: string, lowestId: number, text: string): Html =>
  html`<p><a href="${path}?before=${lowestId}" rel="next">${text}</a></p>`;
