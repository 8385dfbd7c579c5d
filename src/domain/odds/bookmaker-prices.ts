import type { FeedOutcome, Known } from '../feed/feed-messages.ts';
import type { Observation } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';

/** An outcome as the log holds it: of the event's own way round. */
type ReportedOutcome = Known<FeedOutcome>;
/** The same as documents hold it. */
export interface PricedOutcome extends ReportedOutcome {
  /** Whose id `player_ref` is. A bookmaker's prices may come from several sources. */
  readonly player_source?: string;
}

export interface PricedMarket {
  readonly key: string;
  readonly scope: 'match' | '1H' | 'F5' | 'S1';
  readonly alternate: boolean;
  readonly complete: boolean;
  readonly outcomes: readonly ReportedOutcome[];
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

const MAIN_KEYS: ReadonlySet<string> = new Set(['h2h', 'spreads', 'totals']);
/** Whether it is a main line of the whole match, which all bookmakers have alike. */
export const isMainMarket = ({ key, scope, alternate }: PricedMarket): boolean =>
  scope === 'match' && !alternate && MAIN_KEYS.has(key);

/** The main lines of a scope, as if it were a match of its own. */
export const mainMarketsOf = (markets: readonly PricedMarket[], scope: PricedMarket['scope']): PricedMarket[] =>
  markets
    .filter((market) => market.scope === scope && isMainMarket({ ...market, scope: 'match' }))
    .map((market) => (scope === 'match' ? market : { ...market, scope: 'match' }));

/** Names of markets with a scope hold a slash, those of alternate rungs end in a plus: what is neither, and no line of
 *  the game or a side, is a market on what players make. */
export const isPropName = (name: string): boolean => !/[/+]/.test(name) && !MAIN_LINES.has(name);

/** Outcomes are the same when they stand for the same bet: on a main line the point is the price's attribute. */
function outcomeKey(outcome: PricedOutcome, byPoint: boolean): string {
  const { player_ref, player_source = '', player = '' } = outcome;
  const named = player_ref === undefined ? player : `${player_source}:${player_ref}`;
  const who = `${outcome.outcome}|${outcome.team ?? ''}|${named}`;
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
    const told = market.outcomes.some(hasRef)
      ? market.outcomes.map((one) => withPlayerSource(one, said.source))
      : market.outcomes;
    const outcomes = market.complete ? told : mergeOutcomes(ownValue(next.markets, name) ?? [], told, isLadder(market));
    if (outcomes.length > 0) setOwn(next.markets, name, outcomes);
    else delete next.markets[name];
  }
  return next;
}

const hasRef = ({ player_ref }: ReportedOutcome): boolean => player_ref !== undefined;

const withPlayerSource = (outcome: ReportedOutcome, source: string): PricedOutcome =>
  hasRef(outcome) ? { ...outcome, player_source: source } : outcome;

function mergeOutcomes(
  present: readonly PricedOutcome[],
  told: readonly PricedOutcome[],
  byPoint: boolean,
): PricedOutcome[] {
  const bySlot = new Map(present.map((outcome) => [outcomeKey(outcome, byPoint), outcome]));
  for (const outcome of told) {
    const slot = outcomeKey(outcome, byPoint);
    // Two sources may have names of their own for a player: what was told last stands last.
    if (hasRef(outcome)) bySlot.delete(slot);
    bySlot.set(slot, outcome);
  }
  return [...bySlot.values()];
}
