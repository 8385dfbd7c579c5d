import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';

/** Canonical JSON as in RFC 8785: members sorted by UTF-16 code units, numbers as in ECMAScript. */
export const canonicalJson = configure({ deterministic: true, bigint: false }) as (value: unknown) => string;

/** 96 bits of a SHA-256: enough to distinguish the messages of one stream. */
export const fingerprint = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16);

const canonicals = new WeakMap<object, string>();
/** The canonical JSON of an immutable object, computed once. */
export function canonicalOf(content: object): string {
  let text = canonicals.get(content);
  if (text === undefined) {
    text = canonicalJson(content);
    canonicals.set(content, text);
  }
  return text;
}

const fingerprints = new WeakMap<object, string>();
/** A fingerprint of an immutable object, computed once. Its JSON is not kept. */
export function contentFingerprint(content: object): string {
  let value = fingerprints.get(content);
  if (value === undefined) {
    value = fingerprint(canonicalJson(content));
    fingerprints.set(content, value);
  }
  return value;
}

/** Compares two immutable objects by canonical JSON, mostly without creating the JSON. */
export function compareCanonical(a: object, b: object): number {
  const difference = firstDifference(a, b);
  if (difference !== undefined) return difference;
  const [left, right] = [canonicalOf(a), canonicalOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Undefined if only the full JSON texts can decide: one value is a prefix of the other, or the members differ. */
function firstDifference(a: unknown, b: unknown): number | undefined {
  if (a === b) return 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return compareTexts(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return undefined;
  const [names, otherNames] = [membersOf(a), membersOf(b)];
  for (let index = 0; index < names.length && index < otherNames.length; index++) {
    const name = names[index]!;
    if (name !== otherNames[index]) return undefined;
    const difference = firstDifference((a as Members)[name], (b as Members)[name]);
    if (difference !== 0) return difference;
  }
  return names.length === otherNames.length ? 0 : undefined;
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
