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

/** Links to the previous and next page with the same filters. Empty if there is only one page. */
export function paginationNav(path: string, query: URLSearchParams, page: number, hasMore: boolean): Html {
  if (page === 1 && !hasMore) return html``;
  const link = (to: number, text: string, rel: string) => {
    const target = new URLSearchParams(query);
    target.set('page', String(to));
    return html`<a href="${path}?${target.toString()}" rel="${rel}">${text}</a>`;
  };
  return html`<nav class="pages" aria-label="Pages">${page > 1 && link(page - 1, 'Newer', 'prev')} <span>Page ${page}</span> ${hasMore && link(page + 1, 'Older', 'next')}</nav>`;
}
