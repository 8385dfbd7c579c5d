import { type DiscreteDistribution, normalizeWeights } from '../models/discrete-distribution.ts';

/** What is left of a distribution's end holds less than this, beside its largest part. */
const NEGLIGIBLE = 1e-10;
/** No statistic of a game has a mean beyond: what a broken box says must not cost time. */
const MOST = 2000;
const LEAST = 0.01;

/**
 * Counts whose variance is `mean + mean^2 / r` (negative binomial). Yards are counts too, with a small `r`.
 * @param zeros the share of 0; what is beyond that of the counts are games that make nothing at all, and the others
 * make so much more that the mean stays. Null where zeros are counts like others
 */
export function negativeBinomial(mean: number, r: number, zeros: number | null): DiscreteDistribution {
  const all = Math.min(MOST, Math.max(LEAST, mean));
  const idle = zeros === null ? 0 : idleShare(all, r, zeros);
  const { from, probabilities } = normalizeWeights(0, weightsOf(all / (1 - idle), r));
  return { from, probabilities: probabilities.map((one, k) => (1 - idle) * one + (k === 0 ? idle : 0)) };
}

const STEPS = 10;

/** The share of games that make nothing at all, such that with the zeros of the counts there are as many as are seen. */
function idleShare(mean: number, r: number, zeros: number): number {
  let idle = 0;
  for (let step = 0; step < STEPS; step++) {
    const counted = Math.exp(-r * Math.log(1 + mean / (1 - idle) / r));
    idle = Math.max(0, (zeros - counted) / (1 - counted));
  }
  return idle;
}

/** Beside each other; the largest is 1 where the first one would be too small for a number. */
function weightsOf(mean: number, r: number): number[] {
  const odds = mean / (mean + r);
  const first = Math.exp(-r * Math.log(1 + mean / r));
  const weights = [Math.max(first, Number.MIN_VALUE / Number.EPSILON)];
  let largest = weights[0]!;
  for (let k = 0; ; k++) {
    const next = weights[k]! * ((k + r) / (k + 1)) * odds;
    if (k > mean && next < largest * NEGLIGIBLE) return weights;
    weights.push(next);
    largest = Math.max(largest, next);
  }
}

/** How many standard deviations from its mean a number may lie. */
const REACH = 6;

/** What may be below 0 too, or is a rate: a normal curve over whole numbers. */
export function discreteNormal(mean: number, sd: number): DiscreteDistribution {
  const centre = Math.max(-MOST, Math.min(MOST, mean));
  const from = Math.floor(centre - REACH * sd);
  const size = Math.ceil(2 * REACH * sd) + 1;
  const weights = Array.from({ length: size }, (_, index) => {
    const off = (from + index - centre) / sd;
    return Math.exp((-off * off) / 2);
  });
  return normalizeWeights(from, weights);
}
