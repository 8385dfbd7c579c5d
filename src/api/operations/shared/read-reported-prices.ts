import { type PriceHistory, priceHistory } from '../../../../projections/odds/price-history.ts';
import { compareCanonical } from '../../../domain/primitives/canonical-json.ts';
import type { PriceUpdate } from '../../../intelligence/prices/quote-board.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

/** All records of the log, even those ahead of the clock. */
const LATEST: AsOf = { at: Number.MAX_SAFE_INTEGER, basis: 'recorded' };

/** All reports about the prices of an event, until now or until a moment; undefined if the event is unknown. */
export async function readReportedPrices(
  context: Pick<OperationContext, 'store' | 'histories'>,
  id: number,
  asOf: AsOf | undefined,
): Promise<PriceHistory | undefined> {
  return (await context.histories.documentsAsOf(priceHistory, String(id), asOf ?? LATEST)).get(String(id));
}

/**
 * Sorted by the time of the reports, whatever the order of their arrival; equal times in the canonical order of the
 * price state.
 */
export function sortReportedPrices({ contents, reports }: PriceHistory): PriceUpdate[] {
  return reports
    .flatMap(([at, revision]) => (contents[revision] ? [{ at, ...contents[revision] }] : []))
    .sort((a, b) => a.at - b.at || compareCanonical(a, b));
}
