/** A word of a text, and where it stands in the text in its plain form. */
export interface QueryWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A text as it is read. */
export interface QueryWords {
  /** In lower case and in the compatibility form. */
  readonly plain: string;
  readonly words: readonly QueryWord[];
}

/** Apostrophes, straight and curly. */
const APOSTROPHES = "'‘’";
const TRAILING_SIGNS = `.:${APOSTROPHES}`;

/** Separators: white space, control characters, and some punctuation unless between two digits. */
const SEPARATORS = /[\p{Z}\p{Cc}]|(?<!\p{N})[,;!?()[\]{}"“”«»]|[,;!?()[\]{}"“”«»](?!\p{N})/gu;
const FORMAT = /\p{Cf}/gu;
const DIGIT = /\p{N}/u;
/** Punctuation that splits words: all but apostrophes. */
const BETWEEN_WORDS = /(?!['‘’])\p{P}/gu;

/** The words of a text as defined in docs/query.md. Linear in the length of the text. */
export function readQueryWords(text: string): QueryWords {
  const plain = text.normalize('NFKC').toLowerCase().replace(FORMAT, '');
  return { plain, words: [...wordsIn(plain)] };
}

function* wordsIn(plain: string): Generator<QueryWord> {
  for (const [from, to] of splitAt(plain, 0, SEPARATORS)) {
    const [start, end] = withoutPossessive(plain, ...trim(plain, from, to));
    if (start === end) continue;
    const piece = plain.slice(start, end);
    // A piece with a digit is not split: `2026-03-01`, `9/20` and `1,000` have one meaning.
    if (DIGIT.test(piece)) yield { word: piece, start, end };
    else {
      for (const [first, last] of splitAt(piece, start, BETWEEN_WORDS)) {
        const word = plain.slice(first, last).replace(/['‘’]/g, '');
        if (word !== '') yield { word, start: first, end: last };
      }
    }
  }
}

/** The parts of a text between separators, as positions. @param offset where the text begins */
function* splitAt(text: string, offset: number, separators: RegExp): Generator<readonly [start: number, end: number]> {
  let start = 0;
  for (const { index, 0: separator } of text.matchAll(separators)) {
    yield [offset + start, offset + index];
    start = index + separator.length;
  }
  yield [offset + start, offset + text.length];
}

/** Without a pattern: one anchored to the end would retry from every character. */
function trim(plain: string, from: number, to: number): readonly [start: number, end: number] {
  let start = from;
  let end = to;
  while (start < end && APOSTROPHES.includes(plain[start]!)) start++;
  while (end > start && TRAILING_SIGNS.includes(plain[end - 1]!)) end--;
  return [start, end];
}

function withoutPossessive(plain: string, start: number, end: number): readonly [start: number, end: number] {
  const isPossessive = end - start >= 2 && plain[end - 1] === 's' && "'’".includes(plain[end - 2]!);
  return [start, isPossessive ? end - 2 : end];
}
