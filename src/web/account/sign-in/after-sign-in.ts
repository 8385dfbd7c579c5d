import { nextPath } from '../next-path.ts';

export const FIRST_PAGE = '/dashboard';

/** Where a sign-in leads, as it can stand in a header. @param values of `next`, as often as it was given */
export function afterSignIn(values: readonly string[]): string {
  const next = nextPath(values);
  return next === undefined ? FIRST_PAGE : next.replaceAll(/[^\x21-\x7e]+/g, encoded);
}

/** Half of a character has no code: it becomes the mark for what is none. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
