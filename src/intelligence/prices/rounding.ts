/** `numerator / denominator` to the nearest whole number, halves away from zero; exact. Both are whole numbers, the
 *  denominator is above 0, and twice the larger one is a safe integer. */
export function divideRounded(numerator: number, denominator: number): number {
  const doubled = 2 * Math.abs(numerator) + denominator;
  const size = (doubled - (doubled % (2 * denominator))) / (2 * denominator);
  return numerator < 0 && size > 0 ? -size : size;
}

/**
 * A number to so many decimals, halves away from zero. A number that is a half as written may lie a hair below it in
 * binary; what is nearer than a thousand-millionth of the last decimal counts as the half.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const size = Math.floor(Math.abs(value) * scale + 0.5 + 1e-9);
  return size === 0 ? 0 : (Math.sign(value) * size) / scale;
}

const MILLION = 1_000_000;
/** No outcome is published as surer than this, in millionths, or as less likely. */
const LEAST = 100;

/**
 * The probabilities of one market as they are published: six decimals, within [.0001, .9999], and the largest (of
 * equals the first) such that they sum to exactly 1 as written.
 */
export function roundProbabilities(probabilities: readonly number[]): number[] {
  const parts = probabilities.map((probability) =>
    Math.min(MILLION - LEAST, Math.max(LEAST, Math.round(probability * MILLION))),
  );
  const largest = parts.indexOf(Math.max(...parts));
  const others = parts.reduce((sum, part, index) => (index === largest ? sum : sum + part), 0);
  parts[largest] = MILLION - others;
  return parts.map((part) => part / MILLION);
}
