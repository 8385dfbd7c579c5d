/**
 * Whether a request has a header more than once. Of some, Node shows only the first; others it joins.
 * @param name in lower case
 */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let seen = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}
