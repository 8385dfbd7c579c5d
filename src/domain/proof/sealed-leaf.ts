import { canonicalJson } from '../primitives/canonical-json.ts';
import { fnv1a } from '../primitives/fnv1a.ts';
import { type Digest, leafHash } from './merkle-tree.ts';

/** What a public leaf says: plain JSON. `kind` tells what it is of. */
export type LeafContent = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Bytes of a salt. As many bits as nobody can try out, so a hash tells nothing of what it is the hash of. */
export const SALT_BYTES = 16;
/** A salt as it is written: 32 hexadecimal digits. */
export const SALT_TEXT = /^[0-9a-f]{32}$/;
export const HASH_TEXT = /^[0-9a-f]{64}$/;

/** Makes salts: 32 hexadecimal digits. */
export type NewSalt = () => string;

export const createNewSalt =
  (randomBytes: (size: number) => Uint8Array): NewSalt =>
  () =>
    Buffer.from(randomBytes(SALT_BYTES)).toString('hex');

/** The hash of a leaf: SHA-256(0x00 || salt || canonical JSON of RFC 8785). @param salt as `SALT_TEXT` */
export const hashOfLeaf = (salt: string, content: unknown): Digest =>
  leafHash(Buffer.from(salt, 'hex'), canonicalJson(content));

/** A leaf of a day, in its order. */
export type SealedLeaf =
  | { readonly hash: Digest; readonly salt: string; readonly content: LeafContent }
  /** Belongs to an account: nothing but its hash is public. */
  | { readonly hash: Digest; readonly salt?: never };

/** A value of a leaf that is neither an object nor a list, with its path: `bets[0].fair.probability`. */
interface Scalar {
  readonly path: string;
  /** As JSON. */
  readonly value: string;
}

/** Every value of a leaf, members in the order of their names. Empty lists and objects count as values. */
export function* scalarsOf(value: unknown, path = ''): Generator<Scalar> {
  if (typeof value !== 'object' || value === null) {
    yield { path, value: JSON.stringify(value) ?? 'null' };
  } else if (Array.isArray(value)) {
    if (value.length === 0) yield { path, value: '[]' };
    for (const [index, item] of value.entries()) yield* scalarsOf(item, `${path}[${index}]`);
  } else {
    const names = Object.keys(value).sort();
    if (names.length === 0) yield { path, value: '{}' };
    for (const name of names) {
      yield* scalarsOf((value as Readonly<Record<string, unknown>>)[name], path === '' ? name : `${path}.${name}`);
    }
  }
}

/** Characters of one mark. */
const MARK = 6;
const markOf = ({ path, value }: Scalar): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fnv1a(`${path} ${value}`) >>> 0);
  return bytes.toString('base64url');
};

/**
 * A short mark for each value of a leaf, in one text. The hash tells that a leaf was changed; the marks tell where. They
 * prove nothing: whoever changes a number can change its mark too, but not the hash.
 */
export function marksOf(content: unknown): string {
  let marks = '';
  for (const scalar of scalarsOf(content)) marks += markOf(scalar);
  return marks;
}

/** The first value of a changed leaf that is not as its marks say, with its path; undefined if the marks do not tell. */
export function findChangedValue(content: unknown, marks: string): Scalar | undefined {
  let at = 0;
  for (const scalar of scalarsOf(content)) {
    if (marks.slice(at, at + MARK) !== markOf(scalar)) return scalar;
    at += MARK;
  }
  return undefined;
}
