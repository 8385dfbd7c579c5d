/** Rounds to `decimals` digits, halves up. Removes first the rounding errors of a sum of fractions. */
function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(Number((value * scale).toPrecision(15)) + 0.5) / scale || 0;
}

/** A mean with two decimals; null if nothing was counted. */
export const average = (sum: number, count: number): number | null => (count === 0 ? null : rounded(sum / count, 2));
/** A share from 0 to 1, with three decimals; null if the whole is 0. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole, 3));

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Number of newest games that each part of the statistics covers; the same for every sport. */
export const WINDOWS = { recent_form: 5, rates_l5: 5, rates_season: 'season', head_to_head: 10, sos: 5 } as const;
