import { type ToldPrices, toldPrices } from '../../../projections/told-prices.ts';
import { compareCanonical } from '../../domain/canonical.ts';
import type { ToldPrice } from '../../intelligence/prices/quote-board.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../calls/operation.ts';
import { foldDocuments } from './reading.ts';

/** All that the log holds, whatever the clock says. */
const PRESENT: AsOf = { at: Number.MAX_SAFE_INTEGER, basis: 'recorded' };

/** All that was said of the prices of an event, until now or until a moment; undefined of one that is not known. */
export async function readToldPrices(
  context: Pick<OperationContext, 'store' | 'histories'>,
  id: number,
  asOf: AsOf | undefined,
): Promise<ToldPrices | undefined> {
  return (await foldDocuments(context, toldPrices, String(id), asOf ?? PRESENT)).get(String(id));
}

/** In the order in which it was said, whatever the order in which it came; of one time as the state of prices has it. */
export function toldInOrder({ contents, told }: ToldPrices): ToldPrice[] {
  return told
    .flatMap(([at, revision]) => (contents[revision] ? [{ at, ...contents[revision] }] : []))
    .sort((a, b) => a.at - b.at || compareCanonical(a, b));
}
