import { isOneEditAway } from '../../../domain/directory/naming/typo-keys.ts';
import { foldText } from '../../../domain/primitives/name-normalization.ts';

const wordsOf = (text: string): readonly string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** A shorter word with another letter is another word. */
const MIN_LETTERS = 5;
const PARTS = 3;

/**
 * Each word of the text is one of the name, begins one, or, if it is long enough, is one with a single typo: a letter
 * too many, too few or another one, or two that are swapped. The typos may be in several words.
 */
export function isAlmostCalled(text: string, name: string): boolean {
  const words = wordsOf(text);
  const own = wordsOf(name);
  return words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word) || hasTypo(word, one)));
}

const hasTypo = (word: string, own: string): boolean => word.length >= MIN_LETTERS && isOneEditAway(word, own);

/** What the names contain that are almost the text: one of these parts of its longest word is as it should be. */
export function unchangedParts(text: string): readonly string[] {
  const word = wordsOf(text).reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  if (word.length < MIN_LETTERS) return [];
  // Two letters that are swapped may be in two parts, so the third is unchanged.
  return Array.from({ length: PARTS }, (_, at) =>
    word.slice(Math.floor((at * word.length) / PARTS), Math.floor(((at + 1) * word.length) / PARTS)),
  );
}
