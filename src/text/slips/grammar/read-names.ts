import { dayAt } from './day-words.ts';
import { NOT_IN_NAMES, VERSUS_WORDS } from './market-words.ts';
import type { Token } from './slip-tokens.ts';
import { findStat } from './stat-words.ts';

/** Two sides, for each possible split of the text; `Saint-Germain-Lyon` has two. */
export type MatchReadings = readonly (readonly [string, string])[];

/** More words than any name has. */
const MAX_NAME_TOKENS = 14;
const IN_NAMES: ReadonlySet<string> = new Set(['-', '&', '.', "'"]);

/** The source text of the tokens. */
export const sourceText = (line: string, tokens: readonly Token[]): string =>
  tokens.length === 0 ? '' : line.slice(tokens[0]!.start, tokens.at(-1)!.end);

/**
 * A possible team name, as written; null if it cannot be one.
 * @param extra another sign that the name may contain: the comma of `James, LeBron`
 */
export function readName(line: string, tokens: readonly Token[], extra = ''): string | null {
  if (tokens.length === 0 || tokens.length > MAX_NAME_TOKENS) return null;
  if (!tokens.every((token, index) => isNameToken(token, index, extra) && !dayAt(tokens, index, 'as names')))
    return null;
  if (tokens[0]!.kind === 'sign' || (tokens.at(-1)!.kind === 'sign' && tokens.at(-1)!.text !== '.')) return null;
  if (tokens.every(({ kind }) => kind !== 'word')) return null;
  return findStat(tokens.map(({ text }) => text).join(' ')) ? null : sourceText(line, tokens);
}

function isNameToken({ kind, text, signed }: Token, index: number, extra: string): boolean {
  switch (kind) {
    case 'word':
      return !NOT_IN_NAMES.has(text) && (!VERSUS_WORDS.has(text) || (text === 'v.' && index === 0));
    case 'number':
      return !signed && /^\d+$/.test(text);
    case 'sign':
      return IN_NAMES.has(text) || text === extra;
    default:
      return false;
  }
}

/** A possible player name, also as `James, LeBron`. */
export const readPlayerName = (line: string, tokens: readonly Token[]): string | null => readName(line, tokens, ',');

/** The first index of `vs`, `at` or `@`; -1 if none. At the beginning `v.` is an initial. */
export const findVersus = (tokens: readonly Token[]): number =>
  tokens.findIndex(({ text }, index) => VERSUS_WORDS.has(text) && (index > 0 || text !== 'v.'));

/** Reads all tokens as `A vs B`; null if they do not name two sides. */
export function readMatch(line: string, tokens: readonly Token[]): MatchReadings | null {
  const positions = separatorPositions(tokens);
  const match: [string, string][] = [];
  for (const position of positions) {
    const [one, other] = [readName(line, tokens.slice(0, position)), readName(line, tokens.slice(position + 1))];
    if (one !== null && other !== null) match.push([one, other]);
  }
  return match.length === 0 ? null : match;
}

/**
 * Only the strongest kind of separator counts: words, then signs between spaces, then a slash, and last a hyphen that
 * may be part of a name.
 */
function separatorPositions(tokens: readonly Token[]): readonly number[] {
  if (tokens.length > 2 * MAX_NAME_TOKENS + 1) return [];
  const indexesOf = (separates: (token: Token, index: number) => boolean): number[] =>
    tokens.flatMap((token, index) => (index > 0 && separates(token, index) ? [index] : []));
  const words = indexesOf(({ text }) => VERSUS_WORDS.has(text));
  if (words.length > 0) return words.length === 1 ? words : [];
  const spaced = indexesOf(({ text, isSpaced }) => isSpaced && (text === '-' || text === '/'));
  if (spaced.length > 0) return spaced.length === 1 ? spaced : [];
  const slashes = indexesOf(({ text }) => text === '/');
  if (slashes.length > 0) return slashes.length === 1 ? slashes : [];
  return indexesOf(({ text }) => text === '-').slice(0, 4);
}
