import { readLeg } from './read-leg.ts';
import { sourceText } from './read-names.ts';
import { matchesAt, type Token, tokenize } from './slip-tokens.ts';

/** A possible leg. */
interface SlipPiece {
  /** Its line. */
  readonly line: string;
  readonly tokens: readonly Token[];
  /** As written. */
  readonly text: string;
}

const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029;]/;
const BULLETS: ReadonlySet<string> = new Set(['-', '*', '•']);
const HEADERS: readonly (readonly string[])[] = [
  ['same', 'game', 'parlay'],
  ['parlay'],
  ['sgp'],
  ['bet', 'slip'],
  ['ticket'],
];

/** The pieces of a text, each a leg or not understood; without stakes, bullets and headers. */
export function splitIntoPieces(text: string): readonly SlipPiece[] {
  return text.split(LINE_ENDS).flatMap((line) => {
    const tokens = withoutHeaders(withoutStakes(tokenize(line)));
    return splitLine(line, tokens).map((piece) => ({ line, tokens: piece, text: sourceText(line, piece) }));
  });
}

type Tokens = readonly Token[];

/** Removes `2u`, `$20`, `to win $50`, and brackets around them. */
function withoutStakes(tokens: Tokens): Tokens {
  if (!tokens.some(({ kind }) => kind === 'stake')) return tokens;
  const rest: Token[] = [];
  tokens.forEach((token, index) => {
    if (token.kind === 'stake') {
      const isWin = token.text.startsWith('$') && matchesAt(rest, rest.length - 2, ['to', 'win']);
      if (isWin) rest.length -= 2;
    } else if (tokens[index - 1]?.kind === 'stake' && isPair(rest.at(-1), token)) rest.length--;
    else rest.push(token);
  });
  return rest;
}

const isPair = (open: Token | undefined, { text }: Token): boolean =>
  (open?.text === '(' && text === ')') || (open?.text === '[' && text === ']');

/** A bullet, a number, a header, and another header. */
const MAX_OPENINGS = 4;

/** Removes bullets, numbers and headers at the beginning. */
function withoutHeaders(tokens: Tokens): Tokens {
  let rest = tokens;
  for (let opening = 0; opening < MAX_OPENINGS; opening++) {
    const length = bulletLength(rest) || headerLength(rest);
    if (length === 0) return rest;
    rest = rest.slice(length);
  }
  return rest;
}

function bulletLength(tokens: Tokens): number {
  const [first, second] = tokens;
  if (!first) return 0;
  if (first.kind === 'sign' && BULLETS.has(first.text)) return 1;
  const isNumber = first.kind === 'number' && /^\d{1,2}$/.test(first.text) && second?.start === first.end;
  return isNumber && (second.text === '.' || second.text === ')') ? 2 : 0;
}

/** A header is at the end of the line, perhaps with a price, or ends with a colon. */
function headerLength(tokens: Tokens): number {
  let at = 0;
  if (tokens[0]?.kind === 'number' && !tokens[0].signed) {
    at = tokens[1]?.text === '-' ? 2 : 1;
    if (tokens[at]?.text !== 'leg') return 0;
    at++;
  }
  const words = HEADERS.find((phrase) => matchesAt(tokens, at, phrase));
  if (!words) return 0;
  at += words.length;
  const inBrackets = tokens[at]?.text === '(' && tokens[at + 2]?.text === ')';
  const price = tokens[inBrackets ? at + 1 : at];
  if (price?.kind === 'number' && price.signed && Math.abs(price.value) >= 100) at += inBrackets ? 3 : 1;
  if (tokens[at]?.text === ':') return at + 1;
  return at === tokens.length ? at : 0;
}

/** The maximum number of segments in one leg: `pts + reb + ast`, a name with `&`, a name with a comma, a pair. */
const MAX_SEGMENTS = 6;

/**
 * Splits at commas and similar separators into as many legs as possible, if every piece is a leg; else not at all. A
 * leg has few segments and is short, so the time is linear in the length of the line.
 */
function splitLine(line: string, tokens: Tokens): readonly Tokens[] {
  const segments = segmentsOf(tokens);
  if (segments.length < 2)
    return segments.map(({ from, to }) => withoutHeaders(tokens.slice(from, to))).filter(isNotEmpty);
  /** By number of covered segments: the maximum number of legs, and where the last one begins. */
  const best: ({ readonly legs: number; readonly from: number; readonly piece: Tokens } | undefined)[] = [
    { legs: 0, from: 0, piece: [] },
  ];
  for (let end = 1; end <= segments.length; end++) {
    for (let from = end - 1; from >= Math.max(0, end - MAX_SEGMENTS); from--) {
      const before = best[from];
      if (!before || (best[end]?.legs ?? 0) > before.legs) continue;
      const piece = withoutHeaders(tokens.slice(segments[from]!.from, segments[end - 1]!.to));
      if (readLeg(line, piece).bets.length > 0) best[end] = { legs: before.legs + 1, from, piece };
    }
  }
  const pieces: Tokens[] = [];
  for (let end = segments.length; end > 0; end = best[end]!.from) {
    if (!best[end]) return [tokens.slice(segments[0]!.from, segments.at(-1)!.to)];
    pieces.unshift(best[end]!.piece);
  }
  return pieces;
}

const isNotEmpty = (tokens: Tokens): boolean => tokens.length > 0;

/** The start and end of each part between separators; empty parts are skipped. */
function segmentsOf(tokens: Tokens): readonly { readonly from: number; readonly to: number }[] {
  const segments: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && !isSeparator(tokens[at]!)) continue;
    if (at > from) segments.push({ from, to: at });
    from = at + 1;
  }
  return segments;
}

const isSeparator = ({ kind, text, isSpaced }: Token): boolean =>
  kind === 'sign' ? text === ',' || text === '+' || text === '&' || (text === '/' && isSpaced) : text === 'and';
