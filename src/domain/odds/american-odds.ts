/** Limit of a price in the feed contract, positive or negative. */
export const LARGEST_PRICE = 1_000_000;

/**
 * Converts a decimal price (including the stake) to American odds: nearest integer, halves away from zero; 2.0 is +100.
 * Undefined for 1 or less, for NaN, and beyond the limit of the feed contract (1,000,000 either way). The result is at
 * least 100 in absolute value.
 */
export function americanFromDecimal(decimal: number): number | undefined {
  if (!(decimal > 1) || decimal > LARGEST_PRICE) return undefined;
  // Use integers from the decimal digits: 2.005 - 1 is 1.00499... in binary and would lose its half.
  const [whole = '0', fraction = ''] = String(decimal).split('.');
  const scale = 10 ** fraction.length;
  const profit = (Number(whole) - 1) * scale + Number(fraction);
  const american = decimal >= 2 ? Math.round((100 * profit) / scale) : -Math.round((100 * scale) / profit);
  return Math.abs(american) <= LARGEST_PRICE ? american : undefined;
}

/** Shorter prices need more decimals: two decimals would make them equal. */
const SHORT = -10_000;

/**
 * Converts American odds to a decimal price (including the stake): 2 decimals, below -10000 4 decimals, halves rounded
 * up.
 */
export function decimalFromAmerican(price: number): number {
  if (price > 0) return (100 + price) / 100;
  const scale = price < SHORT ? 10_000 : 100;
  const size = -price;
  // Use integers, so that a half is exact.
  const profit = Math.floor((200 * scale + size) / (2 * size));
  return (scale + profit) / scale;
}

/**
 * The decimal price of a source, if it is more precise than the American price sent with it. Undefined if both are
 * equal after conversion, or if they are different prices.
 */
export function statedDecimal(price: number, decimal: number | undefined): number | undefined {
  if (decimal === undefined || americanFromDecimal(decimal) !== price) return undefined;
  return decimal === decimalFromAmerican(price) ? undefined : decimal;
}

/** The probability that American odds imply, including the bookmaker's margin: 0.4 for +150. */
export const impliedByAmerican = (price: number): number => (price > 0 ? 100 / (100 + price) : -price / (100 - price));
