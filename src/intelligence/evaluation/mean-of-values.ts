/** The mean of some values, and its standard error: the sample's standard deviation by the root of n. */
export interface MeanWithError {
  readonly mean: number | null;
  /** Null below 2 values. */
  readonly se: number | null;
}

/** @param least with fewer values both are null */
export function meanOfValues(values: readonly number[], least: number): MeanWithError {
  const n = values.length;
  if (n === 0 || n < least) return { mean: null, se: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, se: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, se: Math.sqrt(squares / (n - 1) / n) };
}

/** The deepest fall of the running sum below an earlier height, which is 0 at the start. At least 0. */
export function deepestFall(values: readonly number[]): number {
  let [sum, height, deepest] = [0, 0, 0];
  for (const value of values) {
    sum += value;
    height = Math.max(height, sum);
    deepest = Math.max(deepest, height - sum);
  }
  return deepest;
}
