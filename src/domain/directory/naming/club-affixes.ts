/** What soccer clubs carry before or behind their name, folded. `1` is that of `1. FC`. */
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

/** Takes affixes from both ends of a name, and a year or a number from its end. One word always stays. */
export function splitClubName(words: readonly string[]): ClubName {
  let [from, to] = [0, words.length];
  while (to - from > 1 && AFFIXES.has(words[from]!)) from++;
  while (to - from > 1 && (AFFIXES.has(words[to - 1]!) || NUMBER.test(words[to - 1]!))) to--;
  return { core: words.slice(from, to), affixes: [...words.slice(0, from), ...words.slice(to)] };
}

/** Whether one of the two is the other with affixes left out. Two that each have one of their own may be two clubs:
 *  AFC Wimbledon is not Wimbledon FC. */
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
