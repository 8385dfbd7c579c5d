import { randomBytes } from 'node:crypto';

/** Ids that are unique over all processes: a random prefix and a counter. */
export function createRequestIds(): () => string {
  const beginning = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${beginning}-${(++count).toString(36)}`;
}
