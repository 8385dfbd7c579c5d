import { type Html, html } from '../layout/html.ts';

/** A field of a form or a query without the blanks around it; '' where it is absent. */
export const fieldText = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim();

/** As it was typed: passwords are not trimmed. */
export const untrimmedFieldText = (form: URLSearchParams, name: string): string => form.get(name) ?? '';

/** A whole number of digits alone, `-` before it where it is negative; undefined where the text is none. */
export function parseWholeNumber(text: string): number | undefined {
  if (!/^-?\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** Leads to the pages before and after this one, with the same filters. Nothing where there is one page only. */
export function paginationNav(path: string, query: URLSearchParams, page: number, hasMore: boolean): Html {
  if (page === 1 && !hasMore) return html``;
  const link = (to: number, text: string, rel: string) => {
    const target = new URLSearchParams(query);
    target.set('page', String(to));
    return html`<a href="${path}?${target.toString()}" rel="${rel}">${text}</a>`;
  };
  return html`<nav class="pages" aria-label="Pages">${page > 1 && link(page - 1, 'Newer', 'prev')} <span>Page ${page}</span> ${hasMore && link(page + 1, 'Older', 'next')}</nav>`;
}
