import { type PriceHistory, priceHistory } from '../../../../projections/odds/price-history.ts';
import { compareCanonical } from '../../../domain/primitives/canonical-json.ts';
import type { PriceUpdate } from '../../../intelligence/prices/quote-board.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { foldDocuments } from './read-documents.ts';

/** All that the log holds, whatever the clock says. */
const LATEST: AsOf = { at: Number.MAX_SAFE_INTEGER, basis: 'recorded' };

/** All that was said of the prices of an event, until now or until a moment; undefined of one that is not known. */
export async function readReportedPrices(
  context: Pick<OperationContext, 'store' | 'histories'>,
  id: number,
  asOf: AsOf | undefined,
): Promise<PriceHistory | undefined> {
  return (await foldDocuments(context, priceHistory, String(id), asOf ?? LATEST)).get(String(id));
}

/** In the order in which it was said, whatever the order in which it came; of one time as the state of prices has it. */
export function sortReportedPrices({ contents, reports }: PriceHistory): PriceUpdate[] {
  return reports
    .flatMap(([at, revision]) => (contents[revision] ? [{ at, ...contents[revision] }] : []))
    .sort((a, b) => a.at - b.at || compareCanonical(a, b));
}
