import { timeOf } from '../../domain/observations/observation.ts';
import { isWatchedMarket, watchedMarketsOf } from '../../domain/odds/bookmaker-prices.ts';
import { expandReconfirmation } from '../../domain/streams/observed-order.ts';
import { comparePriceUpdates } from '../../intelligence/prices/closing-lines.ts';
import type { PriceFold, PriceFoldKind } from '../../intelligence/prices/price-fold.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';
import type { FoldRule } from '../../read-models/as-of/ordered-fold.ts';

/** Folds the updates of the watched markets of an event's odds. */
export const priceRule = (kind: PriceFoldKind<PriceFold>): FoldRule<PriceFold, PriceUpdate> => ({
  name: `prices ${kind.stored.name}`,
  version: kind.stored.version,
  needsOriginals: true,
  begin: kind.begin,
  itemOf(record, original) {
    const { type, data } = expandReconfirmation(record, original);
    if (type !== 'PricesChanged') return undefined;
    const { bookmaker, markets } = data.content;
    const depth = data.depth?.filter(isWatchedMarket);
    return {
      at: timeOf(data.at),
      bookmaker,
      markets: watchedMarketsOf(markets),
      ...(depth?.length ? { depth } : {}),
    };
  },
  compare: comparePriceUpdates,
  apply: (fold, update) => fold.apply(update),
  save: (fold) => fold.save(),
  restore: kind.restore,
});
