import { marketForecast } from '../judging/market-forecast.ts';
import type { Fixture, Forecast, Memory, Model } from '../models/model.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { rounded } from '../prices/rounding.ts';

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

/** Of a normal distribution 80 % lie within so many standard deviations. */
const EIGHTY_PERCENT = 1.2816;

/** A band of so much evidence: three decimals, within [.001, .999]. @param n earlier results that it rests on */
export function evidenceInterval(probability: number, n: number): readonly [low: number, high: number] {
  const half = EIGHTY_PERCENT * Math.sqrt((probability * (1 - probability)) / (n + 1));
  return [rounded(Math.max(0.001, probability - half), 3), rounded(Math.min(0.999, probability + half), 3)];
}

/** How much evidence there is: two decimals. */
export const sufficiencyOf = (n: number): number => rounded(n / (n + 10), 2);

/** By what forecasts are ranked: four decimals. */
export const convictionOf = (probability: number, n: number): number =>
  rounded((Math.abs(2 * probability - 1) * n) / (n + 10), 4);

/** From this conviction on the first row of an event is selected. */
export const LEAST_CONVICTION = 0.25;
