import { type DiscreteDistribution, normalizeWeights } from './discrete-distribution.ts';

/**
 * A normal curve over whole numbers, adjusted to the numbers on which games of a sport often end. `seen[k]` counts how
 * often k occurred, `expected[k]` how often the bare curve would have had it. Their ratio, drawn towards 1 by a few
 * imaginary games, is the weight of k.
 */
export interface KeyNumbers {
  readonly seen: readonly number[];
  readonly expected: readonly number[];
}

/** Keys from 0 to `last`; -1 for a sport without keys. */
export const newKeyNumbers = (last: number): KeyNumbers => {
  const zeros = Array.from({ length: last + 1 }, () => 0);
  return { seen: zeros, expected: zeros };
};

export interface Curve {
  readonly mean: number;
  readonly sd: number;
  /** Numbers below this are impossible: a total cannot be negative. */
  readonly min: number;
  /** Whether k and -k share a key. */
  readonly isSymmetric: boolean;
}

/** The number of imaginary games, in units of `expected`. */
const PRIOR = 2;
/** How many standard deviations a number may be from the mean. */
const REACH = 6;

export function normalWithKeyNumbers(keys: KeyNumbers, curve: Curve): DiscreteDistribution {
  return normalizeWeights(firstOf(curve), weightsOf(curve, keys));
}

/** Learns from a game that ended on `value`. */
export function updateKeyNumbers(keys: KeyNumbers, curve: Curve, value: number): KeyNumbers {
  const size = keys.seen.length;
  if (size === 0) return keys;
  const [seen, expected] = [keys.seen.slice(), keys.expected.slice()];
  // Written as loops over indexes, for this is most of what learning a game costs.
  const [from, weights] = [firstOf(curve), weightsOf(curve, null)];
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  for (let i = 0; i < weights.length; i++) {
    const key = keyOf(curve, from + i);
    if (key < size) expected[key]! += weights[i]! / sum;
  }
  const key = keyOf(curve, value);
  if (key < size) seen[key]! += 1;
  return { seen, expected };
}

const keyOf = ({ isSymmetric }: Curve, value: number): number => (isSymmetric ? Math.abs(value) : value);

const firstOf = ({ mean, sd, min }: Curve): number => Math.max(min, Math.floor(mean - REACH * sd));

function weightsOf(curve: Curve, keys: KeyNumbers | null): number[] {
  const { mean, sd } = curve;
  const first = firstOf(curve);
  const last = Math.max(first + 1, Math.ceil(mean + REACH * sd));
  const weights = new Array<number>(last - first + 1);
  for (let i = 0; i < weights.length; i++) {
    const z = (first + i - mean) / sd;
    weights[i] = Math.exp(-(z * z) / 2) * weightOf(keys, keyOf(curve, first + i));
  }
  return weights;
}

function weightOf(keys: KeyNumbers | null, key: number): number {
  if (keys === null || key >= keys.seen.length) return 1;
  return (keys.seen[key]! + PRIOR) / (keys.expected[key]! + PRIOR);
}
