import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

/** Canonical JSON as RFC 8785 has it: members sorted by UTF-16 code units, numbers as ECMAScript writes them. */
export const canonicalJson = configure({ deterministic: true, bigint: false }) as (value: unknown) => string;

/** 96 bits of a SHA-256 over text: enough to tell the messages of one stream apart. */
export const fingerprint = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16);

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

const prints = new WeakMap<object, string>();
/** Tells contents apart. Computed once for an object, which does not change; its JSON is not kept. */
export function contentFingerprint(content: object): string {
  let print = prints.get(content);
  if (print === undefined) {
    print = fingerprint(canonicalJson(content));
    prints.set(content, print);
  }
  return print;
}

/** The order of the canonical JSON of two objects that do not change, mostly found out without making it. */
export function compareCanonical(a: object, b: object): number {
  const found = firstDifference(a, b);
  if (found !== undefined) return found;
  const [left, right] = [canonicalOf(a), canonicalOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Undefined where only the whole texts can tell: one is a part of the other there, or they have other members. */
function firstDifference(a: unknown, b: unknown): number | undefined {
  if (a === b) return 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return compareTexts(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return undefined;
  const [names, others] = [membersOf(a), membersOf(b)];
  for (let index = 0; index < names.length && index < others.length; index++) {
    const name = names[index]!;
    if (name !== others[index]) return undefined;
    const found = firstDifference((a as Members)[name], (b as Members)[name]);
    if (found !== 0) return found;
  }
  return names.length === others.length ? 0 : undefined;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: object): string[] =>
  Array.isArray(value)
    ? Object.keys(value)
    : Object.keys(value)
        .filter((name) => (value as Members)[name] !== undefined)
        .sort();

function compareTexts(a: unknown, b: unknown): number | undefined {
  const [left, right] = [canonicalJson(a) ?? 'null', canonicalJson(b) ?? 'null'];
  if (left === right) return 0;
  return left.startsWith(right) || right.startsWith(left) ? undefined : left < right ? -1 : 1;
}
