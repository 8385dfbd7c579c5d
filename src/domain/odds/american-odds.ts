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

/** Shorter prices than this have more decimals: two would not tell them apart. */
const SHORT = -10_000;

/** The decimal price (stake included) of American odds: to 2 decimals, below -10000 to 4, halves up. */
export function decimalFromAmerican(price: number): number {
  if (price > 0) return (100 + price) / 100;
  const scale = price < SHORT ? 10_000 : 100;
  const size = -price;
  // In whole numbers, so that a half is one.
  const profit = Math.floor((200 * scale + size) / (2 * size));
  return (scale + profit) / scale;
}

/**
 * The decimal price as a source states it, where it says more than the American one that comes with it. Undefined where
 * that gives the same one, and where the two are not the same price.
 */
export function statedDecimal(price: number, decimal: number | undefined): number | undefined {
  if (decimal === undefined || americanFromDecimal(decimal) !== price) return undefined;
  return decimal === decimalFromAmerican(price) ? undefined : decimal;
}
