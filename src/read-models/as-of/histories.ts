import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/cache-size.ts';
import type { Projection } from '../../domain/projection.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { AsOf } from './as-of.ts';
import { OrderedFold } from './ordered-fold.ts';
import { RECORD_ORDERS } from './record-order.ts';
import { createRecordPages } from './record-pages.ts';

/** Documents as of any moment, folded from the log. */
export interface Histories {
  /**
   * The documents that the streams of `key` feed, by key, as the projection's own `apply` folds them from what was
   * known at a moment: the answer is the one that the server would have given then. Rejects with errors of the log.
   */
  fold<Doc>(projection: Projection<Doc>, key: string, asOf: AsOf): Promise<ReadonlyMap<string, Doc>>;
  /** What is kept for the next one. */
  readonly size: CacheSize;
}

export interface HistoriesOptions {
  /** About how much memory may be taken by the records that were asked for lately, by their order, and by snapshots of
   *  what was folded of them; default 128 MiB. */
  readonly maxBytes?: number;
  /** So many records lie between snapshots, more where the history is long; default 256. */
  readonly snapshotEvery?: number;
}

const EMPTY_BYTES = 500;
/** One fold may take this part of what all of them may. */
const PARTS = 4;

/**
 * Keeps where the records of the streams that were asked for lately stand, with snapshots of what they fold to, and
 * some of the records. The log only grows, so that each read brings what is new at the streams' ends and nothing else,
 * and no answer is older than the log. Of a long history only the snapshots are kept, further apart: an answer then
 * reads and folds what lies between two of them.
 */
export function createHistories(
  log: Pick<EventLog, 'readStream' | 'settled'>,
  { maxBytes = 128 * 1024 * 1024, snapshotEvery = 256 }: HistoriesOptions = {},
): Histories {
  const ofFolds = Math.ceil(maxBytes / 2);
  const pages = createRecordPages(log, Math.ceil(maxBytes / 2));
  const sizeCalculation = (fold: OrderedFold<unknown>) => EMPTY_BYTES + fold.bytes;
  const folds = new LRUCache<string, OrderedFold<unknown>>({ maxSize: ofFolds, sizeCalculation });

  return {
    get size() {
      return { bytes: folds.calculatedSize + pages.bytes, limit: maxBytes };
    },
    async fold<Doc>(projection: Projection<Doc>, key: string, { at, basis }: AsOf) {
      // What is recorded later must not change what is told now.
      if (basis === 'recorded') await log.settled?.(at);
      const streams = projection.streams!(key);
      const id = `${projection.name} ${basis} ${streams.join(' ')}`;
      const known = folds.get(id) as OrderedFold<Doc> | undefined;
      const order = RECORD_ORDERS[basis];
      const mostSnapshotBytes = Math.ceil(ofFolds / PARTS);
      const fold = known ?? new OrderedFold(projection, streams, { pages, order, snapshotEvery, mostSnapshotBytes });
      // Before it is made: others that ask meanwhile wait for the same one.
      if (!known) folds.set(id, fold as OrderedFold<unknown>);
      try {
        return await fold.at(at);
      } finally {
        const present = folds.peek(id);
        // Anew, for it has grown, and only what is new is measured. Of unknown ids there are many: they are not kept.
        if (present === fold) folds.delete(id);
        if (!fold.isEmpty && (present === fold || !present)) folds.set(id, fold as OrderedFold<unknown>);
      }
    },
  };
}
