import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** Computes the strong entity tag of an answer. @param about the query: two queries never share a tag */
export type EntityTagger = (about: string, body: string | Buffer) => string;

const KEY_BYTES = 32;
/** Characters of base64url: 132 bits. */
const LENGTH = 22;

/**
 * Tags are keyed with a secret of this server. A plain hash would reveal the answer: of a small answer all but the
 * score is known, and checking a guess is free. The query is part of the tag, so that nobody can find out for free
 * whether two paid answers are equal.
 * @param pepper the same pepper gives the same tags, after a restart and in every process
 */
export function createEntityTagger(pepper: string): EntityTagger {
  // The pepper hashes API keys too. The derived key makes tags only.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'ledgerline entity tags', KEY_BYTES)));
  return (about, body) => {
    // No query contains a NUL, so the border between query and body is unambiguous.
    const digest = createHmac('sha256', key).update(about).update('\0').update(body).digest('base64url');
    return `"${digest.slice(0, LENGTH)}"`;
  };
}

/** Tags that nobody else can compute. They are worthless after a restart. */
export const createEphemeralEntityTagger = (): EntityTagger =>
  createEntityTagger(randomBytes(KEY_BYTES).toString('base64url'));

const TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Whether `If-None-Match` has this tag, by the weak comparison that RFC 9110 requires. `*` never matches: it would make
 * every read free and reveal each change.
 */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag) return true;
  for (const [, given] of ifNoneMatch.matchAll(TAGS)) if (given === tag) return true;
  return false;
}
