import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

/** The strong entity tag of an answer. @param about what was asked: the tag of another question is never the same */
export type EntityTagger = (about: string, body: string | Buffer) => string;

const KEY_BYTES = 32;
/** Of base64url: 132 bits. */
const LENGTH = 22;

/**
 * Tags under a key that only this server has. A plain hash would tell the answer to whoever guesses it: all but the
 * score of a small answer is known, and a guess costs nothing. What was asked belongs to the tag, so that the tag of a
 * paid answer is no free question whether another one is the same.
 * @param pepper the same one gives the same tags, after a restart and on every instance
 */
export function createEntityTagger(pepper: string): EntityTagger {
  // The pepper hashes API keys too: what is derived here serves tags alone.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'ledgerline entity tags', KEY_BYTES)));
  return (about, body) => {
    // No text that is asked holds a NUL: a body cannot be taken for the end of a question.
    const digest = createHmac('sha256', key).update(about).update('\0').update(body).digest('base64url');
    return `"${digest.slice(0, LENGTH)}"`;
  };
}

/** Tags that nobody else can compute, and that mean nothing any more after a restart. */
export const createEphemeralEntityTagger = (): EntityTagger =>
  createEntityTagger(randomBytes(KEY_BYTES).toString('base64url'));

const TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Whether `If-None-Match` names this tag. The comparison is the weak one, as RFC 9110 has it for this header. `*` names
 * none: it would make every read free of charge, and tell each change.
 */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag) return true;
  for (const [, given] of ifNoneMatch.matchAll(TAGS)) if (given === tag) return true;
  return false;
}
