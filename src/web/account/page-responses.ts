import type { Html } from '../layout/html.ts';
import type { Flash, PageResponse } from './page-route.ts';

type HtmlPageResponse = Extract<PageResponse, { readonly kind: 'page' }>;

export const pageResponse = (
  title: string,
  content: Html,
  more: Omit<HtmlPageResponse, 'kind' | 'title' | 'content'> = {},
): PageResponse => ({ kind: 'page', title, content, ...more });

/**
 * A 303.
 * @param flash shown once on the next page
 */
export const redirect = (to: string, flash?: Flash, cookies?: readonly string[]): PageResponse => ({
  kind: 'redirect',
  to,
  ...(flash && { flash }),
  ...(cookies && { cookies }),
});

export const successFlash = (text: string): Flash => ({ kind: 'done', text });
export const errorFlash = (text: string): Flash => ({ kind: 'error', text });

export const jsonResponse = (value: unknown, status = 200): PageResponse => ({ kind: 'json', status, value });
