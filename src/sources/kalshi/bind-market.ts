import { DateTime } from 'luxon';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import { asNumber, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { UnclearContract } from '../provider-base/unclear-contracts.ts';
import {
  type ContractSide,
  isNegated,
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
const GAME_TEXT =
  /\bthe ((?:(?!the\b).)+?) (?:at|vs\.?|v\.?|versus) (.+?)(?: (?:professional|college|men's|women's)\b[^.,]*?)? (?:game|match)\b/;
const DAY_TEXT = /\bscheduled for ([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})/;
const WINNER_TEXT = /^If (?:the )?(.+?) wins?\b/;
const TIE_TEXT = /\b(?:ends? in|is|results? in) a (?:tie|draw)\b|^If (?:the )?(?:Tie|Draw) wins?\b/i;
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
  // What is said in brackets is about time that does not count.
  const condition = rules.split(/,? then\b/)[0]!.replace(/\([^)]*\)/g, '');
  const game = gameOf(market, series, named, rules);
  if (isNegated(condition) || isNegated(asText(market['yes_sub_title']) ?? ''))
    return { ...unbound('negated'), game: 'unbound' in game ? undefined : game.game };
  if ('unbound' in game) return game;
  const sides = sidesOf(market, series, game, { suffix, letters: named[3]!, condition });
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
  const [, first, second] = GAME_TEXT.exec(rules) ?? [];
  if (first === undefined || second === undefined) return unbound('no_sides');
  const eastern = DateTime.fromFormat(day, 'yyLLLdd', { zone: ZONE, locale: 'en' });
  if (!eastern.isValid) return unbound('unknown_ticker');
  const [, month, dayOfMonth, year] = DAY_TEXT.exec(rules) ?? [];
  const said = DateTime.fromFormat(`${year} ${month} ${dayOfMonth}`, 'yyyy LLL d', { zone: ZONE, locale: 'en' });
  if (month !== undefined && !said.hasSame(eastern, 'day')) return unbound('other_day');
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
  readonly condition: string;
}

type Sides = Pick<VenueMarket, 'side' | 'opposite'>;

function sidesOf(market: JsonObject, series: KalshiSeries, named: NamedGame, own: NamedSide): Sides | UnboundMarket {
  const contract = asText(market['ticker'])!;
  const { sport } = series;
  if (series.key === 'totals') {
    const point = lineOf(market, own.condition, /\b(?:more than|over|at least) (\d+(?:\.\d+)?)/);
    if (point === undefined || !/\b(?:teams|collectively|total|combined)\b/i.test(own.condition))
      return unbound('no_line');
    return { side: { outcome: 'over', point, contract }, opposite: { outcome: 'under', point, contract } };
  }
  if (series.key === 'h2h' && sport === 'soccer' && /^(TIE|DRAW)$/.test(own.suffix)) {
    if (!TIE_TEXT.test(own.condition) || !/^(tie|draw)$/i.test(asText(market['yes_sub_title']) ?? ''))
      return unbound('contradicts');
    return { side: { outcome: 'draw', contract }, opposite: undefined };
  }
  const position = positionOf(market, series, named, own);
  if (position === undefined) return unbound('contradicts');
  // The ticker has the side that the series has first; roles count home as first.
  const index = (series.first === 'home' ? position : 1 - position) as 0 | 1;
  const outcome = roleOf(sport, index);
  if (series.key === 'h2h') return { side: { outcome, contract }, opposite: undefined };
  const line = lineOf(market, own.condition, /\bby (?:more than|over) (\d+(?:\.\d+)?)/);
  if (line === undefined) return unbound('no_line');
  const side: ContractSide = { outcome, point: -line, contract };
  return { side, opposite: { outcome: roleOf(sport, (1 - index) as 0 | 1), point: line, contract } };
}

/** Which of the sides of the ticker a market is on: its ticker, its rules and its name for Yes must all say the same. */
function positionOf(
  market: JsonObject,
  series: KalshiSeries,
  { shortNames }: NamedGame,
  { suffix, letters, condition }: NamedSide,
): 0 | 1 | undefined {
  const code = series.key === 'spreads' ? suffix.replace(/\d+$/, '') : suffix;
  const [isFirst, isSecond] = [letters.startsWith(code), letters.endsWith(code)];
  if (code === '' || isFirst === isSecond) return undefined;
  const position = isFirst ? 0 : 1;
  const winner = WINNER_TEXT.exec(condition)?.[1];
  const yes = asText(market['yes_sub_title'])?.replace(/ wins? by .*$/, '');
  const expected = normalizeName(shortNames[position]);
  if (expected === normalizeName(shortNames[1 - position]!)) return undefined;
  const agrees = (name: string | undefined): boolean =>
    name !== undefined && (normalizeName(name) === expected || isFullName(series, name, shortNames[position]));
  return agrees(winner) && agrees(yes) ? position : undefined;
}

const isFullName = ({ league, sport }: KalshiSeries, name: string, short: string): boolean => {
  // Players go by their surnames in the name of a match.
  if (sport === 'tennis') return normalizeName(name).endsWith(normalizeName(short)) && name.includes(' ');
  const full = clubName(league, short);
  return full !== undefined && clubName(league, name) === full;
};

/** The line that number and text agree on. Only half points: on a whole one No is no bet on the other side. */
function lineOf(market: JsonObject, condition: string, pattern: RegExp): number | undefined {
  const strike = asNumber(market['floor_strike']);
  const said = asNumber(pattern.exec(condition)?.[1]);
  if (strike === undefined || said !== strike || !Number.isInteger(strike + 0.5)) return undefined;
  return strike;
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
