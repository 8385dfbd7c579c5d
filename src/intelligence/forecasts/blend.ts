import { roundProbabilities } from '../prices/rounding.ts';

/** The third number of a bet: its fair price, moved towards the forecast as far as past games support. */
export interface Blend {
  /** As published: six decimals; the outcomes of the market sum to 1. */
  readonly probability: number;
  /** Within [0, 1]: 0 is the fair price, 1 the forecast. */
  readonly weight: number;
  /** The number of settled games from which the weight was learned. */
  readonly n: number;
}

/**
 * A mixture of log odds: each outcome in proportion to `fair^(1 - weight) * forecast^weight`. With two outcomes this is
 * `logit p = logit fair + weight * (logit forecast - logit fair)`.
 * @param fair the fair probabilities of a market's outcomes, as published
 * @param forecast those of the server's own forecast at the same line, in the same order
 */
export function blendProbabilities(fair: readonly number[], forecast: readonly number[], weight: number): number[] {
  if (weight === 0) return [...fair];
  const parts = fair.map((p, i) => p * Math.exp(weight * Math.log(forecast[i]! / p)));
  const sum = parts.reduce((total, part) => total + part, 0);
  return roundProbabilities(parts.map((part) => part / sum));
}

/**
 * The blends of a market's outcomes. Without a fair price there is none. Without a forecast the fair price stays as it
 * is, with a weight of 0.
 * @param learned what the market's past games say; null: they are not counted yet, so there is no blend
 */
export function blendsOfMarket(
  fair: readonly (number | null)[],
  forecast: readonly (number | null)[] | null,
  learned: Pick<Blend, 'weight' | 'n'> | null,
): readonly Blend[] | null {
  if (learned === null || !isComplete(fair)) return null;
  const { n } = learned;
  if (forecast === null || !isComplete(forecast)) return fair.map((probability) => ({ probability, weight: 0, n }));
  const { weight } = learned;
  return blendProbabilities(fair, forecast, weight).map((probability) => ({ probability, weight, n }));
}

const isComplete = (values: readonly (number | null)[]): values is readonly number[] => !values.includes(null);
