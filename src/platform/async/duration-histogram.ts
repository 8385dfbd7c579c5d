/** Seconds up to which the buckets of a tally reach, rising; what is longer counts in a last one. */
export const DURATION_BOUNDS: readonly number[] = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30],
];

/** How often something has taken how long. */
export interface DurationHistogram {
  /** @param milliseconds below 0 counts as 0 */
  add(milliseconds: number): void;
  /** By bucket, each without those before it; one more than there are bounds. */
  readonly counts: ArrayLike<number>;
  /** Seconds, of all together. */
  readonly sum: number;
}

/** Counts in place, at some nanoseconds a time: what tells the numbers adds them up when it is asked. */
export function createDurationHistogram(): DurationHistogram {
  const counts = new Float64Array(DURATION_BOUNDS.length + 1);
  let sum = 0;
  return {
    add(milliseconds) {
      const seconds = milliseconds > 0 ? milliseconds / 1000 : 0;
      let bucket = 0;
      while (bucket < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[bucket]!) bucket++;
      counts[bucket]!++;
      sum += seconds;
    },
    counts,
    get sum() {
      return sum;
    },
  };
}
