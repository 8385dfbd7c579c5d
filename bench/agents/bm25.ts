/**
 * Ranks texts by the words of a query: Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
 * and Beyond", 2009), with k1 = 1.2 and b = 0.75.
 */
const K1 = 1.2;
const B = 0.75;

export interface RankedText {
  readonly name: string;
  readonly score: number;
}

/** @param texts by name @returns ranks them for a query, the best first; equal ones in the order given */
export function createRanking(texts: ReadonlyMap<string, string>): (query: string) => readonly RankedText[] {
  const documents = [...texts].map(([name, text]) => ({ name, words: wordsOf(text) }));
  const averageLength = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const holding = new Map<string, number>();
  for (const { words } of documents) {
    for (const word of new Set(words)) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const rarity = (word: string): number => {
    const count = holding.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  const scoreOf = (words: readonly string[], query: readonly string[]): number =>
    query.reduce((sum, word) => {
      const times = words.filter((one) => one === word).length;
      const longer = 1 - B + (B * words.length) / averageLength;
      return sum + (rarity(word) * times * (K1 + 1)) / (times + K1 * longer);
    }, 0);
  return (text) => {
    const query = [...new Set(wordsOf(text))];
    return documents
      .map(({ name, words }) => ({ name, score: scoreOf(words, query) }))
      .toSorted((a, b) => b.score - a.score);
  };
}

/** Words in lower case without their commonest endings; names of tools are parted at `_`. */
export const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);

const STOP_WORDS = new Set(
  'a an and are as at be by can do does did for from give have has how i in is it its me my of on one or please say show so tell that the their there they this to was were what when where which who will with would you'.split(
    ' ',
  ),
);

function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('es')) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s')) return word.slice(0, -1);
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}
