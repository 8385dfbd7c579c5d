import type { FeedOutcome, Known } from '../feed/feed-messages.ts';
import { type Observation, timeOf } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';

/** An outcome as stored in the log, with the sides in the order of the event. */
type ReportedOutcome = Known<FeedOutcome>;
/** An outcome as stored in documents. */
export interface PricedOutcome extends ReportedOutcome {
  /** The source of the id in `player_ref`: prices of one bookmaker may come from several sources. */
  readonly player_source?: string;
}

export interface PricedMarket {
  readonly key: string;
  readonly scope: 'match' | '1H' | 'F5' | 'S1';
  readonly alternate: boolean;
  readonly complete: boolean;
  readonly outcomes: readonly ReportedOutcome[];
}

/** The prices of one bookmaker on one event at one moment. */
export interface PricesContent {
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

/** The current prices of a bookmaker, by market: `h2h`, `spreads/1H`, `totals+` (alternate lines), ... */
export interface BookPrices {
  capturedAt: string;
  markets: Record<string, readonly PricedOutcome[]>;
  /** The main markets whose newest message, at a later time than the one before, repeated every price. */
  repeated?: Record<string, true>;
}

export const marketName = (market: Pick<PricedMarket, 'key' | 'scope' | 'alternate'>): string =>
  market.key + (market.scope === 'match' ? '' : `/${market.scope}`) + (market.alternate ? '+' : '');

/** The markets that every bookmaker has. */
export const MAIN_MARKETS = ['h2h', 'spreads', 'totals'] as const;
const mainMarkets: ReadonlySet<string> = new Set(MAIN_MARKETS);
export const isMainMarketName = (name: string): boolean => mainMarkets.has(name);

/** Whether the market is a main line of the whole match, which every bookmaker has in the same form. */
export const isMainMarket = ({ key, scope, alternate }: PricedMarket): boolean =>
  scope === 'match' && !alternate && mainMarkets.has(key);

/** The main lines of a scope, converted to markets of a match. */
export const mainMarketsOf = (markets: readonly PricedMarket[], scope: PricedMarket['scope']): PricedMarket[] =>
  markets
    .filter((market) => market.scope === scope && isMainMarket({ ...market, scope: 'match' }))
    .map((market) => (scope === 'match' ? market : { ...market, scope: 'match' }));

/**
 * Whether the name is a player prop: no scope (`/`), no alternate lines (`+`), and not a line of the game or a side.
 */
export const isPropName = (name: string): boolean => !/[/+]/.test(name) && !GAME_LINES.has(name);

/** The key of the bet of an outcome. On a main line the point is an attribute of the price, not part of the key. */
function outcomeKey(outcome: PricedOutcome, byPoint: boolean): string {
  const { player_ref, player_source = '', player = '' } = outcome;
  const named = player_ref === undefined ? player : `${player_source}:${player_ref}`;
  const bet = `${outcome.outcome}|${outcome.team ?? ''}|${named}`;
  return byPoint ? `${bet}|${outcome.point ?? ''}` : bet;
}

/** Whether the market offers several lines at once, which differ by point. */
const isLadder = (market: PricedMarket): boolean => market.alternate || !GAME_LINES.has(market.key);
const GAME_LINES: ReadonlySet<string> = new Set([...MAIN_MARKETS, 'team_totals']);

/**
 * Applies a bookmaker's report to its prices; changes and returns them. Markets not named stay; with `complete: false`,
 * outcomes not named stay too. Lists of outcomes are stored without a copy and never changed.
 * @param isLater whether the report is of a later time than the newest before it; absent: by `capturedAt`
 */
export function applyPrices(
  prices: BookPrices | undefined,
  report: Observation<PricesContent>,
  isLater?: boolean,
): BookPrices {
  const next: BookPrices = prices ?? { capturedAt: report.at, markets: {} };
  const { capturedAt } = next;
  next.capturedAt = report.at;
  for (const market of report.content.markets) {
    const name = marketName(market);
    const reported = market.outcomes.some(hasRef)
      ? market.outcomes.map((one) => withPlayerSource(one, report.source))
      : market.outcomes;
    const outcomes = market.complete
      ? reported
      : mergeOutcomes(ownValue(next.markets, name) ?? [], reported, isLadder(market));
    const before = ownValue(next.markets, name);
    if (outcomes.length > 0) setOwn(next.markets, name, outcomes);
    else delete next.markets[name];
    if (!mainMarkets.has(name)) continue;
    if (!before || !areSamePrices(before, outcomes)) withdrawRepetition(next, name);
    else if (isLater ?? timeOf(report.at) > timeOf(capturedAt)) noteRepetition(next, name);
  }
  return next;
}

/** A main market has been named again at a later time, with the same prices. */
export function noteRepetition(prices: BookPrices, market: string): void {
  if (!mainMarkets.has(market) || !Object.hasOwn(prices.markets, market)) return;
  prices.repeated ??= {};
  prices.repeated[market] = true;
}

function withdrawRepetition(prices: BookPrices, market: string): void {
  if (prices.repeated?.[market] === undefined) return;
  const { [market]: _, ...others } = prices.repeated;
  if (Object.keys(others).length > 0) prices.repeated = others;
  else delete prices.repeated;
}

/** Whether the book has repeated all prices of a main market since it last changed one. */
export const isRepeated = ({ repeated }: Pick<BookPrices, 'repeated'>, market: string): boolean =>
  repeated !== undefined && Object.hasOwn(repeated, market);

const areSamePrices = (before: readonly PricedOutcome[], now: readonly PricedOutcome[]): boolean =>
  before.length === now.length &&
  before.every((one) =>
    now.some(({ outcome, price, point }) => outcome === one.outcome && price === one.price && point === one.point),
  );

const hasRef = ({ player_ref }: ReportedOutcome): boolean => player_ref !== undefined;

const withPlayerSource = (outcome: ReportedOutcome, source: string): PricedOutcome =>
  hasRef(outcome) ? { ...outcome, player_source: source } : outcome;

function mergeOutcomes(
  current: readonly PricedOutcome[],
  reported: readonly PricedOutcome[],
  byPoint: boolean,
): PricedOutcome[] {
  const byKey = new Map(current.map((outcome) => [outcomeKey(outcome, byPoint), outcome]));
  for (const outcome of reported) {
    const key = outcomeKey(outcome, byPoint);
    // Two sources may use different names for a player: the latest report goes last.
    if (hasRef(outcome)) byKey.delete(key);
    byKey.set(key, outcome);
  }
  return [...byKey.values()];
}
