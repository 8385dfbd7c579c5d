import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { UnclearContract } from '../provider-base/unclear-contracts.ts';
import {
  isNegated,
  roleOf,
  type UnboundMarket,
  type VenueGame,
  type VenueMarket,
} from '../provider-base/venue-contract.ts';
import { leagueOfSlug } from './leagues.ts';

const unbound = (why: string): UnboundMarket => ({ unbound: why });

interface NamedGame {
  readonly game: VenueGame;
  /** All names of each side, normalized: home or player_1 first. */
  readonly names: readonly [ReadonlySet<string>, ReadonlySet<string>];
}

/** The game of an event, by its teams; undefined where they, their order or the start are not told. */
export function gameOfEvent(event: JsonObject): NamedGame | undefined {
  const slug = asText(event['slug']) ?? '';
  const league = leagueOfSlug(slug);
  const teams = asRecords(event['teams']);
  const startsAt = timeOf(event['startTime']);
  if (!league || teams.length !== 2 || startsAt === undefined) return undefined;
  const home = teams.find(({ ordering }) => ordering === 'home');
  const away = teams.find(({ ordering }) => ordering === 'away');
  // Which player stands first means nothing.
  const [first, second] = home && away ? [home, away] : league.sport === 'tennis' ? teams : [];
  const sides = [asText(first?.['name']), asText(second?.['name'])];
  if (!first || !second || sides[0] === undefined || sides[1] === undefined) return undefined;
  const { sport, league: leagueSlug } = league;
  const game = { ref: slug, sport, league: leagueSlug, startsAt, sides: sides as [string, string] };
  return { game, names: [namesOf(first), namesOf(second)] };
}

const namesOf = ({ name, alias, abbreviation }: JsonObject): ReadonlySet<string> =>
  new Set(
    [name, alias, abbreviation].flatMap((text) => (asText(text) === undefined ? [] : normalizeName(asText(text)!))),
  );

/** `2026-12-01 03:00:00+00`, or as other times. */
function timeOf(value: unknown): number | undefined {
  const written = asText(value);
  return asTime(written?.replace(/^(\S+) (\S+?)\+00(?::00)?$/, '$1T$2Z'));
}

/** The side that a name means; undefined where it means none, or both. */
function sideOfName({ names }: NamedGame, name: string): 0 | 1 | undefined {
  const key = normalizeName(name.replace(/ \([+-]?\d+(?:\.\d+)?\)$/, ''));
  const [isFirst, isSecond] = [names[0].has(key), names[1].has(key)];
  return isFirst === isSecond ? undefined : isFirst ? 0 : 1;
}

/** The values of a list that is written as a text, or undefined. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || value.length > 10_000) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** What a market stands for, by the names of its outcomes and its rules; never by the order of outcomes or by slugs. */
export function bindPolymarketMarket(market: JsonObject, event: NamedGame): VenueMarket | UnboundMarket {
  const type = asText(market['sportsMarketType']);
  const outcomes = listIn(market['outcomes'])?.map(asText);
  const tokens = listIn(market['clobTokenIds'])?.map(asText);
  const [one, two] = outcomes ?? [];
  if (type !== 'moneyline' && type !== 'spreads' && type !== 'totals') return unbound('other_market');
  if (outcomes?.length !== 2 || tokens?.length !== 2 || one === undefined || two === undefined)
    return unbound('no_outcomes');
  if (tokens.includes(undefined) || tokens[0] === tokens[1]) return unbound('no_outcomes');
  const { game } = event;
  const starts = timeOf(market['gameStartTime']);
  if (starts !== undefined && starts !== game.startsAt) return unbound('other_start');
  const question = asText(market['question']) ?? '';
  if (isNegated(question) || isNegated(one) || isNegated(two)) {
    if (!(normalizeName(one) === 'yes' && normalizeName(two) === 'no' && !isNegated(question)))
      return unbound('negated');
  }
  const sides = sidesOf(market, event, [one, two], tokens[0]!, question);
  if ('unbound' in sides) return sides;
  return {
    game,
    // The book of the first token; the other one mirrors it.
    id: tokens[0]!,
    series: `${game.league} ${type}${normalizeName(one) === 'yes' ? ' yes' : ''}`,
    ...sides,
    fee: feeOf(market),
    result: resultOf(market),
    volume: asNumber(market['volume']),
    last: undefined,
  };
}

type Sides = Pick<VenueMarket, 'key' | 'side' | 'opposite'>;

function sidesOf(
  market: JsonObject,
  event: NamedGame,
  [one, two]: readonly [string, string],
  // The other token mirrors it, so the proof of one is that of both.
  token: string,
  question: string,
): Sides | UnboundMarket {
  const { sport } = event.game;
  const type = asText(market['sportsMarketType']);
  const line = asNumber(market['line']);
  if (type === 'totals') {
    const isOver = normalizeName(one) === 'over' && normalizeName(two) === 'under';
    const isUnder = normalizeName(one) === 'under' && normalizeName(two) === 'over';
    if (line === undefined || !(isOver || isUnder) || !hasNumber(question, line)) return unbound('no_line');
    const [outcome, opposite] = isOver ? (['over', 'under'] as const) : (['under', 'over'] as const);
    return {
      key: 'totals',
      side: { outcome, point: line, contract: token },
      opposite: { outcome: opposite, point: line, contract: token },
    };
  }
  if (normalizeName(one) === 'yes') return sideOfQuestion(market, event, token, question);
  const [first, second] = [sideOfName(event, one), sideOfName(event, two)];
  if (first === undefined || second === undefined || first === second) return unbound('unknown_sides');
  if (contradicts(market, event)) return unbound('contradicts');
  const [outcome, opposite] = [roleOf(sport, first), roleOf(sport, second)];
  if (type === 'moneyline') {
    // A draw would be a third outcome.
    if (sport === 'soccer') return unbound('other_market');
    return { key: 'h2h', side: { outcome, contract: token }, opposite: { outcome: opposite, contract: token } };
  }
  if (line === undefined || !hasNumber(question, line)) return unbound('no_line');
  return {
    key: 'spreads',
    side: { outcome, point: line, contract: token },
    opposite: { outcome: opposite, point: -line, contract: token },
  };
}

const hasNumber = (text: string, line: number): boolean =>
  (text.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => Number(number) === Math.abs(line));

const WINS = /^Will (?:the )?(.+?) win\b/;
const DRAWS = /\bend in a draw\b/;

/** The three markets of a soccer match: each side's, and the draw. */
function sideOfQuestion(
  market: JsonObject,
  event: NamedGame,
  contract: string,
  question: string,
): Sides | UnboundMarket {
  const { sport } = event.game;
  if (asText(market['sportsMarketType']) !== 'moneyline' || sport !== 'soccer') return unbound('other_market');
  if (DRAWS.test(question)) return { key: 'h2h', side: { outcome: 'draw', contract }, opposite: undefined };
  const named = WINS.exec(question)?.[1];
  const side = named === undefined ? undefined : sideOfName(event, named);
  const title = asText(market['groupItemTitle']);
  if (side === undefined || (title !== undefined && sideOfName(event, title) !== side)) return unbound('unknown_sides');
  return { key: 'h2h', side: { outcome: roleOf(sport, side), contract }, opposite: undefined };
}

const RULE = /\bIf (?:the )?([^,.]+?) wins?\b[^,.]*, (?:the|this) market will resolve to ["“]([^"”]+)["”]/g;

/** Whether the rules pay another side than the one that they name, or pay for a loss. */
function contradicts({ description }: JsonObject, event: NamedGame): boolean {
  const rules = asText(description) ?? '';
  if (/\bIf [^,.]*\b(?:loses?|does not win|fails? to win)\b[^,.]*, (?:the|this) market will resolve/.test(rules))
    return true;
  for (const [, winner = '', paid = ''] of rules.matchAll(RULE)) {
    if (sideOfName(event, winner) !== sideOfName(event, paid)) return true;
  }
  return false;
}

function feeOf({ feesEnabled, feeSchedule }: JsonObject): JsonObject | undefined {
  const { rate, exponent, takerOnly } = asRecord(feeSchedule);
  const ofTrade = asNumber(rate);
  if (feesEnabled !== true || ofTrade === undefined || ofTrade < 0 || ofTrade > 0.5) return undefined;
  const power = asNumber(exponent) ?? 1;
  if (power < 0 || power > 10) return undefined;
  return { model: 'p(1-p)', rate: ofTrade, exponent: power, ...(takerOnly === true ? { taker_only: true } : {}) };
}

/** How a closed market paid the first outcome; undefined while it is open, and where both were paid half. */
function resultOf({ closed, outcomePrices, umaResolutionStatus }: JsonObject): 'yes' | 'no' | undefined {
  const prices = listIn(outcomePrices)?.map(asNumber);
  if (closed !== true || (umaResolutionStatus !== undefined && umaResolutionStatus !== 'resolved')) return undefined;
  if (prices?.[0] === 1 && prices[1] === 0) return 'yes';
  return prices?.[0] === 0 && prices[1] === 1 ? 'no' : undefined;
}

/**
 * An open market on a game or its lines that is bound to nothing; undefined where nobody could say more of it.
 * @param game undefined where its event does not tell it
 */
export function unclearPolymarketMarket(
  market: JsonObject,
  event: JsonObject,
  { code, game }: { readonly code: string; readonly game: VenueGame | undefined },
): UnclearContract | undefined {
  const league = leagueOfSlug(asText(event['slug']) ?? '');
  const type = asText(market['sportsMarketType']);
  const id = asText(listIn(market['clobTokenIds'])?.[0]);
  if (!league || id === undefined || code === 'other_market') return undefined;
  if (type !== 'moneyline' && type !== 'spreads' && type !== 'totals') return undefined;
  return {
    ...{ id, sport: league.sport, league: league.league, code, game, fee: feeOf(market) },
    title: asText(market['question']) ?? asText(event['title']) ?? id,
    sides: (listIn(market['outcomes']) ?? []).map(asText),
  };
}
