/**
 * The upper bounds of the histogram's buckets, in seconds, in increasing order; one more bucket takes longer durations.
 */
export const DURATION_BOUNDS: readonly number[] = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30],
];

/** Counts durations by bucket. */
export interface DurationHistogram {
  /** @param milliseconds a negative value counts as 0 */
  add(milliseconds: number): void;
  /** The count of each bucket, not cumulative; one more than there are bounds. */
  readonly counts: ArrayLike<number>;
  /** The sum of all durations, in seconds. */
  readonly sum: number;
}

/** Adding takes some nanoseconds; cumulative sums are left to the reader of the metrics. */
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
