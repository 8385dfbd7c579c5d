import { isAverageOfBooks } from '../catalogue/catalogue.ts';

/**
 * Whether a price lies far outside every other of its line. The rule that makes such a price suspect is in
 * `src/intelligence/prices/suspect-prices.ts`.
 */

/** A price that was named longer ago than this is withdrawn: 75 minutes, in milliseconds. */
export const MAX_PRICE_AGE = 75 * 60_000;

const MIN_WITNESSES = 2;
/** Far: implied probabilities, with their margins, that differ by this much, */
const FAR = 0.08;
/** or whose odds `r / (1 - r)` differ by this factor, which tells longshots apart. */
const FAR_ODDS = 4;

/** What one book says of one outcome. */
export interface StandingPrice {
  /** The implied probability, with the margin. */
  readonly implied: number;
  /** When it was last named: milliseconds. */
  readonly at: number;
}

/** -1: the price implies far less than the other one; 1: far more; 0: it is near. */
export function farSideOf(own: number, other: number): -1 | 0 | 1 {
  const isFar =
    Math.abs(own - other) >= FAR ||
    own * (1 - other) >= FAR_ODDS * other * (1 - own) ||
    other * (1 - own) >= FAR_ODDS * own * (1 - other);
  return isFar ? (own < other ? -1 : 1) : 0;
}

/**
 * Whether a book bears out prices of another one. An average has no view of its own: it moves with the price that it
 * would bear out.
 */
export const isWitness = (book: string): boolean => !isAverageOfBooks(book);

/**
 * Whether an unrepeated price lies far outside all others. Ends at the first that is near: mostly at the first.
 * @param priceOf undefined: that one is no other price, or no witness
 */
export function liesFarOutside<Other>(
  own: StandingPrice,
  others: Iterable<Other>,
  priceOf: (other: Other) => StandingPrice | undefined,
): boolean {
  let witnesses = 0;
  let side: -1 | 0 | 1 = 0;
  for (const other of others) {
    const price = priceOf(other);
    if (!price || own.at - price.at > MAX_PRICE_AGE) continue;
    const { implied } = price;
    const found = farSideOf(own.implied, implied);
    if (found === 0 || (side !== 0 && found !== side)) return false;
    side = found;
    witnesses++;
  }
  return witnesses >= MIN_WITNESSES;
}
