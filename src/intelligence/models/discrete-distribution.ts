/** A distribution over whole numbers: `probabilities[i]` belongs to `from + i`. They sum to 1. */
export interface DiscreteDistribution {
  readonly from: number;
  readonly probabilities: readonly number[];
}

/** Scales weights to a distribution. At least one weight must be above 0. */
export function normalizeWeights(from: number, weights: readonly number[]): DiscreteDistribution {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return { from, probabilities: weights.map((weight) => weight / sum) };
}

/** The probabilities of a value above 0, of exactly 0, and of a value below 0. */
export function signProbabilities({ from, probabilities }: DiscreteDistribution): {
  above: number;
  zero: number;
  below: number;
} {
  let [above, zero, below] = [0, 0, 0];
  for (let i = 0; i < probabilities.length; i++) {
    const [probability, value] = [probabilities[i]!, from + i];
    if (value > 0) above += probability;
    else if (value < 0) below += probability;
    else zero += probability;
  }
  return { above, zero, below };
}

export function meanAndVariance({ from, probabilities }: DiscreteDistribution): { mean: number; variance: number } {
  let [mean, square] = [0, 0];
  for (let i = 0; i < probabilities.length; i++) {
    mean += probabilities[i]! * (from + i);
    square += probabilities[i]! * (from + i) * (from + i);
  }
  return { mean, variance: square - mean * mean };
}

/**
 * The probability that the first of two sides is ahead, given that one is. Kept away from 0 and 1, which have no log
 * odds.
 */
export function winProbability(margin: DiscreteDistribution): number {
  const { above, below } = signProbabilities(margin);
  return Math.min(0.9999, Math.max(0.0001, above / (above + below)));
}

/**
 * The probability that a number of the distribution plus `line` is above 0, given that it is not exactly 0. With the
 * margin's distribution: that home covers `line`. With the total's distribution and `-T`: that a game goes over T.
 * `line` is a multiple of .25. On a quarter line half of the stake lies on each of the half lines beside it; the result
 * is then the share of the decided stake that wins. Null if nothing would be decided.
 */
export function coverProbability(distribution: DiscreteDistribution, line: number): number | null {
  const quarters = Math.round(line * 4);
  const lines = quarters % 2 === 0 ? [quarters, quarters] : [quarters - 1, quarters + 1];
  let [won, lost] = [0, 0];
  for (const [i, probability] of distribution.probabilities.entries()) {
    for (const at of lines) {
      const result = (distribution.from + i) * 4 + at;
      if (result > 0) won += probability;
      else if (result < 0) lost += probability;
    }
  }
  return won + lost > 0 ? won / (won + lost) : null;
}
