import type { Known, SplitsMessage } from '../feed/feed-messages.ts';
import type { Observation } from '../observations/observation.ts';
import { ownValue, pick, withOwn } from '../primitives/own-properties.ts';

type FeedMarkets = Known<SplitsMessage['markets']>;
export type SplitSide = Known<NonNullable<Known<NonNullable<FeedMarkets['moneyline']>>['home']>>;
type SplitMarket = Partial<Record<'home' | 'away' | 'over' | 'under', SplitSide>>;
export type SplitMarkets = Partial<Record<'moneyline' | 'spread' | 'total', SplitMarket>>;

/** A report of the public's bets on an event, with the sides in the order of the event. */
export interface SplitsContent {
  /** Null: the consensus. */
  readonly bookmaker: string | null;
  readonly markets: SplitMarkets;
}

/** The public's bets on an event: the consensus, and by bookmaker. */
export interface EventSplits {
  capturedAt: string | null;
  consensus: SplitMarkets;
  books: Record<string, SplitMarkets>;
}

export const newSplits = (): EventSplits => ({ capturedAt: null, consensus: {}, books: {} });

/** Applies a report to the splits; absent values stay. Returns a new object. */
export function applySplits(splits: EventSplits, { at, content }: Observation<SplitsContent>): EventSplits {
  const { bookmaker, markets } = content;
  if (bookmaker === null) return { ...splits, capturedAt: at, consensus: mergeMarkets(splits.consensus, markets) };
  const merged = mergeMarkets(ownValue(splits.books, bookmaker) ?? {}, markets);
  return { ...splits, capturedAt: at, books: withOwn(splits.books, bookmaker, merged) };
}

/**
 * The splits of a record that carries the whole state. Records that were written before unknown members were left out
 * may have some.
 */
export const knownSplits = ({ capturedAt, consensus, books }: EventSplits): EventSplits => ({
  capturedAt,
  consensus: mergeMarkets({}, consensus),
  books: Object.fromEntries(
    Object.entries(books).map(([bookmaker, markets]) => [bookmaker, mergeMarkets({}, markets)]),
  ),
});

const MARKETS = ['moneyline', 'spread', 'total'] as const satisfies readonly (keyof SplitMarkets)[];
const SIDES = ['home', 'away', 'over', 'under'] as const satisfies readonly (keyof SplitMarket)[];
const MEMBERS = ['bets_pct', 'handle_pct', 'price', 'line'] as const satisfies readonly (keyof SplitSide)[];

/**
 * Only documented members: a message may carry any others, which stay in its record. If they were folded too, the state
 * would grow with every message, and the log with the square of their number, since a late record carries the state.
 */
function mergeMarkets(base: SplitMarkets, over: SplitMarkets): SplitMarkets {
  const result: SplitMarkets = { ...base };
  for (const name of MARKETS) {
    const sides = over[name];
    if (sides === undefined) continue;
    const market: SplitMarket = { ...result[name] };
    for (const side of SIDES) {
      const reported = sides[side];
      if (reported !== undefined) market[side] = { ...market[side], ...pick(reported, MEMBERS) };
    }
    result[name] = market;
  }
  return result;
}
