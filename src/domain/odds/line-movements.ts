import type { Observation } from '../observations/observation.ts';
import {
  isWatchedMarket,
  type PricedMarket,
  type PricedOutcome,
  type PricesContent,
  WATCHED_MARKETS,
  type WatchedMarket,
} from './bookmaker-prices.ts';
import { isMoneyline } from './three-way.ts';

/** Movements that are kept of a bookmaker: an answer has 200 at most, of the main markets or of the one beside them. */
export const MAX_MOVEMENTS = 300;

export const MOVED_OUTCOMES = ['home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2'] as const;
/**
 * The series names of each watched market, by outcome. Computed once, because they are needed for every price of the log.
 */
const SERIES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  WATCHED_MARKETS.map((market) => [
    market,
    Object.fromEntries(MOVED_OUTCOMES.map((outcome) => [outcome, `${market}|${outcome}`])),
  ]),
);

/** The name of the price series of an outcome on a watched market. */
export const seriesName = (market: Movement['market'], outcome: Movement['outcome']): string =>
  SERIES.get(market)![outcome]!;

export interface Movement {
  readonly market: WatchedMarket;
  readonly outcome: PricedOutcome['outcome'];
  readonly from: number;
  readonly to: number;
  readonly pointFrom: number | null;
  readonly pointTo: number | null;
  readonly at: string;
}

/** The line movements of one bookmaker on one event, newest last, and the last price of each outcome. */
export interface BookMovements {
  last: Record<string, readonly [price: number, point: number | null]>;
  movements: Movement[];
}

/** The last price of each outcome. */
export type LastPrices = BookMovements['last'];

/**
 * Applies a bookmaker's report to its last prices, which it changes, and reports each movement. Only watched markets count.
 * Each outcome is compared with its last price, even across a withdrawal: a price that returns unchanged is no
 * movement, and neither is an opening price. If a message has an outcome twice, the last one counts: a line does not
 * move within a message.
 */
export function updateLastPrices(
  last: LastPrices,
  content: PricesContent,
  onMovement: (
    market: Movement['market'],
    outcome: Movement['outcome'],
    from: LastPrices[string],
    to: LastPrices[string],
  ) => void,
): void {
  for (const market of content.markets) {
    const names = isWatchedMarket(market) && SERIES.get(market.key);
    if (!names) continue;
    const key = market.key as Movement['market'];
    for (const reported of market.outcomes) {
      const { outcome, price, point: reportedPoint = null } = reported;
      if (lastOutcomeInMessage(content, market, outcome) !== reported) continue;
      // A moneyline has no point. Ignore a source's 0 that comes and goes: it is no movement.
      const point = isMoneyline(key) ? null : reportedPoint;
      const series = names[outcome]!;
      const before = last[series];
      if (before && before[0] === price && before[1] === point) continue;
      const current = [price, point] as const;
      if (before) onMovement(key, outcome, before, current);
      last[series] = current;
    }
  }
}

/** The last occurrence of an outcome in the watched markets of a message. */
function lastOutcomeInMessage(
  { markets }: PricesContent,
  { key }: PricedMarket,
  outcome: string,
): PricedOutcome | undefined {
  for (let index = markets.length - 1; index >= 0; index--) {
    const market = markets[index]!;
    if (market.key !== key || !isWatchedMarket(market)) continue;
    const { outcomes } = market;
    for (let outcomeIndex = outcomes.length - 1; outcomeIndex >= 0; outcomeIndex--) {
      if (outcomes[outcomeIndex]!.outcome === outcome) return outcomes[outcomeIndex];
    }
  }
  return undefined;
}

/** Applies a bookmaker's report to its movements; changes and returns them. */
export function applyMovements(
  state: BookMovements | undefined,
  { at, content }: Observation<PricesContent>,
): BookMovements {
  const next: BookMovements = state ?? { last: {}, movements: [] };
  updateLastPrices(next.last, content, (market, outcome, [from, pointFrom], [to, pointTo]) => {
    next.movements.push({ market, outcome, from, to, pointFrom, pointTo, at });
  });
  if (next.movements.length > MAX_MOVEMENTS) next.movements.splice(0, next.movements.length - MAX_MOVEMENTS);
  return next;
}
