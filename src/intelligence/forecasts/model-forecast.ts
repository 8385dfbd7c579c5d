import type { Fixture, Forecast, Model, ModelMemory } from '../models/model.ts';
import type { QuotedMarket } from '../prices/quotes.ts';
import { roundTo } from '../prices/rounding.ts';
import { marketProbabilities } from './market-forecast.ts';

/** The forecast of a model for one event, with its inputs. No input is a price. */
export interface ModelForecast {
  readonly forecast: Forecast;
  readonly model: Model<any, any>;
  readonly memory: ModelMemory<any, any>;
  readonly fixture: Fixture;
  /** The number of earlier results of the side that has fewer. */
  readonly resultsKnown: number;
}

/** The forecast of a model for one outcome of a market. */
export interface OutcomeForecast {
  /** As published: six decimals; the outcomes of the market sum to 1. */
  readonly probability: number;
  readonly interval: readonly [low: number, high: number];
}

/**
 * By outcome, in the order of the bets; null if the model has no forecast of the market.
 * @param line the main line: home's point or the total; null for the moneyline
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

/** 80 % of a normal distribution lie within this many standard deviations. */
const EIGHTY_PERCENT = 1.2816;

/**
 * The interval of a probability by the amount of evidence: three decimals, within [.001, .999].
 * @param n the number of earlier results or boxes
 */
export function evidenceInterval(probability: number, n: number): [low: number, high: number] {
  const half = EIGHTY_PERCENT * Math.sqrt((probability * (1 - probability)) / (n + 1));
  return [roundTo(Math.max(0.001, probability - half), 3), roundTo(Math.min(0.999, probability + half), 3)];
}

/** How much evidence there is: two decimals. */
export const sufficiencyOf = (n: number): number => roundTo(n / (n + 10), 2);

/** The value by which forecasts are ranked: four decimals. */
export const convictionOf = (probability: number, n: number): number =>
  roundTo((Math.abs(2 * probability - 1) * n) / (n + 10), 4);

/** The first row of an event is its pick if it has at least this conviction. */
export const MIN_CONVICTION = 0.25;
