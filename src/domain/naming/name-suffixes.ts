/** Folded. */
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'v']);

/** The words of a person's name, and the suffix that stood behind them. */
export interface SuffixedName {
  readonly base: readonly string[];
  readonly suffix: string | null;
}

/** A suffix alone is a name. */
export function withoutSuffix(words: readonly string[]): SuffixedName {
  const last = words.at(-1);
  return words.length > 1 && SUFFIXES.has(last!)
    ? { base: words.slice(0, -1), suffix: last! }
    : { base: words, suffix: null };
}

/** Whether these words are a suffix and nothing else. */
export const isSuffix = (words: readonly string[]): boolean => words.length === 1 && SUFFIXES.has(words[0]!);
