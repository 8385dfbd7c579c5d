import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

/** Canonical JSON as RFC 8785 has it: members sorted by UTF-16 code units, numbers as ECMAScript writes them. */
export const canonicalJson = configure({ deterministic: true, bigint: false }) as (value: unknown) => string;

/** 96 bits of a SHA-256 over text: enough to tell the messages of one stream apart. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

const canonicals = new WeakMap<object, string>();
/** The canonical JSON of an object that does not change, computed once. */
export function canonicalOf(content: object): string {
  let text = canonicals.get(content);
  if (text === undefined) {
    text = canonicalJson(content);
    canonicals.set(content, text);
  }
  return text;
}
