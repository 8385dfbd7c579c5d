import type { QuotedMarket } from './prices/quotes.ts';

/** What a model says of one outcome of a market. */
export interface OutcomeForecast {
  /** As published: six decimals, the outcomes of the market sum to 1. */
  readonly probability: number;
  readonly interval: readonly [low: number, high: number];
}

/** What a model says of one event. It has seen no price. */
export interface Forecast {
  /** By outcome, in the order of the bets; null where the model says nothing of the market.
   *  @param line the main line: home's point or the total; null of the moneyline */
  of(market: QuotedMarket, line: number | null): readonly OutcomeForecast[] | null;
}
