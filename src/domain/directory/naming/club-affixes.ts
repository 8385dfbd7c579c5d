/** Words before or after the names of soccer clubs, folded. `1` is from `1. FC`. */
const AFFIXES: ReadonlySet<string> = new Set(
  'fc afc cf sc ac as ssc cd ud rc rcd sv vfb vfl tsg ogc aj ca 1'.split(' '),
);
const NUMBER = /^\d+$/;

/** A club's name without its affixes. */
interface ClubName {
  readonly core: readonly string[];
  /** In the order of the name. */
  readonly affixes: readonly string[];
}

/** Removes affixes from both ends of a name, and a year or a number from its end. At least one word remains. */
export function splitClubName(words: readonly string[]): ClubName {
  let [from, to] = [0, words.length];
  while (to - from > 1 && AFFIXES.has(words[from]!)) from++;
  while (to - from > 1 && (AFFIXES.has(words[to - 1]!) || NUMBER.test(words[to - 1]!))) to--;
  return { core: words.slice(from, to), affixes: [...words.slice(0, from), ...words.slice(to)] };
}

/**
 * Whether the names differ only by affixes that one of them omits. If each has an affix of its own, they may be two
 * clubs: AFC Wimbledon and Wimbledon FC.
 */
export function isSameClub(one: ClubName, other: ClubName): boolean {
  if (one.core.join('') !== other.core.join('')) return false;
  return isPartOf(one.affixes, other.affixes) || isPartOf(other.affixes, one.affixes);
}

function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all];
  return some.every((affix) => {
    const at = left.indexOf(affix);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
