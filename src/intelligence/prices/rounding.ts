/**
 * `numerator / denominator` rounded to the nearest whole number, halves away from zero; exact. Both must be whole
 * numbers, the denominator above 0, and twice the larger one must be a safe integer.
 */
export function divideRounded(numerator: number, denominator: number): number {
  const doubled = 2 * Math.abs(numerator) + denominator;
  const size = (doubled - (doubled % (2 * denominator))) / (2 * denominator);
  return numerator < 0 && size > 0 ? -size : size;
}

/**
 * Rounds a number to so many decimals, halves away from zero. A number that is a half in decimal may be slightly below
 * it in binary. So a number within a thousand-millionth of the last decimal counts as a half.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const size = Math.floor(Math.abs(value) * scale + 0.5 + 1e-9);
  return size === 0 ? 0 : (Math.sign(value) * size) / scale;
}

const MILLION = 1_000_000;
/** The minimum published probability, in millionths; the maximum is 1 minus this. */
const MIN_MILLIONTHS = 100;

/**
 * The probabilities of one market as published: six decimals, within [.0001, .9999]. The largest (of equal ones the
 * first) is adjusted so that they sum to exactly 1 as written.
 */
export function roundProbabilities(probabilities: readonly number[]): number[] {
  const parts = probabilities.map((probability) =>
    Math.min(MILLION - MIN_MILLIONTHS, Math.max(MIN_MILLIONTHS, Math.round(probability * MILLION))),
  );
  const largest = parts.indexOf(Math.max(...parts));
  const others = parts.reduce((sum, part, index) => (index === largest ? sum : sum + part), 0);
  parts[largest] = MILLION - others;
  return parts.map((part) => part / MILLION);
}
