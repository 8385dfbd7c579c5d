import { dayAt, dayEndingAt, type NamedDay, type ShortWeekdays } from './day-words.ts';
import { VERSUS_WORDS } from './market-words.ts';
import { type MatchReadings, readMatch, readName, sourceText } from './read-names.ts';
import type { Token } from './slip-tokens.ts';

/** The text around a bet. Filled in while reading. */
export interface BetContext {
  /** How short weekdays at the end of the leg are read. */
  readonly shortWeekdays: ShortWeekdays;
  readonly days: NamedDay[];
  /** The days as written. */
  readonly dates: string[];
  price: number | null;
  /** Whether the price is in decimal odds, not in American ones. */
  isDecimalPrice: boolean;
  /** Match in brackets. */
  match: MatchReadings | null;
  opponent: string | null;
  /** Team in brackets: the team of a player. */
  team: string | null;
}

export const emptyBetContext = (shortWeekdays: ShortWeekdays): BetContext => ({
  shortWeekdays,
  days: [],
  dates: [],
  price: null,
  isDecimalPrice: false,
  match: null,
  opponent: null,
  team: null,
});

const MAX_DAYS = 2;

/** Removes a date at the beginning. @param short how a short weekday is read there */
export function stripLeadingDate(
  line: string,
  tokens: readonly Token[],
  context: BetContext,
  short: ShortWeekdays,
): readonly Token[] {
  const day = dayAt(tokens, 0, short);
  if (!day) return tokens;
  context.days.push(day[0]);
  context.dates.push(sourceText(line, tokens.slice(0, day[1])));
  return tokens.slice(day[1]);
}

/** Removes dates, a price, and brackets at the end; at most as many of each as a leg may have. */
export function stripTrailingContext(line: string, tokens: readonly Token[], context: BetContext): readonly Token[] {
  let end = tokens.length;
  for (;;) {
    const length =
      readDay(line, tokens, end, context) ||
      readPrice(tokens, end, context) ||
      readBrackets(line, tokens, end, context);
    if (length === 0) return end === tokens.length ? tokens : tokens.slice(0, end);
    end -= length;
  }
}

function readDay(line: string, tokens: readonly Token[], end: number, context: BetContext): number {
  const day = context.days.length < MAX_DAYS ? dayEndingAt(tokens, end, context.shortWeekdays) : undefined;
  if (!day) return 0;
  context.days.push(day[0]);
  context.dates.push(sourceText(line, tokens.slice(end - day[1], end)));
  return day[1];
}

/** `-110`, `@ -110`, `@1.91`, with or without brackets. */
function readPrice(tokens: readonly Token[], end: number, context: BetContext): number {
  if (context.price !== null) return 0;
  const inBrackets = isClosing(tokens[end - 1]);
  const last = inBrackets ? end - 2 : end - 1;
  const number = tokens[last];
  if (number?.kind !== 'number') return 0;
  const isAfterAt = tokens[last - 1]?.text === '@';
  const isAmerican = number.signed && /^[+-]\d+$/.test(number.text) && Math.abs(number.value) >= 100;
  const isDecimal = isAfterAt && /^\d+\.\d+$/.test(number.text);
  if (!isAmerican && !isDecimal) return 0;
  let first = isAfterAt ? last - 1 : last;
  if (inBrackets) {
    first--;
    if (!isOpening(tokens[first])) return 0;
    if (tokens[first - 1]?.text === '@') first--;
  }
  context.price = number.value;
  context.isDecimalPrice = isDecimal;
  return end - first;
}

/** `(A vs B)`, `(vs B)` and `(TEAM)`. */
export function readBrackets(line: string, tokens: readonly Token[], end: number, context: BetContext): number {
  if (!isClosing(tokens[end - 1])) return 0;
  const opening = tokens.slice(0, end).findLastIndex(isOpening);
  if (opening < 0) return 0;
  const inside = tokens.slice(opening + 1, end - 1);
  const length = end - opening;
  if (inside.length === 0) return 0;
  if (context.match !== null || context.opponent !== null) return readTeam(line, inside, context) ? length : 0;
  if (VERSUS_WORDS.has(inside[0]!.text)) {
    context.opponent = readName(line, inside.slice(1));
    return context.opponent === null ? 0 : length;
  }
  if (readTeam(line, inside, context)) return length;
  context.match = readMatch(line, inside);
  return context.match === null ? 0 : length;
}

function readTeam(line: string, tokens: readonly Token[], context: BetContext): boolean {
  if (context.team !== null) return false;
  // `A - B` could be one name; in brackets it is a match.
  const name = tokens.some(({ text, isSpaced }) => text === '-' && isSpaced) ? null : readName(line, tokens);
  context.team = name;
  return name !== null;
}

const isOpening = (token: Token | undefined): boolean => token?.text === '(' || token?.text === '[';
const isClosing = (token: Token | undefined): boolean => token?.text === ')' || token?.text === ']';
