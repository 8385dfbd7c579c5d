import type { PriceUpdate } from './quote-board.ts';

/** What is made from the price updates of an event, in the order of `comparePriceUpdates`. */
export interface PriceFold {
  apply(update: PriceUpdate): void;
  /** Updates of this moment or earlier can no longer be applied: milliseconds. */
  readonly newestMoment: number;
  /** All that it knows, as something that can be copied structurally. */
  save(): unknown;
}

export interface PriceFoldKind<Fold extends PriceFold> {
  /** Two kinds of the same name make the same from the same updates, in this process. */
  readonly name: string;
  /**
   * Two kinds of the same name and version make the same in all processes, so that their folds can be stored. Absent:
   * the name means nothing to others.
   */
  readonly version?: string | undefined;
  begin(): Fold;
  /** @param saved a copy of what a fold of this kind saved */
  restore(saved: any): Fold;
}
