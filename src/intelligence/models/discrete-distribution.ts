/** A distribution over whole numbers: `probabilities[i]` is that of `from + i`. They sum to 1. */
export interface DiscreteDistribution {
  readonly from: number;
  readonly probabilities: readonly number[];
}

/** Scales weights, of which one at least is above 0, to a distribution. */
export function normalizeWeights(from: number, weights: readonly number[]): DiscreteDistribution {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return { from, probabilities: weights.map((weight) => weight / sum) };
}

/** Of the first of two sides: above 0, exactly 0, below 0. */
export function signProbabilities({ from, probabilities }: DiscreteDistribution): {
  above: number;
  zero: number;
  below: number;
} {
  let [above, zero, below] = [0, 0, 0];
  for (const [i, probability] of probabilities.entries()) {
    const value = from + i;
    if (value > 0) above += probability;
    else if (value < 0) below += probability;
    else zero += probability;
  }
  return { above, zero, below };
}

/** How likely the first of two sides is ahead, given that one is: kept off 0 and 1, where log odds end. */
export function winProbability(margin: DiscreteDistribution): number {
  const { above, below } = signProbabilities(margin);
  return Math.min(0.9999, Math.max(0.0001, above / (above + below)));
}

/**
 * The probability that a number of the distribution plus `line` is above 0, given that it is not exactly 0: that
 * home covers `line` with the margin's distribution, that a game goes over T with the total's and `-T`. `line` is a
 * multiple of .25; on a quarter line half of the stake lies on either half line beside it, and what is told is the
 * part of the decided stake that wins. Null where nothing would be decided.
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
