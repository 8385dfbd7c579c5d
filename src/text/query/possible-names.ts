import { isGrammarWord } from './query-meanings.ts';
import { COMMON_WORDS } from './query-vocabulary.ts';
import { type QueryWords, readQueryWords } from './query-words.ts';

/** Words of the longest name that is looked for. */
export const MAX_NAME_WORDS = 6;
/** Words of the grammar, and common words, that a name may hold: Queen of the South. */
const MAX_KNOWN_WORDS = 2;
/** Further phrases are not looked up: nobody writes so many names. */
const MAX_PHRASES = 120;

/** Words that are between two names, not a part of one. */
const BETWEEN_NAMES: ReadonlySet<string> = new Set(['v', 'vs', 'versus']);

/** Words that may name a team or a player. */
export interface PossibleName {
  /** As it stands in the text, in lower case: with its signs. */
  readonly text: string;
  /**
   * It begins or ends with a word of the grammar. So it is a name only if somebody is called exactly so: in `arsenal 5
   * games` the number is no part of the name, but in `1. FC Köln` it is.
   */
  readonly mustBeWhole: boolean;
}

/** The phrases of a text that may be names, each once, in order. @param now milliseconds */
export function possibleNames(text: string, now: number): readonly PossibleName[] {
  const read = readQueryWords(text);
  const { words } = read;
  const kinds = words.map(({ word }) => {
    const isOfGrammar = isGrammarWord(word, now) || BETWEEN_NAMES.has(word);
    return { isOfGrammar, isKnown: isOfGrammar || COMMON_WORDS.has(word) };
  });
  const found = new Map<string, PossibleName>();
  for (let from = 0; from < words.length; from++) {
    let known = 0;
    for (let length = 1; length <= MAX_NAME_WORDS && from + length <= words.length; length++) {
      if (kinds[from + length - 1]!.isKnown) known++;
      if (known > MAX_KNOWN_WORDS) break;
      if (known === length) continue;
      const phrase = phraseAt(read, from, length);
      const mustBeWhole = kinds[from]!.isOfGrammar || kinds[from + length - 1]!.isOfGrammar;
      found.set(phrase, { text: phrase, mustBeWhole });
      if (found.size === MAX_PHRASES) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** The phrase of some words, as it stands in the text. */
export const phraseAt = ({ plain, words }: QueryWords, from: number, length: number): string =>
  plain.slice(words[from]!.start, words[from + length - 1]!.end);
