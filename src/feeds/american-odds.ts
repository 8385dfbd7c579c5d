/** The feed contract's bound of a price, either way. */
const LARGEST = 1_000_000;

/**
 * American odds of a decimal price (stake included): the nearest integer, halves away from zero; 2.0 is +100.
 * Undefined for a price of 1 or less, for what is no number, and beyond what the feed contract can carry
 * (1,000,000 either way). The result is at least 100 in absolute value.
 */
export function americanFromDecimal(decimal: number): number | undefined {
  if (!(decimal > 1) || decimal > LARGEST) return undefined;
  // In whole numbers, from the price as it is written: 2.005 - 1 is 1.00499... in binary, and would lose its half.
  const [whole = '0', fraction = ''] = String(decimal).split('.');
  const scale = 10 ** fraction.length;
  const profit = (Number(whole) - 1) * scale + Number(fraction);
  const american = decimal >= 2 ? Math.round((100 * profit) / scale) : -Math.round((100 * scale) / profit);
  return Math.abs(american) <= LARGEST ? american : undefined;
}
