import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import {
  agrees,
  type Condition,
  isSame,
  type PaidOutcome,
  readRules,
  yesAndNo,
} from '../provider-base/contract-rules.ts';
import type { UnclearContract } from '../provider-base/unclear-contracts.ts';
import {
  isHalfPoint,
  isNegated,
  roleOf,
  type UnboundMarket,
  type VenueGame,
  type VenueMarket,
} from '../provider-base/venue-contract.ts';
import { leagueOfSlug } from './leagues.ts';
import {
  isOnGame,
  isOnWinner,
  isTitleOfResult,
  type NamedGame,
  type NamedSpread,
  plainName,
  resultAsked,
  sideOfName,
  spreadIn,
  totalIn,
} from './market-texts.ts';

const unbound = (why: string): UnboundMarket => ({ unbound: why });

interface EventGame extends NamedGame {
  /** Whether the title of the event, if it has one, is on its game and nothing else: not on a half of it. */
  readonly isOnGame: boolean;
}

/** The game of an event, by its teams; undefined where they, their order or the start are not told. */
export function gameOfEvent(event: JsonObject): EventGame | undefined {
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
  const named = { game, names: [namesOf(first), namesOf(second)] as const };
  const title = asText(event['title'])?.replace(/ - More Markets$/, '');
  return { ...named, isOnGame: title === undefined || isOnGame(title, named) };
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
export function bindPolymarketMarket(market: JsonObject, event: EventGame): VenueMarket | UnboundMarket {
  const type = asText(market['sportsMarketType']);
  const outcomes = listIn(market['outcomes'])?.map(asText);
  const tokens = listIn(market['clobTokenIds'])?.map(asText);
  const [one, two] = outcomes ?? [];
  if (type !== 'moneyline' && type !== 'spreads' && type !== 'totals') return unbound('other_market');
  if (outcomes?.length !== 2 || tokens?.length !== 2 || one === undefined || two === undefined)
    return unbound('no_outcomes');
  if (tokens.includes(undefined) || tokens[0] === tokens[1]) return unbound('no_outcomes');
  const { game } = event;
  const starts = asText(market['gameStartTime']);
  if (starts !== undefined && timeOf(starts) !== game.startsAt) return unbound('other_start');
  const question = asText(market['question']) ?? '';
  if (isNegated(question) || isNegated(one) || isNegated(two)) {
    if (!(normalizeName(one) === 'yes' && normalizeName(two) === 'no' && !isNegated(question)))
      return unbound('negated');
  }
  if (!event.isOnGame) return unbound('unclear_text');
  const sides = sidesOf({ market, event, names: [one, two], contract: tokens[0]!, question });
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

/** A market whose kind and outcomes are known, before its texts are read. */
interface GivenMarket {
  readonly market: JsonObject;
  readonly event: NamedGame;
  readonly names: readonly [string, string];
  /** The first one: the other mirrors it, so the proof of one is that of both. */
  readonly contract: string;
  readonly question: string;
}

function sidesOf(given: GivenMarket): Sides | UnboundMarket {
  const { market, event, names, contract, question } = given;
  const { sport } = event.game;
  const type = asText(market['sportsMarketType']);
  if (type === 'totals') return totalOf(given);
  if (normalizeName(names[0]) === 'yes') return resultOfMatch(given);
  const [first, second] = names.map((name) => sideOfName(event, plainName(name)));
  if (first === undefined || second === undefined || first === second) return unbound('unknown_sides');
  if (type === 'spreads') return spreadOf(given, first);
  // A draw would be a third outcome.
  if (sport === 'soccer') return unbound('other_market');
  if (names.some((name) => plainName(name) !== name) || !isOnGame(question, event)) return unbound('unclear_text');
  if (!isTitle(market, (title) => isOnWinner(title, event))) return unbound('unclear_text');
  const fault = faultOfRules(given, namedOutcomes(given, [winOf(first), winOf(second)]));
  if (fault) return fault;
  return {
    key: 'h2h',
    side: { outcome: roleOf(sport, first), contract },
    opposite: { outcome: roleOf(sport, second), contract },
  };
}

const winOf = (side: 0 | 1, over?: number): Condition => ({ kind: 'win', side, over });

/** Whether the short title of a market, if it has one, has a form that fits. */
function isTitle({ groupItemTitle }: JsonObject, fits: (title: string) => boolean): boolean {
  const title = asText(groupItemTitle);
  return title === undefined || title === '' || fits(title);
}

function totalOf(given: GivenMarket): Sides | UnboundMarket {
  const { market, event, names, contract, question } = given;
  const [one, two] = names.map(normalizeName);
  const isOver = one === 'over' && two === 'under';
  const line = asNumber(market['line']);
  if (line === undefined || !isHalfPoint(line) || !(isOver || (one === 'under' && two === 'over')))
    return unbound('no_line');
  // A line of tennis may be one of games or of sets.
  const said = event.game.sport === 'tennis' ? undefined : totalIn(question, event);
  if (said === undefined) return unbound('unclear_text');
  if (said !== line) return unbound('no_line');
  if (!isTitle(market, (title) => totalIn(title, event) === line)) return unbound('unclear_text');
  const total = (isItsOver: boolean): Condition => ({ kind: 'total', isOver: isItsOver, line });
  const fault = faultOfRules(given, namedOutcomes(given, [total(isOver), total(!isOver)]));
  if (fault) return fault;
  const [outcome, opposite] = isOver ? (['over', 'under'] as const) : (['under', 'over'] as const);
  return {
    key: 'totals',
    side: { outcome, point: line, contract },
    opposite: { outcome: opposite, point: line, contract },
  };
}

/** @param first the side of the first outcome, to which the line of the market belongs */
function spreadOf(given: GivenMarket, first: 0 | 1): Sides | UnboundMarket {
  const { market, event, names, contract, question } = given;
  const { sport } = event.game;
  const line = asNumber(market['line']);
  if (line === undefined || !isHalfPoint(line)) return unbound('no_line');
  const said = sport === 'tennis' ? undefined : spreadIn(question, event);
  if (said === undefined) return unbound('unclear_text');
  const fits = ({ side, point }: NamedSpread): boolean => point === (side === first ? line : -line);
  if (!fits(said) || !names.every((name) => plainName(name) === name || isFitting(name))) return unbound('no_line');
  if (!isTitle(market, (title) => isFitting(title) || isItsNumber(title))) return unbound('unclear_text');
  const second = first === 0 ? 1 : 0;
  const fault = faultOfRules(given, namedOutcomes(given, [winOf(first, -line), winOf(second, line)]));
  if (fault) return fault;
  return {
    key: 'spreads',
    side: { outcome: roleOf(sport, first), point: line, contract },
    opposite: { outcome: roleOf(sport, second), point: -line, contract },
  };

  function isFitting(text: string): boolean {
    const spread = spreadIn(text, event);
    return spread !== undefined && fits(spread);
  }
  /** `Spread -4.5` names no side. */
  function isItsNumber(title: string): boolean {
    const [, number] = /^Spread:? [+-]?(\d+(?:\.\d+)?)$/i.exec(title) ?? [];
    return Number(number) === Math.abs(line!);
  }
}

/** The three markets of a soccer match: each side's, and the draw. */
function resultOfMatch(given: GivenMarket): Sides | UnboundMarket {
  const { market, event, names, contract, question } = given;
  const { sport } = event.game;
  if (asText(market['sportsMarketType']) !== 'moneyline' || sport !== 'soccer') return unbound('other_market');
  if (normalizeName(names[1]) !== 'no') return unbound('unknown_sides');
  const asked = resultAsked(question, event);
  if ('fault' in asked) return unbound(asked.fault);
  const { result } = asked;
  if (!isTitle(market, (title) => isTitleOfResult(title, result, event))) return unbound('unknown_sides');
  const fault = faultOfRules(given, yesAndNo(result === 'draw' ? { kind: 'draw' } : winOf(result)));
  if (fault) return fault;
  const outcome = result === 'draw' ? 'draw' : roleOf(sport, result);
  return { key: 'h2h', side: { outcome, contract }, opposite: undefined };
}

/** The outcomes of a market that go by names: its own, or other names of the same sides. */
function namedOutcomes(
  { event, names }: GivenMarket,
  conditions: readonly [Condition, Condition],
): readonly [PaidOutcome, PaidOutcome] {
  const outcome = (index: 0 | 1): PaidOutcome => {
    const own = plainName(names[index]);
    const side = sideOfName(event, own);
    return {
      isCalled: (name) =>
        side === undefined ? normalizeName(name) === normalizeName(own) : sideOfName(event, plainName(name)) === side,
      pays: (condition) => isSame(conditions[index], condition),
    };
  };
  return [outcome(0), outcome(1)];
}

/** Why the rules of a market, if it has any, are not those of its outcomes. */
function faultOfRules(
  { market, event }: GivenMarket,
  outcomes: readonly [PaidOutcome, PaidOutcome],
): UnboundMarket | undefined {
  const context = { game: event.game, sideOf: (name: string) => sideOfName(event, name) };
  const payments = readRules(asText(market['description']) ?? '', context);
  if (!payments) return unbound('unclear_text');
  return agrees(payments, outcomes) ? undefined : unbound('contradicts');
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
  // It is clear, and cannot be shown: on a whole line the two sides are not all there is.
  if (code === 'no_line' && Number.isInteger(asNumber(market['line']))) return undefined;
  return {
    ...{ id, sport: league.sport, league: league.league, code, game, fee: feeOf(market) },
    title: asText(market['question']) ?? asText(event['title']) ?? id,
    sides: (listIn(market['outcomes']) ?? []).map(asText),
  };
}
