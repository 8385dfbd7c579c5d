import type { Html } from '../layout/html.ts';
import type { Flash, SiteAnswer } from './visit.ts';

type PageAnswer = Extract<SiteAnswer, { readonly kind: 'page' }>;

export const page = (
  title: string,
  content: Html,
  more: Omit<PageAnswer, 'kind' | 'title' | 'content'> = {},
): SiteAnswer => ({ kind: 'page', title, content, ...more });

/** 303. @param flash stands once on the page that it leads to */
export const redirect = (to: string, flash?: Flash, cookies?: readonly string[]): SiteAnswer => ({
  ...{ kind: 'redirect', to },
  ...(flash && { flash }),
  ...(cookies && { cookies }),
});

export const done = (text: string): Flash => ({ kind: 'done', text });
export const failed = (text: string): Flash => ({ kind: 'error', text });

export const jsonAnswer = (value: unknown, status = 200): SiteAnswer => ({ kind: 'json', status, value });
