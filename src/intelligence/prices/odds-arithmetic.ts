import { divideRounded } from './rounding.ts';

/**
 * Arithmetic of American odds: integers of at least 100 either way. Probabilities that come in are published ones, with
 * six decimals, and all that follows from them is computed in whole numbers, so that it is what a client computes with
 * exact arithmetic. Nothing here is rounded twice.
 */

/** Of a bet that wins back `paid` for each `staked`. */
const termsOf = (price: number): readonly [staked: number, paid: number] =>
  price > 0 ? [100, 100 + price] : [-price, 100 - price];

const MILLION = 1_000_000;
const millionths = (probability: number): number => Math.round(probability * MILLION);

/** Decimal odds, stake included: 2.5 for +150. */
export function decimalOdds(price: number): number {
  const [staked, paid] = termsOf(price);
  return paid / staked;
}

/** The probability that a price stands for, the bookmaker's margin included: 0.4 for +150. */
export function impliedProbability(price: number): number {
  const [staked, paid] = termsOf(price);
  return staked / paid;
}

/** The American price without a margin of a probability between 0 and 1; an even chance is +100. */
export function fairPrice(probability: number): number {
  const chance = millionths(probability);
  const other = MILLION - chance;
  return chance > other ? -divideRounded(100 * chance, other) : divideRounded(100 * other, chance);
}

/** How much better a price is than fair: the fair probability less the implied one, six decimals. It is no profit. */
export function priceGap(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return divideRounded(millionths(fair) * paid - MILLION * staked, paid) / MILLION;
}

/** What 100 staked earn on average at the fair probability, pushes left out; two decimals. */
export function evPercent(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return divideRounded(millionths(fair) * paid - MILLION * staked, 100 * staked) / 100;
}

/** The full Kelly stake as a part of what one has, four decimals, at most 1. Meant for an EV above 0. */
export function kellyFraction(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return Math.min(1, divideRounded(millionths(fair) * paid - MILLION * staked, 100 * (paid - staked)) / 10_000);
}
