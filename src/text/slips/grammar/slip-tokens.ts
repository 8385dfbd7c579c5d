/** A token of a line. */
export interface Token {
  readonly kind: 'word' | 'number' | 'at least' | 'date' | 'stake' | 'sign';
  /** In lower case, with plain signs. */
  readonly text: string;
  /** For numbers and `25+`. */
  readonly value: number;
  /** Whether it is a number with `+` or `-` in front. */
  readonly signed: boolean;
  /** Start and end in the line. */
  readonly start: number;
  readonly end: number;
  /** Whether white space, or an end of the line, is on both sides. */
  readonly isSpaced: boolean;
}

const FRACTIONS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 };
const MINUS = '[-−–—]';
/** Not followed by a part of a word: `76ers` and `1.FC` are not numbers. */
const NO_MORE = String.raw`(?![\p{L}\p{N}]|\.\p{L})`;
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;

/** Every alternative reads its characters once. Digits are limited: a longer number becomes an unknown word. */
const TOKEN = new RegExp(
  [
    String.raw`(\d{4}${MINUS}\d\d${MINUS}\d\d(?![\p{L}\p{N}]))`,
    String.raw`(\$ ?\d[\d,]*(?:\.\d+)?${NO_MORE}|\d{1,9}(?:\.\d{1,9})?[uU](?![\p{L}\p{N}]))`,
    String.raw`(\d{1,4}\+(?![\d.]))`,
    String.raw`((?:\+|${MINUS})?(?:\d{1,9}(?:\.\d{1,9}| ?[½¼¾])?|\.\d{1,9}|[½¼¾])${NO_MORE})`,
    String.raw`([oOuU](?=\.?\d)|['’‘]?${LETTER}(?:${LETTER}|['’‘.\u0060])*)`,
    String.raw`([\p{Z}\p{Cc}\p{Cf}]+)`,
    '.',
  ].join('|'),
  'uys',
);
/** The indexes of its groups. A match in none of them is a sign. */
const [DATE, STAKE, AT_LEAST, NUMBER, WORD, BLANK] = [1, 2, 3, 4, 5, 6];

/** The tokens of a line. Linear in its length. */
export function tokenize(line: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const match = TOKEN.exec(line)!;
    if (match[BLANK] !== undefined) continue;
    const start = match.index;
    const end = TOKEN.lastIndex;
    const kind = kindOf(match);
    const text = plain(match[0]);
    const value = numberOf(kind, text);
    const signed = kind === 'number' && (text.startsWith('-') || text.startsWith('+'));
    const isSpaced = isBlank(line, start - 1) && isBlank(line, end);
    tokens.push({ kind, text, value, signed, start, end, isSpaced });
  }
  return tokens;
}

function kindOf(match: RegExpExecArray): Token['kind'] {
  if (match[WORD] !== undefined) return 'word';
  if (match[NUMBER] !== undefined) return 'number';
  if (match[AT_LEAST] !== undefined) return 'at least';
  if (match[DATE] !== undefined) return 'date';
  return match[STAKE] === undefined ? 'sign' : 'stake';
}

const DASHES = /[−–—]/g;
const QUOTES = /[’‘]/g;
const plain = (raw: string): string => raw.toLowerCase().replace(DASHES, '-').replace(QUOTES, "'");

const numberOf = (kind: Token['kind'], text: string): number =>
  kind === 'number' ? numberIn(text) : kind === 'at least' ? Number(text.slice(0, -1)) : 0;

function numberIn(text: string): number {
  const fraction = FRACTIONS[text.at(-1)!] ?? 0;
  const integer = fraction === 0 ? text : text.slice(0, -1).trim();
  const isNegative = integer.startsWith('-');
  const size = Number(integer.replace(/^[+-]/, '') || 0) + fraction;
  return isNegative && size !== 0 ? -size : size;
}

const BLANKS = /[\p{Z}\p{Cc}]/u;
const isBlank = (line: string, at: number): boolean => {
  const character = line[at];
  // Fast path: most are a space or a letter, which need no Unicode table.
  return character === undefined || character === ' ' || (!/[a-z0-9]/i.test(character) && BLANKS.test(character));
};

/** Whether these words start at index `at`. */
export const matchesAt = (tokens: readonly Token[], at: number, words: readonly string[]): boolean =>
  words.every((word, index) => tokens[at + index]?.text === word);
