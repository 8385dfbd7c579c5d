import { html } from '../layout/html.ts';
import { pageResponse } from './page-responses.ts';
import type { PageResponse } from './page-route.ts';

/**
 * Reads the path that a sign-in leads to. Undefined if it is no path of this server: browsers read `//host` and
 * `/\host` as other servers, and drop control characters first.
 */
export function readNextPath(values: readonly string[]): string | undefined {
  const [next] = values;
  if (next === undefined || values.length > 1) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return /^\/(?![/\\])[^\u0000-\u001f\u007f]*$/.test(next) ? next : undefined;
}

/** The sign-in page, which leads to `target` (path and query) afterwards. */
export const signInPath = (target: string): string => `/login?next=${encodeURIComponent(target)}`;

export const FIRST_PAGE = '/dashboard';

/**
 * The path that a sign-in leads to, encoded for use in a header.
 * @param values all values of `next` in the query or form
 */
export function pathAfterSignIn(values: readonly string[]): string {
  const next = readNextPath(values);
  return next === undefined ? FIRST_PAGE : next.replaceAll(/[^\x21-\x7e]+/g, encoded);
}

/** A lone surrogate cannot be encoded, so it becomes the replacement character. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));

/** Shown only after the user has proved their identity. */
export const suspendedPage = (): PageResponse =>
  pageResponse('This account is suspended', html`<p>Nobody can sign in to it. Ask whoever runs this server.</p>`, {
    status: 403,
  });
