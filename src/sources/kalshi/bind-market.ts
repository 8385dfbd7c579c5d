import { DateTime } from 'luxon';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import { asNumber, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import {
  agrees,
  type Condition,
  gameInRules,
  isSame,
  type Payment,
  readFurtherRules,
  readRules,
  yesAndNo,
} from '../provider-base/contract-rules.ts';
import type { UnclearContract } from '../provider-base/unclear-contracts.ts';
import {
  type ContractSide,
  isHalfPoint,
  isNegated,
  type NamedDay,
  roleOf,
  type UnboundMarket,
  type VenueGame,
  type VenueMarket,
} from '../provider-base/venue-contract.ts';
import { clubName } from './club-names.ts';
import { type KalshiSeries, seriesOf, stemOf } from './series.ts';

const ZONE = 'America/New_York';
/** `26NOV30LALGSW`, in baseball `26JUL041305CHCCING1`: Eastern day, start, the codes of both sides, game of the day. */
const MIDDLE = /^(\d{2}[A-Z]{3}\d{2})(\d{4})?([A-Z]+?)(?:G([123]))?$/;
/** A game ends about so long after its start; the venue says when it expects to know. */
const EXPECTED_AFTER = 3 * HOUR;

const unbound = (why: string): UnboundMarket => ({ unbound: why });

/** What a market of Kalshi's stands for: by its ticker, its names and its rules, which must agree; else nothing. */
export function bindKalshiMarket(market: JsonObject, event: JsonObject = {}): VenueMarket | UnboundMarket {
  const id = asText(market['ticker']) ?? '';
  const [seriesTicker = '', middle = '', suffix = ''] = id.split('-');
  const series = seriesOf(seriesTicker);
  if (!series || market['market_type'] !== 'binary' || market['mve_collection_ticker']) return unbound('other_market');
  const named = MIDDLE.exec(middle);
  const rules = asText(market['rules_primary']) ?? '';
  if (!named || suffix === '') return unbound('unknown_ticker');
  const game = gameOf(market, series, named, rules);
  const isNamed = !('unbound' in game);
  const payments = isNamed ? paymentsOf(market, series, game) : undefined;
  if (isNegated(asText(market['yes_sub_title']) ?? '') || (!payments && isNegated(rules.replace(/\([^)]*\)/g, ''))))
    return { ...unbound('negated'), game: isNamed ? game.game : undefined };
  if (!isNamed) return game;
  if (!payments) return { ...unbound('unclear_text'), game: game.game };
  const sides = sidesOf(market, series, game, { suffix, letters: named[3]!, payments });
  if ('unbound' in sides) return { ...sides, game: game.game };
  const { result } = market;
  return {
    game: game.game,
    id,
    series: seriesTicker,
    key: series.key,
    ...sides,
    fee: feeOf(event),
    result: market['status'] === 'finalized' && (result === 'yes' || result === 'no') ? result : undefined,
    volume: asNumber(market['volume_fp']),
    last: asNumber(market['last_price_dollars']),
  };
}

/** What the rules pay; undefined where they are not understood. */
function paymentsOf(market: JsonObject, series: KalshiSeries, named: NamedGame): readonly Payment[] | undefined {
  const context = { game: named.game, sideOf: (name: string) => sideOf(series, named, name) };
  const payments = readRules(asText(market['rules_primary']) ?? '', context);
  const further = readFurtherRules(asText(market['rules_secondary']) ?? '', context);
  return payments && further && [...payments, ...further];
}

interface NamedGame {
  readonly game: VenueGame;
  /** As the rules have them, the first one of the ticker first. */
  readonly shortNames: readonly [string, string];
}

function gameOf(
  market: JsonObject,
  series: KalshiSeries,
  [, day = '', clock, letters = '', number]: RegExpExecArray,
  rules: string,
): NamedGame | UnboundMarket {
  const said = gameInRules(rules, series.sport);
  if (!said) return unbound('no_sides');
  const { first, second } = said;
  const eastern = DateTime.fromFormat(day, 'yyLLLdd', { zone: ZONE, locale: 'en' });
  if (!eastern.isValid) return unbound('unknown_ticker');
  if (said.day && !isSameDay(said.day, eastern)) return unbound('other_day');
  const startsAt = startOf(market, eastern, clock);
  if (startsAt === undefined) return unbound('no_start');
  const names = [clubName(series.league, first), clubName(series.league, second)];
  if (names[0] === undefined || names[1] === undefined) return unbound('unknown_club');
  if (normalizeName(names[0]) === normalizeName(names[1])) return unbound('no_sides');
  const sides = series.first === 'home' ? names : [names[1], names[0]];
  const gameNumber = number === undefined ? undefined : Number(number);
  const ref = `${stemOf(series)}-${day}${clock ?? ''}${letters}${number === undefined ? '' : `G${number}`}`;
  return {
    game: {
      ref,
      sport: series.sport,
      league: series.league,
      startsAt,
      gameNumber,
      sides: sides as [string, string],
    },
    shortNames: [first, second],
  };
}

const isSameDay = ({ year, month, day }: NamedDay, eastern: DateTime): boolean =>
  month === eastern.month && day === eastern.day && (year === undefined || year === eastern.year);

/** The venue's start, else the one in the ticker, else the time of the expected end on that day less three hours. */
function startOf(market: JsonObject, day: DateTime, clock: string | undefined): number | undefined {
  const isThatDay = (time: number | undefined): time is number =>
    time !== undefined && DateTime.fromMillis(time, { zone: ZONE }).hasSame(day, 'day');
  const stated = asTime(market['occurrence_datetime']);
  if (stated !== undefined) return isThatDay(stated) ? stated : undefined;
  if (clock !== undefined) {
    const start = day.set({ hour: Number(clock.slice(0, 2)), minute: Number(clock.slice(2)) });
    return start.isValid ? start.toMillis() : undefined;
  }
  const expected = asTime(market['expected_expiration_time']);
  const start = expected === undefined ? undefined : expected - EXPECTED_AFTER;
  return isThatDay(start) ? start : undefined;
}

interface NamedSide {
  readonly suffix: string;
  readonly letters: string;
  readonly payments: readonly Payment[];
}

type Sides = Pick<VenueMarket, 'side' | 'opposite'>;

function sidesOf(market: JsonObject, series: KalshiSeries, named: NamedGame, own: NamedSide): Sides | UnboundMarket {
  const contract = asText(market['ticker'])!;
  const { sport, key } = series;
  const yes = asText(market['yes_sub_title']) ?? '';
  const isPaid = (condition: Condition): boolean =>
    agrees(own.payments, yesAndNo(condition)) &&
    own.payments.some(({ condition: paid }) => paid !== 'otherwise' && isSame(paid, condition));
  if (key === 'totals') {
    const point = strikeOf(market);
    const named = TOTAL_NAME.exec(yes)?.[1];
    if (point === undefined || Number(named) !== point || !isPaid({ kind: 'total', isOver: true, line: point }))
      return unbound('no_line');
    return { side: { outcome: 'over', point, contract }, opposite: { outcome: 'under', point, contract } };
  }
  if (key === 'h2h' && sport === 'soccer' && /^(TIE|DRAW)$/.test(own.suffix)) {
    if (!/^(tie|draw)$/i.test(yes) || !isPaid({ kind: 'draw' })) return unbound('contradicts');
    return { side: { outcome: 'draw', contract }, opposite: undefined };
  }
  const side = sideOfTicker(series, own);
  const [, name = yes, said] = key === 'spreads' ? (SPREAD_NAME.exec(yes) ?? []) : [];
  if (side === undefined || sideOf(series, named, name) !== side) return unbound('contradicts');
  const outcome = roleOf(sport, side);
  if (key === 'h2h') {
    if (!isPaid({ kind: 'win', side, over: undefined })) return unbound('contradicts');
    return { side: { outcome, contract }, opposite: undefined };
  }
  const line = strikeOf(market);
  if (line === undefined || (said !== undefined && Number(said) !== line)) return unbound('no_line');
  if (!isPaid({ kind: 'win', side, over: line })) return unbound('contradicts');
  const opposite: ContractSide = { outcome: roleOf(sport, side === 0 ? 1 : 0), point: line, contract };
  return { side: { outcome, point: -line, contract }, opposite };
}

const TOTAL_NAME = /^over (\d+(?:\.\d+)?)(?: (?:points|runs|goals))?(?: scored)?$/i;
const SPREAD_NAME = /^(.+) wins? by (?:over|more than) (\d+(?:\.\d+)?)(?: (?:points|runs|goals))?$/i;

/** The side, home or player_1 first, whose code ends the ticker. */
function sideOfTicker({ key, first }: KalshiSeries, { suffix, letters }: NamedSide): 0 | 1 | undefined {
  const code = key === 'spreads' ? suffix.replace(/\d+$/, '') : suffix;
  const [isFirst, isSecond] = [letters.startsWith(code), letters.endsWith(code)];
  if (code === '' || isFirst === isSecond) return undefined;
  return isFirst === (first === 'home') ? 0 : 1;
}

/** The side, home or player_1 first, that a name means; undefined where it means none, or both. */
function sideOf(series: KalshiSeries, { shortNames }: NamedGame, name: string): 0 | 1 | undefined {
  const [isFirst, isSecond] = shortNames.map(
    (short) => normalizeName(name) === normalizeName(short) || isFullName(series, name, short),
  );
  if (isFirst === isSecond) return undefined;
  return isFirst === (series.first === 'home') ? 0 : 1;
}

const isFullName = ({ league, sport }: KalshiSeries, name: string, short: string): boolean => {
  // Players go by their surnames in the name of a match.
  if (sport === 'tennis') return normalizeName(name).endsWith(normalizeName(short)) && name.includes(' ');
  const full = clubName(league, short);
  return full !== undefined && clubName(league, name) === full;
};

/** Only half points: on a whole one No is no bet on the other side. */
function strikeOf({ floor_strike, strike_type }: JsonObject): number | undefined {
  const strike = asNumber(floor_strike);
  const isOver = !/^(?:less|between)/.test(asText(strike_type) ?? '');
  return strike !== undefined && isHalfPoint(strike) && isOver ? strike : undefined;
}

/** Kalshi's public fee schedule of takers; the rest of it is not known from a market. */
function feeOf(event: JsonObject): JsonObject | undefined {
  const type = asText(event['fee_type_override']);
  if (type !== undefined && !type.startsWith('quadratic')) return undefined;
  const multiplier = asNumber(event['fee_multiplier_override']) ?? 1;
  const rate = Math.round(0.07 * multiplier * 1e6) / 1e6;
  return rate >= 0 && rate <= 0.5 ? { model: 'p(1-p)', rate, taker_only: true, rounding: 0.0001 } : undefined;
}

/** An open market of a known series that is bound to nothing; undefined where nobody could say more of it. */
export function unclearKalshiMarket(
  market: JsonObject,
  event: JsonObject,
  { unbound: code, game }: UnboundMarket,
): UnclearContract | undefined {
  const id = asText(market['ticker']);
  const series = seriesOf(id?.split('-')[0] ?? '');
  if (id === undefined || !series || code === 'other_market' || market['status'] !== 'active') return undefined;
  // It is clear, and cannot be shown: on a whole line No is no bet on the other side.
  if (code === 'no_line' && Number.isInteger(asNumber(market['floor_strike']))) return undefined;
  const yes = asText(market['yes_sub_title']);
  const title = [asText(event['title']), yes].filter((text) => text !== undefined).join(': ');
  return {
    ...{ id, sport: series.sport, league: series.league, code, game, fee: feeOf(event) },
    title: title || (asText(market['rules_primary']) ?? id),
    sides: game?.sides ?? [yes, asText(market['no_sub_title'])],
  };
}
