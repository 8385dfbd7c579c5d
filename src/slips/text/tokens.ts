/** A piece of a line, as the grammar sees it. */
export interface Token {
  readonly kind: 'word' | 'number' | 'at least' | 'date' | 'stake' | 'sign';
  /** In lower case, with plain signs. */
  readonly text: string;
  /** Of a number, of `25+`. */
  readonly value: number;
  /** A number with `+` or `-` in front. */
  readonly signed: boolean;
  /** Where it begins and ends in the line. */
  readonly start: number;
  readonly end: number;
  /** White space, or the end of the line, stands on both sides. */
  readonly loose: boolean;
}

const FRACTIONS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 };
const MINUS = '[-−–—]';
/** Nothing of a word follows: `76ers` and `1.FC` are no numbers. */
const NO_MORE = String.raw`(?![\p{L}\p{N}]|\.\p{L})`;
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;

/** Every alternative goes over its characters once. Digits are bounded: what is longer is a word that nobody knows. */
const TOKEN = new RegExp(
  [
    String.raw`(?<date>\d{4}${MINUS}\d\d${MINUS}\d\d(?![\p{L}\p{N}]))`,
    String.raw`(?<stake>\$ ?\d[\d,]*(?:\.\d+)?${NO_MORE}|\d{1,9}(?:\.\d{1,9})?u(?![\p{L}\p{N}]))`,
    String.raw`(?<least>\d{1,4}\+(?![\d.]))`,
    String.raw`(?<number>(?:\+|${MINUS})?(?:\d{1,9}(?:\.\d{1,9}| ?[½¼¾])?|\.\d{1,9}|[½¼¾])${NO_MORE})`,
    String.raw`(?<glued>[ou](?=\.?\d))`,
    String.raw`(?<word>['’‘]?${LETTER}(?:${LETTER}|['’‘.\u0060])*)`,
    String.raw`(?<blank>[\p{Z}\p{Cc}\p{Cf}]+)`,
    '(?<sign>.)',
  ].join('|'),
  'giuys',
);

/** The tokens of a line. Takes time in proportion to its length. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const groups = match.groups!;
    if (groups['blank'] !== undefined) continue;
    const [raw] = match;
    const start = match.index;
    const end = start + raw.length;
    const loose = isBlank(line[start - 1]) && isBlank(line[end]);
    tokens.push({ ...plain(groups, raw), start, end, loose });
  }
  return tokens;
}

type Plain = Pick<Token, 'kind' | 'text' | 'value' | 'signed'>;

function plain(groups: Readonly<Record<string, string | undefined>>, raw: string): Plain {
  const text = raw.toLowerCase().replace(/[−–—]/g, '-').replace(/[’‘]/g, "'");
  const nothing = { text, value: 0, signed: false };
  if (groups['number'] !== undefined) {
    return { kind: 'number', text, value: numberIn(text), signed: text.startsWith('-') || text.startsWith('+') };
  }
  if (groups['least'] !== undefined) return { ...nothing, kind: 'at least', value: Number(text.slice(0, -1)) };
  if (groups['date'] !== undefined) return { ...nothing, kind: 'date' };
  if (groups['stake'] !== undefined) return { ...nothing, kind: 'stake' };
  return { ...nothing, kind: groups['sign'] === undefined ? 'word' : 'sign' };
}

function numberIn(text: string): number {
  const fraction = FRACTIONS[text.at(-1)!] ?? 0;
  const whole = fraction === 0 ? text : text.slice(0, -1).trim();
  const isNegative = whole.startsWith('-');
  const size = Number(whole.replace(/^[+-]/, '') || 0) + fraction;
  return isNegative && size !== 0 ? -size : size;
}

const isBlank = (character: string | undefined): boolean => character === undefined || /[\p{Z}\p{Cc}]/u.test(character);

/** Whether these words stand at a place. */
export const standsAt = (tokens: readonly Token[], at: number, words: readonly string[]): boolean =>
  words.every((word, index) => tokens[at + index]?.text === word);
