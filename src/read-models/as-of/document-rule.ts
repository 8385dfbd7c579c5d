import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { ObservedRecord } from '../../domain/streams/observed-order.ts';
import type { FoldRule } from './ordered-fold.ts';
import type { RecordOrder } from './record-orders.ts';

type Documents<Doc> = Map<string, Doc>;

/** Folds the documents of a projection, by key. */
export function documentRule<Doc>(
  projection: Projection<Doc>,
  order: RecordOrder,
): FoldRule<Documents<Doc>, ObservedRecord> {
  const fold = createFold(projection);
  return {
    name: `${projection.name} ${order.name}`,
    version: projection.holdsRecords ? undefined : String(projection.version),
    needsOriginals: order.expandsReconfirmations,
    begin: () => new Map(),
    itemOf(record, original) {
      const ordered = order.toOrdered(record, original);
      // Only now: in observed order, a reconfirmation has the type of the record that it repeats.
      return fold.handles(ordered.record.type) ? ordered : undefined;
    },
    compare: (a, b) => a.rank - b.rank || order.compare(a, b),
    apply: (documents, { record }) => void fold.applyInto(documents, record),
    save: (documents) => documents,
    restore: (documents) => documents,
  };
}
