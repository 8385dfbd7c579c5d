import { hash } from 'node:crypto';

/** A strong entity tag: the same exactly for the same bytes. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

const TAGS = /(?:W\/)?("[^"]*")/g;

/** Whether `If-None-Match` names this tag. The comparison is the weak one, as RFC 9110 has it for this header. */
export function isHeldBy(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  for (const [, given] of ifNoneMatch.matchAll(TAGS)) if (given === tag) return true;
  return false;
}
