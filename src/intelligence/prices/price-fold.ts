import type { PriceUpdate } from './quote-board.ts';

/** What is made from the price updates of an event, in the order of `comparePriceUpdates`. */
export interface PriceFold {
  apply(update: PriceUpdate): void;
  /** Updates of this moment or earlier can no longer be applied: milliseconds. */
  readonly newestMoment: number;
}

export interface PriceFoldKind<Fold extends PriceFold> {
  /** Two kinds of the same name make the same from the same updates. */
  readonly name: string;
  begin(): Fold;
}
