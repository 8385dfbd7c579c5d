import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { THREE_WAY } from '../../domain/odds/three-way.ts';
import { MAIN_KEYS, SCOPE_SUFFIXES } from '../../sources/the-odds-api/markets.ts';
import { PROP_STATS, YES_NO_STATS } from '../../sources/the-odds-api/player-props.ts';

/** The one market of a sport that is who wins a season. */
export const OUTRIGHTS = 'outrights';
/** Markets of `/odds`. All others are only in the odds of one event. */
export const FEATURED_MARKETS: ReadonlySet<string> = new Set([
  ...['h2h', 'spreads', 'totals', OUTRIGHTS, 'h2h_lay', 'outrights_lay'],
]);
/** These must be requested alone. */
export const EXCLUSIVE_MARKETS: ReadonlySet<string> = new Set([OUTRIGHTS, 'outrights_lay']);

const OF_PERIODS = [
  ...['h2h', 'h2h_3_way', 'spreads', 'alternate_spreads', 'totals', 'alternate_totals'],
  ...['team_totals', 'alternate_team_totals'],
];
const PERIODS = [
  ...['q1', 'q2', 'q3', 'q4', 'h1', 'h2', 'p1', 'p2', 'p3', 's1', 's2'],
  ...['1st_1_innings', '1st_3_innings', '1st_5_innings', '1st_7_innings'],
];
const KNOWN: ReadonlySet<string> = new Set([
  ...FEATURED_MARKETS,
  ...OF_PERIODS,
  ...OF_PERIODS.flatMap((market) => PERIODS.map((period) => `${market}_${period}`)),
  ...['btts', 'draw_no_bet', 'double_chance'],
  ...['alternate_spreads_corners', 'alternate_totals_corners', 'alternate_spreads_cards', 'alternate_totals_cards'],
]);
const PROP = /^(?:player|batter|pitcher)_[a-z0-9_]+$/;
/** Whether The Odds API could have this market. */
export const isMarketKey = (key: string): boolean => KNOWN.has(key) || PROP.test(key);

const SUFFIXES = new Map<string, string>(Object.entries(SCOPE_SUFFIXES).map(([suffix, scope]) => [scope!, suffix]));
const MAIN: ReadonlySet<string> = new Set(MAIN_KEYS);
const inverse = (table: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(table)
      .reverse()
      .map(([key, stat]) => [stat, key] as const),
  );
const PROP_KEYS = new Map(Object.entries(PROP_STATS).map(([sport, table]) => [sport as SportSlug, inverse(table)]));
const YES_NO_KEYS = inverse(YES_NO_STATS);

/** The line of a yes/no market: at least one. */
const ANY = 0.5;

/** A market of The Odds API, with those of our outcomes that belong to it. */
export interface OddsApiMarket {
  readonly key: string;
  /** `Yes` and `No`, without a line. */
  readonly isYesNo: boolean;
  /** Whether each outcome has a line. */
  readonly hasPoints: boolean;
  /** What the description of each outcome names, if the market covers several. */
  readonly describes: 'team' | 'player' | undefined;
  readonly outcomes: readonly PricedOutcome[];
}

/**
 * Our market as one or two markets of The Odds API; none if that has no key for it.
 * @param name as in `BookPrices`: `h2h`, `spreads/1H`, `totals+`
 */
export function toOddsApiMarkets(
  name: string,
  outcomes: readonly PricedOutcome[],
  sport: string,
): readonly OddsApiMarket[] {
  const isAlternate = name.endsWith('+');
  const [key = '', scope] = (isAlternate ? name.slice(0, -1) : name).split('/');
  if (MAIN.has(key)) {
    const suffix = scope === undefined ? '' : SUFFIXES.get(scope);
    // A moneyline has no alternate lines.
    if (suffix === undefined || (isAlternate && key === 'h2h')) return [];
    const describes = key === 'team_totals' ? 'team' : undefined;
    const named = `${isAlternate ? 'alternate_' : ''}${key}${suffix}`;
    return [{ key: named, isYesNo: false, hasPoints: key !== 'h2h', describes, outcomes }];
  }
  if (key === THREE_WAY) {
    const isWhole = scope === undefined && !isAlternate;
    return isWhole ? [{ key, isYesNo: false, hasPoints: false, describes: undefined, outcomes }] : [];
  }
  if (scope !== undefined) return [];
  const alternateSuffix = isAlternate ? '_alternate' : '';
  const yesNoKey = YES_NO_KEYS.get(key);
  const isYesNoOutcome = ({ point }: PricedOutcome): boolean => yesNoKey !== undefined && point === ANY;
  const counted = PROP_KEYS.get(sport as SportSlug)?.get(key) ?? `player_${key}`;
  const lines = { isYesNo: false, hasPoints: true, describes: 'player' } as const;
  const yesNo = { isYesNo: true, hasPoints: false, describes: 'player' } as const;
  return [
    { key: `${counted}${alternateSuffix}`, ...lines, outcomes: outcomes.filter((one) => !isYesNoOutcome(one)) },
    { key: `${yesNoKey}${alternateSuffix}`, ...yesNo, outcomes: outcomes.filter(isYesNoOutcome) },
  ].filter(({ outcomes: some }) => some.length > 0);
}

const FIRST = ['h2h', 'spreads', 'totals'];
/** The order of markets in an answer. */
export function compareMarkets(a: string, b: string): number {
  const [one, other] = [FIRST.indexOf(a), FIRST.indexOf(b)];
  if (one >= 0 || other >= 0) return (one < 0 ? FIRST.length : one) - (other < 0 ? FIRST.length : other);
  return a < b ? -1 : a > b ? 1 : 0;
}
