/** Shorter names would match too many others. */
const MIN_LETTERS = 6;

export const mayHaveTypo = (text: string): boolean => text.length >= MIN_LETTERS;

const front = (length: number, half: string): string => `f${length}:${half}`;
const back = (length: number, half: string): string => `b${length}:${half}`;

/**
 * Keys that find a text from a spelling with one typo: a single edit leaves one half of the text unchanged. Keys for
 * every deletion would be more exact, but there would be one per letter.
 */
export function typoKeysOf(text: string): string[] {
  if (!mayHaveTypo(text)) return [];
  const { length } = text;
  const half = Math.floor(length / 2);
  return [front(length, text.slice(0, half)), back(length, text.slice(half))];
}

/** The keys from `typoKeysOf` of all texts one edit away, and of some others. */
export function typoKeysOneEditAway(text: string): string[] {
  if (!mayHaveTypo(text)) return [];
  return [-1, 0, 1].flatMap((more) => {
    const length = text.length + more;
    const half = Math.floor(length / 2);
    return [front(length, text.slice(0, half)), back(length, text.slice(text.length - (length - half)))];
  });
}

/** Swaps the two letters at the middle: the one edit that changes both halves. */
export function swapMiddleLetters(text: string): string {
  const half = Math.floor(text.length / 2);
  return text.slice(0, half - 1) + text.slice(half, half + 1) + text.slice(half - 1, half) + text.slice(half + 1);
}

/** Whether the texts differ by one letter added, removed or replaced, or by two neighbouring letters swapped. */
export function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short === long || long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from++;
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1);
  const isSwapped = short[from] === long[from + 1] && short[from + 1] === long[from];
  return (
    short.slice(from + 1) === long.slice(from + 1) || (isSwapped && short.slice(from + 2) === long.slice(from + 2))
  );
}
