/**
 * What may still become of a game, as a bookmaker sees it. Probabilities hold until the end of what is bet on.
 * Points are multiples of one half that are no whole numbers, so that no bet is returned.
 */
export interface Chances {
  /** The probabilities that the first side wins, that the second does and, where draws exist, that nobody does. The sum
   *  is 1. */
  readonly win: readonly [first: number, second: number] | readonly [first: number, second: number, draw: number];
  /** The expected final margin of the first side, and the expected final total. */
  readonly margin: number;
  readonly total: number;
  /** The least handicap that is offered. */
  readonly leastSpread: number;
  /** Probability that the first side's margin and `point` together are above 0. */
  cover(point: number): number;
  /** Probability that the total is above `point`. */
  over(point: number): number;
}

/** A pair of numbers for the two sides. */
export type Pair = readonly [first: number, second: number];

/** Computes once, when it is first asked for. */
export function lazy<T>(compute: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}
