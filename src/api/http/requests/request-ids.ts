import { randomBytes } from 'node:crypto';

/** Ids that no other request has, in this process or another: a random beginning, and a count. */
export function createRequestIds(): () => string {
  const beginning = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${beginning}-${(++count).toString(36)}`;
}
