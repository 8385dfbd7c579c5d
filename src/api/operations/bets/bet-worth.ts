import type { BetResult } from '../../../domain/grading/leg-result.ts';
import { payoutFactor } from '../../../domain/grading/payout.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { roundTo } from '../../../intelligence/prices/rounding.ts';

/** Decimals of money and fractions, as of published probabilities. */
const DECIMALS = 6;

interface Taken {
  /** American odds. */
  readonly price: number;
  /** The decimal odds that were given; null or absent: those of `price`. */
  readonly decimal?: number | null;
  readonly stake: number;
}

const decimalOf = ({ price, decimal }: Omit<Taken, 'stake'>): number => decimal ?? decimalOdds(price);

/** What a bet has won or lost, in the unit of its stake; null while that is not decided. */
export function profitOf(taken: Taken, result: BetResult | null): number | null {
  const factor = payoutFactor(result, decimalOf(taken));
  return factor === null ? null : roundTo(taken.stake * (factor - 1), DECIMALS);
}

/** How much better than the fair closing price a price was, as a fraction. @param close fair closing probability */
export const closingValue = (taken: Omit<Taken, 'stake'>, close: number): number =>
  roundTo(decimalOf(taken) * close - 1, DECIMALS);

/** The mean of the known values; null if none is known. */
export function meanOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : roundTo(known.reduce((sum, value) => sum + value, 0) / known.length, DECIMALS);
}

/** The sum of the known values; null if none is known. */
export function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0
    ? null
    : roundTo(
        known.reduce((sum, value) => sum + value, 0),
        DECIMALS,
      );
}
