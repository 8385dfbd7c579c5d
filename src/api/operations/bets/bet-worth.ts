import type { LegSide } from '../../../domain/grading/leg.ts';
import { isSettledLeg, type LegOutcome } from '../../../domain/grading/leg-result.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { roundTo } from '../../../intelligence/prices/rounding.ts';

/** Decimals of money and fractions, as of published probabilities. */
const DECIMALS = 6;

type Outcome = Pick<LegOutcome, 'result' | 'message'>;

/** Quarter lines of soccer end so where the two halves of the stake end differently. */
const HALVES: ReadonlyMap<string | null, 1 | -1> = new Map([
  ['half won', 1],
  ['half lost', -1],
]);

/** Whether half of the stake is decided, and the other half comes back. */
export const isHalfDecided = ({ result, message }: Outcome): boolean => result === null && HALVES.has(message);

interface Taken {
  readonly side: LegSide;
  /** American odds. */
  readonly price: number;
  readonly stake: number;
}

/** What a bet has won or lost, in the unit of its stake; null while that is not decided. */
export function profitOf({ side, price, stake }: Taken, outcome: Outcome): number | null {
  const gain = stake * (decimalOdds(price) - 1);
  const { result, message } = outcome;
  if (isHalfDecided(outcome)) return roundTo((HALVES.get(message) === 1 ? gain : -stake) / 2, DECIMALS);
  if (!isSettledLeg(result)) return null;
  if (result === 'push' || result === 'void' || result === 'dnp') return 0;
  return roundTo(result === 'won' || result === side ? gain : -stake, DECIMALS);
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
