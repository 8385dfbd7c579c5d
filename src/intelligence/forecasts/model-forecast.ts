import { marketForecast } from '../judging/market-forecast.ts';
import type { Fixture, Forecast, Memory, Model } from '../models/model.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { evidenceInterval } from './evidence.ts';

/** What a model says of one event, and what that rests on. It has seen no price. */
export interface ModelForecast {
  readonly forecast: Forecast;
  readonly model: Model<any, any>;
  readonly memory: Memory<any, any>;
  readonly fixture: Fixture;
  /** Earlier results of the side that has fewer. */
  readonly played: number;
}

/** What a model says of one outcome of a market. */
export interface OutcomeForecast {
  /** As published: six decimals, the outcomes of the market sum to 1. */
  readonly probability: number;
  readonly interval: readonly [low: number, high: number];
}

/**
 * By outcome, in the order of the bets; null where the model says nothing of the market.
 * @param line the main line: home's point or the total; null of the moneyline
 */
export function outcomeForecasts(
  { forecast, played }: ModelForecast,
  market: QuotedMarket,
  line: number | null,
): readonly OutcomeForecast[] | null {
  const probabilities = marketForecast(forecast, market, line);
  return (
    probabilities?.map((probability) => ({ probability, interval: evidenceInterval(probability, played) })) ?? null
  );
}
