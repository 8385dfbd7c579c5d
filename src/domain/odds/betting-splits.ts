import type { Known, SplitsMessage } from '../feed/feed-messages.ts';
import type { Observation } from '../observations/observation.ts';
import { ownValue, withOwn } from '../primitives/own-properties.ts';

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

function mergeMarkets(base: SplitMarkets, over: SplitMarkets): SplitMarkets {
  const result: SplitMarkets = { ...base };
  for (const [name, sides] of Object.entries(over) as [keyof SplitMarkets, SplitMarket][]) {
    const market: SplitMarket = { ...result[name] };
    for (const [side, reported] of Object.entries(sides) as [keyof SplitMarket, SplitSide][]) {
      market[side] = { ...market[side], ...reported };
    }
    result[name] = market;
  }
  return result;
}
