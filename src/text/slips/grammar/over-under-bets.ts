import { type BetContext, readBrackets, stripTrailingContext } from './bet-context.ts';
import { LINE_UNITS, OVER_WORDS, TEAM_TOTAL_PHRASES } from './market-words.ts';
import { createBet, type ParsedBet } from './parsed-bet.ts';
import { findVersus, readMatch, readName, readPlayerName } from './read-names.ts';
import { matchesAt, type Token } from './slip-tokens.ts';
import { ANYTIME_PHRASES, findStat, MAX_STAT_TOKENS, OVER_A_PHRASES, type StatBySport } from './stat-words.ts';

type Tokens = readonly Token[];

/** A leg split at its over or under: the tokens before and after. */
interface SplitLeg {
  readonly line: string;
  readonly before: Tokens;
  readonly after: Tokens;
  readonly around: BetContext;
}

const ONE_TEAM = 'A total needs both sides of its match: one team alone may mean its own total.';

/** All readings of a leg with over or under; undefined for other legs. */
export function readOverUnder(line: string, tokens: Tokens, context: BetContext): readonly ParsedBet[] | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const found = readAt(line, tokens, at, context);
    if (found) return found;
  }
  return undefined;
}

function readAt(line: string, tokens: Tokens, at: number, context: BetContext): readonly ParsedBet[] | undefined {
  const { kind, text, value } = tokens[at]!;
  const splitLeg = (length: number): SplitLeg => ({
    line,
    around: context,
    before: tokens.slice(0, at),
    after: tokens.slice(at + length),
  });
  if (kind === 'at least') return readAtLeast(splitLeg(1), value - 0.5);
  if (text === 'anytime') return readFixedPhrase(splitLeg(1), ANYTIME_PHRASES, 0.5);
  if (text === 'over' && tokens[at + 1]?.text === 'a') return readFixedPhrase(splitLeg(2), OVER_A_PHRASES, 1);
  const side = OVER_WORDS.get(text);
  const number = tokens[at + 1];
  if (side === undefined || number?.kind !== 'number' || number.signed) return undefined;
  return number.value < 1000 ? readLine(splitLeg(2), side, number.value) : [];
}

/** `PLAYER anytime goal`, `PLAYER over a hit`. */
function readFixedPhrase(
  { line, before, after, around: context }: SplitLeg,
  words: typeof ANYTIME_PHRASES,
  value: number,
): readonly ParsedBet[] {
  const named = words.find(([phrase]) => matchesAt(after, 0, phrase));
  if (!named) return [];
  const [phrase, stats] = named;
  const { rest, opponent } = readOpponent({ line, after: after.slice(phrase.length), around: context });
  if (rest.length > 0) return [];
  return propOf({ line, player: before, around: context, opponent, stats, side: 'over', value });
}

/** `PLAYER 25+ STAT`. */
function readAtLeast({ line, before, after, around: context }: SplitLeg, value: number): readonly ParsedBet[] {
  const { rest, opponent } = readOpponent({ line, after, around: context });
  return propWithStat({ line, player: before, rest, around: context, opponent, side: 'over', value });
}

function readLine(splitLeg: SplitLeg, side: 'over' | 'under', value: number): readonly ParsedBet[] {
  const { line, before, around: context } = splitLeg;
  const { rest, opponent } = readOpponent(splitLeg);
  const unit = LINE_UNITS.get(rest[0]?.text ?? '');
  if (before.length === 0) {
    return [
      ...totalWithMatchAfter(splitLeg, side, value),
      ...propWithStatFirst({ line, rest, around: context, opponent, side, value }),
    ];
  }
  for (const words of TEAM_TOTAL_PHRASES) {
    const start = before.length - words.length;
    if (!matchesAt(before, start, words)) continue;
    const team = readName(line, before.slice(0, start));
    if (team === null || rest.length > (unit ? 1 : 0)) return [];
    return [createBet('team_total', { side, line: value, ...unit, team, opponent, match: context.match })];
  }
  const bets: ParsedBet[] = [];
  if (rest.length === (unit ? 1 : 0) && opponent === context.opponent) {
    bets.push(...totalOf(splitLeg, before, { side, line: value, ...unit }));
  }
  if (rest.length > 0) {
    bets.push(...propWithStat({ line, player: before, rest, around: context, opponent, side, value }));
  } else {
    const stat = statAtEnd(before);
    if (stat)
      bets.push(...propOf({ line, player: stat.rest, around: context, opponent, stats: stat.stats, side, value }));
  }
  return bets;
}

/** `over 47.5 A vs B`, `over 47.5 goals A vs B`, `over 47.5`. */
function totalWithMatchAfter(splitLeg: SplitLeg, side: 'over' | 'under', value: number): readonly ParsedBet[] {
  const { after, around: context } = splitLeg;
  const unit = LINE_UNITS.get(after[0]?.text ?? '');
  const members = { side, line: value, ...unit };
  const sides = unit ? after.slice(1) : after;
  if (findVersus(sides) === 0) return [createBet('total', { ...members, unsettleableReason: ONE_TEAM })];
  if (sides.length > 0) return totalOf(splitLeg, sides, members);
  if (context.team !== null || context.opponent !== null)
    return [createBet('total', { ...members, unsettleableReason: ONE_TEAM })];
  return [createBet('total', { ...members, match: context.match })];
}

function totalOf(
  { line, around: context }: SplitLeg,
  sides: Tokens,
  members: Partial<ParsedBet>,
): readonly ParsedBet[] {
  const match = readMatch(line, sides);
  if (match) return context.team === null && context.match === null ? [createBet('total', { ...members, match })] : [];
  const team = readName(line, sides);
  return team === null ? [] : [createBet('total', { ...members, team, unsettleableReason: ONE_TEAM })];
}

interface PropParts {
  readonly line: string;
  readonly player: Tokens;
  readonly around: BetContext;
  readonly opponent: string | null;
  readonly side: 'over' | 'under';
  readonly value: number;
}

/** The whole rest is the statistic: `PLAYER over 25.5 STAT`. */
function propWithStat({ rest, ...parts }: PropParts & { readonly rest: Tokens }): readonly ParsedBet[] {
  const phrase = textOf(rest);
  const stats = findStat(phrase);
  if (stats) return propOf({ ...parts, stats });
  if (phrase !== 'yards' && phrase !== 'yds') return [];
  const unsettleableReason = 'Yards alone may be passing, rushing or receiving yards.';
  return propOf({ ...parts, stats: new Map() }).map((prop) => ({ ...prop, unsettleableReason }));
}

/** The rest is the statistic, then the player: `over 25.5 STAT PLAYER`. */
function propWithStatFirst({
  rest,
  ...parts
}: Omit<PropParts, 'player'> & { readonly rest: Tokens }): readonly ParsedBet[] {
  for (let length = Math.min(MAX_STAT_TOKENS, rest.length - 1); length > 0; length--) {
    const stats = findStat(textOf(rest.slice(0, length)));
    if (stats) return propOf({ ...parts, player: rest.slice(length), stats });
  }
  return [];
}

function propOf(parts: PropParts & { readonly stats: StatBySport }): readonly ParsedBet[] {
  const { line, around: context, stats, side, value } = parts;
  const contextOfPlayer: BetContext = { ...context, match: null, opponent: null };
  const bracketed = readBrackets(line, parts.player, parts.player.length, contextOfPlayer);
  if (contextOfPlayer.match !== null || contextOfPlayer.opponent !== null) return [];
  const named = parts.player.slice(0, parts.player.length - bracketed);
  const versus = parts.opponent === null ? findVersus(named) : -1;
  const player = readPlayerName(line, versus > 0 ? named.slice(0, versus) : named);
  const opponent = versus > 0 ? readName(line, named.slice(versus + 1)) : parts.opponent;
  if (player === null || (versus > 0 && opponent === null)) return [];
  const sports = stats.size === 0 ? null : [...stats.keys()];
  const { match } = context;
  return [createBet('prop', { sports, side, line: value, team: contextOfPlayer.team, player, stats, match, opponent })];
}

/** The longest statistic at the end of the tokens. */
function statAtEnd(tokens: Tokens): { readonly rest: Tokens; readonly stats: StatBySport } | undefined {
  for (let length = Math.min(MAX_STAT_TOKENS, tokens.length - 1); length > 0; length--) {
    const stats = findStat(textOf(tokens.slice(tokens.length - length)));
    if (stats) return { rest: tokens.slice(0, tokens.length - length), stats };
  }
  return undefined;
}

/** Reads what follows a bet: `vs TEAM`, perhaps after a price or a date. */
export function readOpponent({ line, after, around: context }: Omit<SplitLeg, 'before'>): {
  readonly rest: Tokens;
  readonly opponent: string | null;
} {
  const versus = findVersus(after);
  if (versus < 0) return { rest: after, opponent: context.opponent };
  const opponent = readName(line, after.slice(versus + 1));
  // A second opponent is not accepted: its words stay as left over.
  if (opponent === null || context.opponent !== null) return { rest: after, opponent: context.opponent };
  return { rest: stripTrailingContext(line, after.slice(0, versus), context), opponent };
}

const textOf = (tokens: Tokens): string => tokens.map(({ text }) => text).join(' ');
