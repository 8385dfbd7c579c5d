/** The value below which this share (0 to 1) of the values lies, by the nearest-rank method. Sorts `values`. */
export function percentile(values: number[], share: number): number {
  if (values.length === 0) throw new RangeError('no values');
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.max(0, Math.ceil(share * values.length) - 1))]!;
}
