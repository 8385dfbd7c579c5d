import { recordsBehind } from '../../../projections/records-behind.ts';
import { foldOf } from '../../domain/fold.ts';
import { asObserved, compareObserved } from '../../domain/observed-order.ts';
import type { Projection } from '../../domain/projection.ts';
import { breathe } from '../../platform/time/breathe.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../calls/operation.ts';

/**
 * A document of a sports event as it was known at a moment, or at two: of what the server knew at a recorded one, what
 * had been observed by the other. Undefined where nothing was known.
 */
export async function documentThen<Doc>(
  { histories }: Pick<OperationContext, 'histories'>,
  projection: Projection<Doc>,
  key: string,
  moment: AsOf,
  observed?: AsOf,
): Promise<Doc | undefined> {
  if (!observed) return (await histories.fold(projection, key, moment)).get(key);
  const records = (await histories.fold(recordsBehind(projection), key, moment)).get(key)?.records ?? [];
  const byPlace = new Map(records.map((record) => [placeOf(record.stream, record.revision), record]));
  const inOrder = records
    .map((record) =>
      asObserved(record, 'of' in record.data ? byPlace.get(placeOf(record.stream, record.data.of)) : undefined),
    )
    .filter(({ at }) => at <= observed.at)
    .sort(compareObserved);
  const fold = foldOf<Doc>(projection);
  const documents = new Map<string, Doc>();
  for (const { record } of inOrder) {
    fold.into(documents, record);
    await breathe();
  }
  return documents.get(key);
}

const placeOf = (stream: string, revision: number): string => `${revision} ${stream}`;
