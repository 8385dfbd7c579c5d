/** The possible results of a game, as a bookmaker sees them. Probabilities concern the end of the period that bets are
 *  on. Points are odd multiples of one half, so that no bet is returned. */
export interface Chances {
  /** The probabilities that the first side wins, that the second side wins and, if draws exist, of a draw. The sum is
   *  1. */
  readonly win: readonly [first: number, second: number] | readonly [first: number, second: number, draw: number];
  /** The expected final margin of the first side, and the expected final total. */
  readonly margin: number;
  readonly total: number;
  /** The lowest handicap that is offered. */
  readonly leastSpread: number;
  /** Probability that the first side's margin plus `point` is above 0. */
  cover(point: number): number;
  /** Probability that the total is above `point`. */
  over(point: number): number;
}

/** A pair of numbers for the two sides. */
export type Pair = readonly [first: number, second: number];

/** Computes the value at the first call only. */
export function lazy<T>(compute: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}
