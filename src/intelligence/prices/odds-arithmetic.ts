import { impliedByAmerican } from '../../domain/odds/american-odds.ts';
import { divideRounded } from './rounding.ts';

/**
 * Arithmetic of American odds, which are integers of at least 100 in absolute value. Probabilities that come in are
 * published ones with six decimals. All results are computed in whole numbers, so a client with exact arithmetic gets
 * the same. Nothing is rounded twice.
 */

/** The terms of a bet: a stake of `staked` returns `paid`. */
const termsOf = (price: number): readonly [staked: number, paid: number] =>
  price > 0 ? [100, 100 + price] : [-price, 100 - price];

const MILLION = 1_000_000;
const millionths = (probability: number): number => Math.round(probability * MILLION);

/** Decimal odds, including the stake: 2.5 for +150. */
export function decimalOdds(price: number): number {
  const [staked, paid] = termsOf(price);
  return paid / staked;
}

/** The probability that a price implies, including the bookmaker's margin: 0.4 for +150. */
export const impliedProbability = impliedByAmerican;

/** The American price, without a margin, of a probability between 0 and 1; an even chance is +100. */
export function fairAmericanPrice(probability: number): number {
  const chance = millionths(probability);
  const other = MILLION - chance;
  return chance > other ? -divideRounded(100 * chance, other) : divideRounded(100 * other, chance);
}

/**
 * How much better a price is than fair: the fair probability minus the implied one, six decimals. This is not a profit.
 */
export function priceGap(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return divideRounded(millionths(fair) * paid - MILLION * staked, paid) / MILLION;
}

/** The average profit on a stake of 100 at the fair probability, without pushes; two decimals. */
export function evPercent(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return divideRounded(millionths(fair) * paid - MILLION * staked, 100 * staked) / 100;
}

/** The full Kelly stake as a share of the bankroll, four decimals, at most 1. Only meaningful for an EV above 0. */
export function kellyFraction(fair: number, price: number): number {
  const [staked, paid] = termsOf(price);
  return Math.min(1, divideRounded(millionths(fair) * paid - MILLION * staked, 100 * (paid - staked)) / 10_000);
}
