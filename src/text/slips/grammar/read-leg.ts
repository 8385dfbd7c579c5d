import { type LegScope, sportsOfScope } from '../../../domain/grading/leg-scope.ts';
import { type BetContext, emptyBetContext, stripLeadingDate, stripTrailingContext } from './bet-context.ts';
import { hasShortWeekday, type NamedDay, type ShortWeekdays } from './day-words.ts';
import {
  DRAW_WORDS,
  EVEN_LINE_WORDS,
  LINE_UNITS,
  MONEYLINE_PHRASES,
  ORDINALS,
  SCOPE_PHRASES,
  SPREAD_WORDS,
  THREE_WAY_PHRASES,
} from './market-words.ts';
import { readOpponent, readOverUnder } from './over-under-bets.ts';
import { createBet, type ParsedBet } from './parsed-bet.ts';
import { findVersus, readMatch, readName } from './read-names.ts';
import { matchesAt, type Token } from './slip-tokens.ts';

/** One parsed leg of a text. */
export interface LegReading {
  /** Its readings, those that can be settled first; at most one can be meant. Empty: not a leg. */
  readonly bets: readonly ParsedBet[];
  /** The event must match all of them. */
  readonly days: readonly NamedDay[];
  /** As written. */
  readonly date: string | null;
  readonly price: number | null;
  readonly isDecimalPrice: boolean;
  /** Why it is not a leg. */
  readonly problem: string | null;
}

type Tokens = readonly Token[];

/** More than any leg needs: three names of many words, two dates and a price. */
const MAX_LEG_TOKENS = 64;
const TOO_LONG = 'The text is too long for one leg, and its pieces are not all legs by themselves.';

/** How short weekdays at the beginning and at the end are read: days first. */
const SHORT_WEEKDAYS: readonly (readonly [leading: ShortWeekdays, trailing: ShortWeekdays])[] = [
  ['as days', 'as days'],
  ['as names', 'as days'],
  ['as days', 'as names'],
  ['as names', 'as names'],
];

/** Parses one leg. Linear in the number of tokens. */
export function readLeg(line: string, all: Tokens): LegReading {
  if (all.length > MAX_LEG_TOKENS)
    return { bets: [], days: [], date: null, price: null, isDecimalPrice: false, problem: TOO_LONG };
  const [first, ...others] = SHORT_WEEKDAYS;
  const reading = readLegWith(line, all, ...first!);
  if (reading.bets.length > 0 || !hasShortWeekday(all)) return reading;
  for (const short of others) {
    const other = readLegWith(line, all, ...short);
    if (other.bets.length > 0) return other;
  }
  return reading;
}

function readLegWith(line: string, all: Tokens, leading: ShortWeekdays, trailing: ShortWeekdays): LegReading {
  const context = emptyBetContext(trailing);
  const { scopes, rest } = withoutScopes(all);
  const tokens = stripTrailingContext(line, stripLeadingDate(line, rest, context, leading), context);
  const problem = scopes.length === 0 ? null : problemOfScopes(scopes);
  const whole = problem ? [] : betsIn(line, tokens, context).filter((one) => usesContext(one, context));
  const read = scopes[0] ? whole.flatMap((bet) => withScope(bet, scopes[0]!)) : whole;
  const bets = [
    ...read.filter(({ unsettleableReason }) => unsettleableReason === null),
    ...read.filter(({ unsettleableReason }) => unsettleableReason !== null),
  ];
  const { days, dates, price, isDecimalPrice } = context;
  return {
    bets,
    days,
    date: dates.length === 0 ? null : dates.join(' '),
    price,
    isDecimalPrice,
    problem: bets.length > 0 ? null : (problem ?? problemOf(line, tokens, context)),
  };
}

/** A team in brackets is the team of a player, so it has no meaning for other bets. */
const usesContext = ({ kind, unsettleableReason }: ParsedBet, { team }: BetContext): boolean =>
  team === null || kind === 'prop' || unsettleableReason !== null;

function betsIn(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] {
  const regular = withoutThreeWay(tokens);
  if (regular) return readThreeWay(line, regular, context);
  return (
    readOverUnder(line, tokens, context) ??
    readDraw(line, tokens, context) ??
    readMoneyline(line, tokens, context) ??
    readSpread(line, tokens, context) ??
    readPriced(line, tokens, context)
  );
}

/** The other tokens of a leg that says that regular time counts; undefined if it does not. */
function withoutThreeWay(tokens: Tokens): Tokens | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const words = THREE_WAY_PHRASES.find((phrase) => matchesAt(tokens, at, phrase));
    if (words) return [...tokens.slice(0, at), ...tokens.slice(at + words.length)];
  }
  return undefined;
}

/** `TEAM 3-way`, `TEAM ml 3-way`, `3-way draw A vs B`: the moneyline of regular time, and no other bet. */
function readThreeWay(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] {
  const bets =
    readDraw(line, tokens, context) ??
    readMoneyline(line, tokens, context) ??
    moneylineOf(line, readOpponent({ line, after: tokens, around: context }), context);
  return bets.map((bet) => ({ ...bet, kind: 'three_way' }));
}

/** `draw A vs B`, `A vs B draw`, `draw (A vs B)`. */
function readDraw(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] | undefined {
  const isFirst = DRAW_WORDS.has(tokens[0]?.text ?? '');
  if (!isFirst && !DRAW_WORDS.has(tokens.at(-1)?.text ?? '')) return undefined;
  const rest = isFirst ? tokens.slice(1) : tokens.slice(0, -1);
  const match = rest.length === 0 ? context.match : context.match === null ? readMatch(line, rest) : null;
  if (context.opponent !== null) return [];
  return [
    createBet('draw', {
      side: 'draw',
      match,
      unsettleableReason: match === null ? 'A draw needs both sides of its match.' : null,
    }),
  ];
}

const MONEYLINE_BEGINNINGS: ReadonlySet<string> = new Set(MONEYLINE_PHRASES.map(([first]) => first!));

/** `TEAM ml`. */
function readMoneyline(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] | undefined {
  for (let at = 1; at < tokens.length; at++) {
    if (!MONEYLINE_BEGINNINGS.has(tokens[at]!.text)) continue;
    const words = MONEYLINE_PHRASES.find((phrase) => matchesAt(tokens, at, phrase));
    if (!words) continue;
    const team = readName(line, tokens.slice(0, at));
    const { rest, opponent } = readOpponent({ line, after: tokens.slice(at + words.length), around: context });
    if (team === null || rest.length > 0) return [];
    return [createBet('moneyline', { team, opponent, match: context.match })];
  }
  return undefined;
}

/** `TEAM -4.5`. */
function readSpread(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] | undefined {
  const at = tokens.findIndex(isLine);
  if (at < 0) return undefined;
  const { rest, opponent } = readOpponent({ line, after: tokens.slice(at + 1), around: context });
  const before = tokens.slice(0, at);
  const unit = LINE_UNITS.get(rest[0]?.text ?? '');
  const found = spreadWordsIn(before, unit ? rest.slice(1) : rest);
  const left = found?.rest ?? (unit ? rest.slice(1) : rest);
  const team = readName(line, found?.team ?? before);
  const sports = sportsOfBoth(found?.sports ?? null, unit?.sports ?? null);
  if (team === null || left.length > 0 || sports?.length === 0) return [];
  const unsettleableReason = unit?.unsettleableReason ?? null;
  const { match } = context;
  return [createBet('spread', { sports, line: tokens[at]!.value, team, opponent, match, unsettleableReason })];
}

const isLine = ({ kind, text, signed, value }: Token, index: number): boolean =>
  index > 0 && (EVEN_LINE_WORDS.has(text) || (kind === 'number' && signed && Math.abs(value) < 100));

/** Finds the words for a spread at one of three positions, and what is left without them. */
function spreadWordsIn(before: Tokens, rest: Tokens) {
  for (const [words, sports] of SPREAD_WORDS) {
    const { length } = words;
    const end = before.length - length;
    if (matchesAt(rest, 0, words)) return { team: before, rest: rest.slice(length), sports };
    if (matchesAt(before, end, words)) return { team: before.slice(0, end), rest, sports };
    if (matchesAt(before, 0, words)) return { team: before.slice(length), rest, sports };
  }
  return undefined;
}

/** Null: all sports. */
const sportsOfBoth = (one: ParsedBet['sports'], other: ParsedBet['sports']): ParsedBet['sports'] =>
  one === null || other === null ? (one ?? other) : one.filter((sport) => other.includes(sport));

/** A team and a price without more are a moneyline, since no spread is 100 or more. */
function readPriced(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] {
  const wasPriced = context.price !== null;
  const named = readOpponent({ line, after: tokens, around: context });
  // In `A vs B +150` the price may belong to either side.
  if (context.price === null || (wasPriced && named.rest !== tokens)) return [];
  return moneylineOf(line, named, context);
}

/** The moneyline of a team that is named alone, perhaps with its opponent. */
function moneylineOf(
  line: string,
  { rest, opponent }: ReturnType<typeof readOpponent>,
  { match }: BetContext,
): readonly ParsedBet[] {
  const team = readName(line, rest);
  return team === null ? [] : [createBet('moneyline', { team, opponent, match })];
}

/** The parts of an event that the tokens name, in order, and the other tokens. */
function withoutScopes(tokens: Tokens): { readonly scopes: readonly (LegScope | null)[]; readonly rest: Tokens } {
  const scopes: (LegScope | null)[] = [];
  const rest: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at]!;
    const phrase = ORDINALS.has(text) ? `${text} ${tokens[at + 1]?.text}` : text;
    const scope = SCOPE_PHRASES.get(phrase);
    if (scope === undefined) {
      rest.push(tokens[at]!);
      continue;
    }
    scopes.push(scope);
    if (phrase !== text) at++;
    // `first 5 innings`
    if (scope === 'F5' && tokens[at + 1]?.text === 'innings') at++;
  }
  return scopes.length === 0 ? { scopes, rest: tokens } : { scopes, rest };
}

function problemOfScopes(scopes: readonly (LegScope | null)[]): string | null {
  if (scopes.length > 1) return 'The bet names more than one part of its event.';
  return scopes[0] === null ? 'Bets on this part of an event are not graded.' : null;
}

/** Nothing if no sport that its words allow has this part. */
function withScope(bet: ParsedBet, scope: LegScope): readonly ParsedBet[] {
  if (bet.kind === 'prop')
    return [{ ...bet, scope, unsettleableReason: 'Props of a part of an event are not graded.' }];
  if (bet.kind === 'three_way')
    return [{ ...bet, scope, unsettleableReason: 'The moneyline of regular time is one of the whole event.' }];
  const sports = sportsOfBoth(bet.sports, sportsOfScope(scope));
  return sports?.length === 0 ? [] : [{ ...bet, scope, sports }];
}

function problemOf(line: string, tokens: Tokens, { price }: BetContext): string {
  if (tokens.length === 0) return 'The text names no bet.';
  const last = tokens.at(-1)!;
  if (readName(line, tokens) !== null && last.kind !== 'number') {
    return 'A name alone is no bet: it needs ml, a signed line, or over or under a line.';
  }
  if (readMatch(line, tokens) !== null && findVersus(tokens) >= 0) {
    const why = price === null ? 'no bet on it' : 'not on which side the bet is';
    return `The text names a match, and ${why}.`;
  }
  if (last.kind === 'number' && !last.signed && readName(line, tokens.slice(0, -1)) !== null) {
    return 'The number has no sign: a spread needs + or -, a total over or under.';
  }
  return 'This is not understood as a bet. Write one as “Arsenal -1 @2.10”: a name, then ml, a signed line, or over or under a line, and a price after @. Nothing else, such as a stake or a bookmaker, may stand in it.';
}
