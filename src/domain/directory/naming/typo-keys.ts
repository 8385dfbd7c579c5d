/** Names of fewer letters have too many neighbours. */
const MIN_LETTERS = 6;

export const mayHaveTypo = (text: string): boolean => text.length >= MIN_LETTERS;

const front = (length: number, half: string): string => `f${length}:${half}`;
const back = (length: number, half: string): string => `b${length}:${half}`;

/**
 * Keys by which a text is found by what is one edit away from it: one edit leaves one half of it as it was. All neighbours
 * that a text has by leaving out letters would be found more exactly, but are as many as it has letters.
 */
export function typoKeysOf(text: string): string[] {
  if (!mayHaveTypo(text)) return [];
  const { length } = text;
  const half = Math.floor(length / 2);
  return [front(length, text.slice(0, half)), back(length, text.slice(half))];
}

/** The keys, as `halvesOf` makes them, of all texts that are one edit away from this one; and of others. */
export function typoKeysOneEditAway(text: string): string[] {
  if (!mayHaveTypo(text)) return [];
  return [-1, 0, 1].flatMap((more) => {
    const length = text.length + more;
    const half = Math.floor(length / 2);
    return [front(length, text.slice(0, half)), back(length, text.slice(text.length - (length - half)))];
  });
}

/** The text with the two letters in turn that stand where its halves meet: such an edit leaves no half as it was. */
export function swapMiddleLetters(text: string): string {
  const half = Math.floor(text.length / 2);
  return text.slice(0, half - 1) + text.slice(half, half + 1) + text.slice(half - 1, half) + text.slice(half + 1);
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
