import type { FeedOutcome, Known } from '../feed/feed-messages.ts';
import type { Observation } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';
import { THREE_WAY } from './three-way.ts';

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
  /**
   * Of the watched markets: those whose newest message, at a later time than the one before, repeated every price. Of
   * others: those that were named again at a later time, so that their prices but the new ones are repeated.
   */
  repeated?: Record<string, true>;
  /** The bets of other markets whose prices were not repeated since they changed, by market; none where absent. */
  fresh?: Record<string, readonly string[]>;
  /** The bets that the newest message named, by market, where it is not complete. Not of watched markets. */
  partly?: Record<string, readonly string[]>;
}

export const marketName = (market: Pick<PricedMarket, 'key' | 'scope' | 'alternate'>): string =>
  market.key + (market.scope === 'match' ? '' : `/${market.scope}`) + (market.alternate ? '+' : '');

/** The markets that every bookmaker has. */
export const MAIN_MARKETS = ['h2h', 'spreads', 'totals'] as const;
const mainMarkets: ReadonlySet<string> = new Set(MAIN_MARKETS);
export const isMainMarketName = (name: string): boolean => mainMarkets.has(name);

/**
 * The markets whose moves are kept, and whose prices are judged and compared: the main ones, and the moneyline of regular
 * time. Stored numbers depend on their order: add others at the end.
 */
export const WATCHED_MARKETS = [...MAIN_MARKETS, THREE_WAY] as const;
export type WatchedMarket = (typeof WATCHED_MARKETS)[number];
const watchedMarkets: ReadonlySet<string> = new Set(WATCHED_MARKETS);
export const isWatchedMarketName = (name: string): name is WatchedMarket => watchedMarkets.has(name);

/** Whether it is a watched market, of the whole match. */
export const isWatchedMarket = ({
  key,
  scope,
  alternate,
}: Pick<PricedMarket, 'key' | 'scope' | 'alternate'>): boolean =>
  scope === 'match' && !alternate && watchedMarkets.has(key);

/** Whether the market is a main line of the whole match, which every bookmaker has in the same form. */
export const isMainMarket = ({ key, scope, alternate }: PricedMarket): boolean =>
  scope === 'match' && !alternate && mainMarkets.has(key);

/** The watched markets of the whole match. */
export const watchedMarketsOf = (markets: readonly PricedMarket[]): PricedMarket[] => markets.filter(isWatchedMarket);

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
/** The same of a market with this name. */
const isLadderName = (name: string): boolean => name.endsWith('+') || !GAME_LINES.has(name.replace(/\/.*/, ''));
const GAME_LINES: ReadonlySet<string> = new Set([...MAIN_MARKETS, 'team_totals', THREE_WAY]);

/**
 * Applies a bookmaker's report to its prices; changes and returns them. Markets not named stay; with `complete: false`,
 * outcomes not named stay too. Lists of outcomes are stored without a copy and never changed.
 * @param isLater whether the report is of a later time than the newest before it that names this market (`marketName`): a
 * feed may send each market of one moment in a message of its own
 */
export function applyPrices(
  prices: BookPrices | undefined,
  report: Observation<PricesContent>,
  isLater: (market: string) => boolean,
): BookPrices {
  const next: BookPrices = prices ?? { capturedAt: report.at, markets: {} };
  next.capturedAt = report.at;
  delete next.partly;
  const named = new Set<string>();
  for (const market of report.content.markets) {
    const name = marketName(market);
    // A report that names a market twice does not repeat it.
    const comesLater = !named.has(name) && isLater(name);
    named.add(name);
    const reported = market.outcomes.some(hasRef)
      ? market.outcomes.map((one) => withPlayerSource(one, report.source))
      : market.outcomes;
    const outcomes = market.complete
      ? reported
      : mergeOutcomes(ownValue(next.markets, name) ?? [], reported, isLadder(market));
    const before = ownValue(next.markets, name);
    if (outcomes.length > 0) setOwn(next.markets, name, outcomes);
    else delete next.markets[name];
    if (!watchedMarkets.has(name)) {
      noteFreshPrices(next, name, {
        before,
        after: outcomes,
        reported,
        isLater: comesLater,
        byPoint: isLadder(market),
      });
      if (!market.complete) notePart(next, name, reported);
      continue;
    }
    if (!before || !areSamePrices(before, outcomes)) withdrawRepetition(next, name);
    else if (comesLater) noteRepetition(next, name);
  }
  return next;
}

/** The bets of a part of a market, by which a repetition of the message tells what it repeats. */
function notePart(prices: BookPrices, market: string, reported: readonly PricedOutcome[]): void {
  if (!Object.hasOwn(prices.markets, market)) return;
  prices.partly ??= {};
  const before = ownValue(prices.partly, market) ?? [];
  setOwn(prices.partly, market, [...before, ...reported.map((one) => outcomeKey(one, isLadderName(market)))]);
}

/** A market has been named again at a later time, with the same prices, by the newest message or by a later one. */
export function noteRepetition(prices: BookPrices, market: string): void {
  const outcomes = ownValue(prices.markets, market);
  if (!outcomes) return;
  const named = prices.partly && ownValue(prices.partly, market);
  const fresh = named ? unrepeatedBets(prices, market, outcomes).filter((bet) => !named.includes(bet)) : [];
  prices.repeated ??= {};
  setOwn(prices.repeated, market, true);
  setFresh(prices, market, fresh);
}

/** The bets of a market that is no watched one whose prices were not repeated since they came. */
const unrepeatedBets = (prices: BookPrices, market: string, outcomes: readonly PricedOutcome[]): readonly string[] =>
  isRepeated(prices, market)
    ? (ownValue(prices.fresh ?? {}, market) ?? [])
    : outcomes.map((one) => outcomeKey(one, isLadderName(market)));

interface NamedMarket {
  /** The outcomes before the report, and after it. */
  readonly before: readonly PricedOutcome[] | undefined;
  readonly after: readonly PricedOutcome[];
  readonly reported: readonly PricedOutcome[];
  readonly isLater: boolean;
  readonly byPoint: boolean;
}

/** Notes which prices of a market that is no main one a report has repeated, and which are new. */
function noteFreshPrices(prices: BookPrices, name: string, { before, after, reported, isLater, byPoint }: NamedMarket) {
  if (!before || after.length === 0) {
    withdrawRepetition(prices, name);
    setFresh(prices, name, []);
    return;
  }
  if (!isLater && !isRepeated(prices, name)) return;
  const changed = changedBets(before, reported, byPoint);
  const known = unrepeatedBets(prices, name, before);
  let fresh: readonly string[] = changed;
  if (known.length > 0) {
    const named =
      isLater && reported.length < after.length ? new Set(reported.map((one) => outcomeKey(one, byPoint))) : null;
    // What was not named, or at no later time, stays as it was.
    const kept = isLater ? known.filter((key) => named !== null && !named.has(key)) : known;
    fresh = kept.length === 0 ? changed : [...new Set([...kept, ...changed])];
  }
  prices.repeated ??= {};
  setOwn(prices.repeated, name, true);
  setFresh(prices, name, fresh);
}

/** The bets of a report whose prices are other ones than before. Mostly the report has the outcomes in the same order. */
function changedBets(before: readonly PricedOutcome[], reported: readonly PricedOutcome[], byPoint: boolean): string[] {
  const changed: string[] = [];
  let byKey: Map<string, PricedOutcome> | undefined;
  for (const [place, one] of reported.entries()) {
    const beside = before[place];
    if (beside && isSameBet(beside, one, byPoint)) {
      if (beside.price !== one.price || beside.point !== one.point) changed.push(outcomeKey(one, byPoint));
      continue;
    }
    byKey ??= new Map(before.map((outcome) => [outcomeKey(outcome, byPoint), outcome]));
    const key = outcomeKey(one, byPoint);
    const own = byKey.get(key);
    if (own?.price !== one.price || own.point !== one.point) changed.push(key);
  }
  return changed;
}

const isSameBet = (a: PricedOutcome, b: PricedOutcome, byPoint: boolean): boolean =>
  a.outcome === b.outcome &&
  a.player_ref === b.player_ref &&
  a.player_source === b.player_source &&
  a.player === b.player &&
  a.team === b.team &&
  (!byPoint || a.point === b.point);

function setFresh(prices: BookPrices, name: string, fresh: readonly string[]): void {
  if (fresh.length === 0 && !(prices.fresh && Object.hasOwn(prices.fresh, name))) return;
  const { [name]: _, ...others } = prices.fresh ?? {};
  if (fresh.length > 0) setOwn(others, name, fresh);
  if (Object.keys(others).length > 0) prices.fresh = others;
  else delete prices.fresh;
}

/** Whether the book has repeated a price of a market since it came. @param name as of `marketName` */
export function isPriceRepeated(
  prices: Pick<BookPrices, 'repeated' | 'fresh'>,
  name: string,
  outcome: PricedOutcome,
): boolean {
  if (!isRepeated(prices, name)) return false;
  const fresh = prices.fresh && ownValue(prices.fresh, name);
  return !fresh?.includes(outcomeKey(outcome, isLadderName(name)));
}

function withdrawRepetition(prices: BookPrices, market: string): void {
  if (!prices.repeated || !isRepeated(prices, market)) return;
  const { [market]: _, ...others } = prices.repeated;
  if (Object.keys(others).length > 0) prices.repeated = others;
  else delete prices.repeated;
}

/** Whether the book has repeated all prices of a watched market since it last changed one. */
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
