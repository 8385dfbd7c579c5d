import type { FeedOutcome, Known } from './feed/messages.ts';
import type { Observation } from './observation.ts';
import { ownValue, setOwn } from './own.ts';

/** An outcome as the log and the documents hold it: of the event's own way round. */
export type PricedOutcome = Known<FeedOutcome>;

export interface PricedMarket {
  readonly key: string;
  readonly scope: 'match' | '1H' | 'F5' | 'S1';
  readonly alternate: boolean;
  readonly complete: boolean;
  readonly outcomes: readonly PricedOutcome[];
}

/** What one bookmaker offers on one event at one moment. */
export interface PricesContent {
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

/** A bookmaker's present prices, by market: `h2h`, `spreads/1H`, `totals+` (alternate rungs), ... */
export interface BookPrices {
  capturedAt: string;
  markets: Record<string, readonly PricedOutcome[]>;
}

export const marketName = (market: Pick<PricedMarket, 'key' | 'scope' | 'alternate'>): string =>
  market.key + (market.scope === 'match' ? '' : `/${market.scope}`) + (market.alternate ? '+' : '');

/** Outcomes are the same when they stand for the same bet: on a main line the point is the price's attribute. */
function slotOf(outcome: PricedOutcome, byPoint: boolean): string {
  const who = `${outcome.outcome}|${outcome.team ?? ''}|${outcome.player_ref ?? outcome.player ?? ''}`;
  return byPoint ? `${who}|${outcome.point ?? ''}` : who;
}

/** Where several rungs stand side by side, the point tells them apart. */
const isLadder = (market: PricedMarket): boolean => market.alternate || !MAIN_LINES.has(market.key);
const MAIN_LINES: ReadonlySet<string> = new Set(['h2h', 'spreads', 'totals', 'team_totals']);

/**
 * Folds a bookmaker's message onto its prices, which it changes and returns. Markets not named stay;
 * `complete: false` keeps outcomes too. Lists of outcomes are taken over as they are, and never changed.
 */
export function applyPrices(prices: BookPrices | undefined, said: Observation<PricesContent>): BookPrices {
  const next: BookPrices = prices ?? { capturedAt: said.at, markets: {} };
  next.capturedAt = said.at;
  for (const market of said.content.markets) {
    const name = marketName(market);
    const outcomes = market.complete ? market.outcomes : mergeOutcomes(ownValue(next.markets, name) ?? [], market);
    if (outcomes.length > 0) setOwn(next.markets, name, outcomes);
    else delete next.markets[name];
  }
  return next;
}

function mergeOutcomes(present: readonly PricedOutcome[], market: PricedMarket): PricedOutcome[] {
  const byPoint = isLadder(market);
  const bySlot = new Map(present.map((outcome) => [slotOf(outcome, byPoint), outcome]));
  for (const outcome of market.outcomes) bySlot.set(slotOf(outcome, byPoint), outcome);
  return [...bySlot.values()];
}
