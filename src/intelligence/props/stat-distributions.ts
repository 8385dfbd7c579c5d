import { type DiscreteDistribution, normalizeWeights } from '../models/discrete-distribution.ts';

/** The end of a distribution is cut off where probabilities are below this share of the largest one. */
const NEGLIGIBLE_SHARE = 1e-10;
/** No statistic of a game has a larger mean. A broken box must not cost much time. */
const MAX_MEAN = 2000;
const MIN_MEAN = 0.01;

/**
 * Counts whose variance is `mean + mean^2 / r` (negative binomial). Yards are counts too, with a small `r`.
 * @param zeros the share of 0. If it exceeds that of the counts, the difference are games without any count at all, and
 * the other games have so much more that the mean is unchanged. Null if zeros are not special
 */
export function negativeBinomial(mean: number, r: number, zeros: number | null): DiscreteDistribution {
  const all = Math.min(MAX_MEAN, Math.max(MIN_MEAN, mean));
  const idle = zeros === null ? 0 : idleShare(all, r, zeros);
  const { from, probabilities } = normalizeWeights(0, weightsOf(all / (1 - idle), r));
  return { from, probabilities: probabilities.map((one, k) => (1 - idle) * one + (k === 0 ? idle : 0)) };
}

const STEPS = 10;

/**
 * The share of games without any count at all, such that together with the zeros of the counts there are as many zeros
 * as observed.
 */
function idleShare(mean: number, r: number, zeros: number): number {
  let idle = 0;
  for (let step = 0; step < STEPS; step++) {
    const counted = Math.exp(-r * Math.log(1 + mean / (1 - idle) / r));
    idle = Math.max(0, (zeros - counted) / (1 - counted));
  }
  return idle;
}

/**
 * The weights of 0, 1, 2, ... If the first one would be too small for a number, it is replaced by the smallest usable
 * one.
 */
function weightsOf(mean: number, r: number): number[] {
  const odds = mean / (mean + r);
  const first = Math.exp(-r * Math.log(1 + mean / r));
  const weights = [Math.max(first, Number.MIN_VALUE / Number.EPSILON)];
  let largest = weights[0]!;
  for (let k = 0; ; k++) {
    const next = weights[k]! * ((k + r) / (k + 1)) * odds;
    if (k > mean && next < largest * NEGLIGIBLE_SHARE) return weights;
    weights.push(next);
    largest = Math.max(largest, next);
  }
}

/** How many standard deviations a number may be from the mean. */
const REACH = 6;

/** For a statistic that may be below 0, or is a rate: a normal curve over whole numbers. */
export function discreteNormal(mean: number, sd: number): DiscreteDistribution {
  const centre = Math.max(-MAX_MEAN, Math.min(MAX_MEAN, mean));
  const from = Math.floor(centre - REACH * sd);
  const size = Math.ceil(2 * REACH * sd) + 1;
  const weights = Array.from({ length: size }, (_, index) => {
    const off = (from + index - centre) / sd;
    return Math.exp((-off * off) / 2);
  });
  return normalizeWeights(from, weights);
}
