/** Names of fewer letters have too many neighbours; longer ones are no names of people, and would have as many keys as
 *  they have letters. */
const LEAST_LETTERS = 6;
const MOST_LETTERS = 80;

export const mayHaveTypo = (text: string): boolean => text.length >= LEAST_LETTERS && text.length <= MOST_LETTERS;

const PRIME = 0x01000193;
const MASK = 0x1fffff;

/** 53 bits of a text without the letter at `skipped`: whoever finds something by it compares the texts. */
function hashWithout(text: string, skipped: number): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    if (i === skipped) continue;
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, PRIME);
    high = Math.imul(high ^ (unit + 0x5bd1), PRIME);
    high ^= high >>> 13;
  }
  return (high & MASK) * 0x1_0000_0000 + (low >>> 0);
}

/**
 * Keys of a text by which what is one edit away from it is found: two texts at a Damerau-Levenshtein distance of 1 share
 * at least one, since each of the two gives the other, or a third, by leaving out a letter.
 */
export function neighbourKeys(text: string): number[] {
  if (!mayHaveTypo(text)) return [];
  const keys = new Set([hashWithout(text, -1)]);
  for (let i = 0; i < text.length; i++) keys.add(hashWithout(text, i));
  return [...keys];
}

/** Whether one letter too many, too few, another one, or two neighbours in turn tell the two texts apart. */
export function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from++;
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1);
  const isTurned = short[from] === long[from + 1] && short[from + 1] === long[from];
  return short.slice(from + 1) === long.slice(from + 1) || (isTurned && short.slice(from + 2) === long.slice(from + 2));
}
