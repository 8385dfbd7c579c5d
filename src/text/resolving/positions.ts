/**
 * Whether a position that is asked for is a player's own: the same, or one ends in the other, whatever the case: `G` and
 * `PG`.
 * @returns undefined where his is not known
 */
export function fitsPosition(asked: string, own: string | undefined): boolean | undefined {
  if (own === undefined) return undefined;
  const [one, other] = [asked.trim().toLowerCase(), own.trim().toLowerCase()];
  return one.endsWith(other) || other.endsWith(one);
}
