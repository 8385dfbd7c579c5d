import type { Fixture, Forecast, Model, ModelMemory } from '../models/model.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { roundTo } from '../prices/rounding.ts';
import { marketProbabilities } from './market-forecast.ts';

/** What a model says of one event, and what that rests on. It has seen no price. */
export interface ModelForecast {
  readonly forecast: Forecast;
  readonly model: Model<any, any>;
  readonly memory: ModelMemory<any, any>;
  readonly fixture: Fixture;
  /** Earlier results of the side that has fewer. */
  readonly resultsKnown: number;
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
  { forecast, resultsKnown }: ModelForecast,
  market: QuotedMarket,
  line: number | null,
): readonly OutcomeForecast[] | null {
  const probabilities = marketProbabilities(forecast, market, line);
  return (
    probabilities?.map((probability) => ({ probability, interval: evidenceInterval(probability, resultsKnown) })) ??
    null
  );
}

/** Of a normal distribution 80 % lie within so many standard deviations. */
const EIGHTY_PERCENT = 1.2816;

/** A band of so much evidence: three decimals, within [.001, .999]. @param n earlier results or boxes that it rests on */
export function evidenceInterval(probability: number, n: number): [low: number, high: number] {
  const half = EIGHTY_PERCENT * Math.sqrt((probability * (1 - probability)) / (n + 1));
  return [roundTo(Math.max(0.001, probability - half), 3), roundTo(Math.min(0.999, probability + half), 3)];
}

/** How much evidence there is: two decimals. */
export const sufficiencyOf = (n: number): number => roundTo(n / (n + 10), 2);

/** By what forecasts are ranked: four decimals. */
export const convictionOf = (probability: number, n: number): number =>
  roundTo((Math.abs(2 * probability - 1) * n) / (n + 10), 4);

/** From this conviction on the first row of an event is its pick. */
export const MIN_CONVICTION = 0.25;
