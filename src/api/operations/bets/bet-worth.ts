import type { BetResult } from '../../../domain/grading/leg-result.ts';
import { payoutFactor } from '../../../domain/grading/payout.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { roundTo } from '../../../intelligence/prices/rounding.ts';

/** Decimals of money and fractions, as of published probabilities. */
const DECIMALS = 6;

interface Taken {
  /** American odds. */
  readonly price: number;
  readonly stake: number;
}

/** What a bet has won or lost, in the unit of its stake; null while that is not decided. */
export function profitOf({ price, stake }: Taken, result: BetResult | null): number | null {
  const factor = payoutFactor(result, decimalOdds(price));
  return factor === null ? null : roundTo(stake * (factor - 1), DECIMALS);
}

/** How much better than the fair closing price a price was, as a fraction. @param close fair closing probability */
export const closingValue = (price: number, close: number): number => roundTo(decimalOdds(price) * close - 1, DECIMALS);

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
