import type { PriceUpdate } from './quote-board.ts';

/** What is made from the price updates of an event, in the order of `comparePriceUpdates`. */
export interface PriceFold {
  apply(update: PriceUpdate): void;
  /** Updates of this moment or earlier can no longer be applied: milliseconds. */
  readonly newestMoment: number;
  /** All that it knows, as something that can be copied structurally; undefined: it is worth nothing. */
  save(): unknown;
}

export interface PriceFoldKind<Fold extends PriceFold> {
  /** Two kinds of the same name make the same from the same updates, in this process. */
  readonly name: string;
  /**
   * Two kinds of the same stored name and version restore each other's folds, also in other processes, or know that
   * they cannot. Another version makes all folds of the name anew.
   */
  readonly stored: { readonly name: string; readonly version: string };
  begin(): Fold | Promise<Fold>;
  /** @param saved a copy of what a fold saved @returns undefined if this kind would not have come to the same */
  restore(saved: any): Fold | undefined | Promise<Fold | undefined>;
}
