import { html } from '../layout/html.ts';
import { pageResponse } from './page-responses.ts';
import type { PageResponse } from './page-route.ts';

/**
 * Where a sign-in leads: a path of this server, else undefined. Browsers take `//host` and `/\host` for other servers,
 * and drop control characters before they look.
 */
export function readNextPath(values: readonly string[]): string | undefined {
  const [next] = values;
  if (next === undefined || values.length > 1) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return /^\/(?![/\\])[^\u0000-\u001f\u007f]*$/.test(next) ? next : undefined;
}

/** The page where whoever is not signed in does so first. @param target path and query */
export const signInPath = (target: string): string => `/login?next=${encodeURIComponent(target)}`;

export const FIRST_PAGE = '/dashboard';

/** Where a sign-in leads, as it can stand in a header. @param values of `next`, as often as it was given */
export function pathAfterSignIn(values: readonly string[]): string {
  const next = readNextPath(values);
  return next === undefined ? FIRST_PAGE : next.replaceAll(/[^\x21-\x7e]+/g, encoded);
}

/** Half of a character has no code: it becomes the mark for what is none. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));

/** For whoever has shown that it is he. */
export const suspendedPage = (): PageResponse =>
  pageResponse('This account is suspended', html`<p>Nobody can sign in to it. Ask whoever runs this server.</p>`, {
    status: 403,
  });
