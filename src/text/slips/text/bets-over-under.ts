import { type Around, takeBrackets, withoutEnd } from './around-bet.ts';
import { type Bet, bet } from './bet.ts';
import { OVER_WORDS, TEAM_TOTAL, UNITS } from './market-words.ts';
import { matchIn, nameIn, playerIn, versusIn } from './name-texts.ts';
import { ANYTIME, LONGEST_STAT, OVER_A, type Stats, statsOf } from './stat-words.ts';
import { standsAt, type Token } from './tokens.ts';

type Tokens = readonly Token[];

/** Where a leg says over or under what: the tokens before it, and those behind. */
interface Parted {
  readonly line: string;
  readonly before: Tokens;
  readonly after: Tokens;
  readonly around: Around;
}

const ONE_TEAM = 'A total needs both sides of its match: one team alone may mean its own total.';

/** All ways to read a leg that says over or under; undefined for one that does not. */
export function readOverUnder(line: string, tokens: Tokens, around: Around): readonly Bet[] | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const found = readAt(line, tokens, at, around);
    if (found) return found;
  }
  return undefined;
}

function readAt(line: string, tokens: Tokens, at: number, around: Around): readonly Bet[] | undefined {
  const { kind, text, value } = tokens[at]!;
  const parted = (length: number): Parted => ({
    ...{ line, around },
    before: tokens.slice(0, at),
    after: tokens.slice(at + length),
  });
  if (kind === 'at least') return readAtLeast(parted(1), value - 0.5);
  if (text === 'anytime') return readSet(parted(1), ANYTIME, 0.5);
  if (text === 'over' && tokens[at + 1]?.text === 'a') return readSet(parted(2), OVER_A, 1);
  const side = OVER_WORDS.get(text);
  const number = tokens[at + 1];
  if (side === undefined || number?.kind !== 'number' || number.signed) return undefined;
  return number.value < 1000 ? readLine(parted(2), side, number.value) : [];
}

/** `PLAYER anytime goal`, `PLAYER over a hit`. */
function readSet({ line, before, after, around }: Parted, words: typeof ANYTIME, value: number): readonly Bet[] {
  const named = words.find(([phrase]) => standsAt(after, 0, phrase));
  if (!named) return [];
  const [phrase, stats] = named;
  const { rest, opponent } = againstIn({ line, after: after.slice(phrase.length), around });
  if (rest.length > 0) return [];
  return propOf({ line, player: before, around, opponent, stats, side: 'over', value });
}

/** `PLAYER 25+ STAT`. */
function readAtLeast({ line, before, after, around }: Parted, value: number): readonly Bet[] {
  const { rest, opponent } = againstIn({ line, after, around });
  return propBehind({ line, player: before, rest, around, opponent, side: 'over', value });
}

function readLine(parted: Parted, side: 'over' | 'under', value: number): readonly Bet[] {
  const { line, before, around } = parted;
  const { rest, opponent } = againstIn(parted);
  if (before.length === 0) {
    return [...totalBehind(parted, side, value), ...propFrom({ line, rest, around, opponent, side, value })];
  }
  for (const words of TEAM_TOTAL) {
    const place = before.length - words.length;
    if (!standsAt(before, place, words)) continue;
    const team = nameIn(line, before.slice(0, place));
    if (team === null || rest.length > 0) return [];
    return [bet('team_total', { side, line: value, team, opponent, match: around.match })];
  }
  const bets: Bet[] = [];
  const isUnit = rest.length === 1 && UNITS.has(rest[0]!.text);
  if ((rest.length === 0 || isUnit) && opponent === around.opponent) {
    bets.push(...totalOf(parted, before, { side, line: value, sports: UNITS.get(rest[0]?.text ?? '') ?? null }));
  }
  if (rest.length > 0) {
    bets.push(...propBehind({ line, player: before, rest, around, opponent, side, value }));
  } else {
    const stat = statAtEnd(before);
    if (stat) bets.push(...propOf({ line, player: stat.rest, around, opponent, stats: stat.stats, side, value }));
  }
  return bets;
}

/** `over 47.5 A vs B`, `over 47.5 goals A vs B`, `over 47.5`. */
function totalBehind(parted: Parted, side: 'over' | 'under', value: number): readonly Bet[] {
  const { after, around } = parted;
  const unit = UNITS.get(after[0]?.text ?? '');
  const said = { side, line: value, sports: unit ?? null };
  const sides = unit ? after.slice(1) : after;
  if (versusIn(sides) === 0) return [bet('total', { ...said, lacks: ONE_TEAM })];
  if (sides.length > 0) return totalOf(parted, sides, said);
  if (around.team !== null || around.opponent !== null) return [bet('total', { ...said, lacks: ONE_TEAM })];
  return [bet('total', { ...said, match: around.match })];
}

function totalOf({ line, around }: Parted, sides: Tokens, said: Partial<Bet>): readonly Bet[] {
  const match = matchIn(line, sides);
  if (match) return around.team === null && around.match === null ? [bet('total', { ...said, match })] : [];
  const team = nameIn(line, sides);
  return team === null ? [] : [bet('total', { ...said, team, lacks: ONE_TEAM })];
}

interface PropParts {
  readonly line: string;
  readonly player: Tokens;
  readonly around: Around;
  readonly opponent: string | null;
  readonly side: 'over' | 'under';
  readonly value: number;
}

/** The statistic is all of the rest: `PLAYER over 25.5 STAT`. */
function propBehind({ rest, ...parts }: PropParts & { readonly rest: Tokens }): readonly Bet[] {
  const phrase = textOf(rest);
  const stats = statsOf(phrase);
  if (stats) return propOf({ ...parts, stats });
  if (phrase !== 'yards' && phrase !== 'yds') return [];
  const lacks = 'Yards alone may be passing, rushing or receiving yards.';
  return propOf({ ...parts, stats: new Map() }).map((prop) => ({ ...prop, lacks }));
}

/** The rest is the statistic, then the player: `over 25.5 STAT PLAYER`. */
function propFrom({ rest, ...parts }: Omit<PropParts, 'player'> & { readonly rest: Tokens }): readonly Bet[] {
  for (let length = Math.min(LONGEST_STAT, rest.length - 1); length > 0; length--) {
    const stats = statsOf(textOf(rest.slice(0, length)));
    if (stats) return propOf({ ...parts, player: rest.slice(length), stats });
  }
  return [];
}

function propOf(parts: PropParts & { readonly stats: Stats }): readonly Bet[] {
  const { line, around, stats, side, value } = parts;
  const own: Around = { ...around, match: null, opponent: null };
  const bracketed = takeBrackets(line, parts.player, parts.player.length, own);
  if (own.match !== null || own.opponent !== null) return [];
  const named = parts.player.slice(0, parts.player.length - bracketed);
  const versus = parts.opponent === null ? versusIn(named) : -1;
  const player = playerIn(line, versus > 0 ? named.slice(0, versus) : named);
  const opponent = versus > 0 ? nameIn(line, named.slice(versus + 1)) : parts.opponent;
  if (player === null || (versus > 0 && opponent === null)) return [];
  const sports = stats.size === 0 ? null : [...stats.keys()];
  const { match } = around;
  return [bet('prop', { sports, side, line: value, team: own.team, player, stats, match, opponent })];
}

/** The longest statistic with which the tokens end. */
function statAtEnd(tokens: Tokens): { readonly rest: Tokens; readonly stats: Stats } | undefined {
  for (let length = Math.min(LONGEST_STAT, tokens.length - 1); length > 0; length--) {
    const stats = statsOf(textOf(tokens.slice(tokens.length - length)));
    if (stats) return { rest: tokens.slice(0, tokens.length - length), stats };
  }
  return undefined;
}

/** What follows a bet: `vs TEAM`, perhaps with a price or a date before it. */
export function againstIn({ line, after, around }: Omit<Parted, 'before'>): {
  readonly rest: Tokens;
  readonly opponent: string | null;
} {
  const versus = versusIn(after);
  if (versus < 0) return { rest: after, opponent: around.opponent };
  const opponent = nameIn(line, after.slice(versus + 1));
  // Two opponents are one too many: then the words stay, and are left over.
  if (opponent === null || around.opponent !== null) return { rest: after, opponent: around.opponent };
  return { rest: withoutEnd(line, after.slice(0, versus), around), opponent };
}

const textOf = (tokens: Tokens): string => tokens.map(({ text }) => text).join(' ');
