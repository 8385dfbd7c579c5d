import { LRUCache } from 'lru-cache';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { AsOf } from './as-of.ts';
import { AsOfFold } from './as-of-fold.ts';
import { RECORD_ORDERS } from './ordered-records.ts';
import { createRecordPages } from './record-pages.ts';

/** Documents as of any moment, folded from the log. */
export interface DocumentHistory {
  /**
   * The documents that the streams of `key` feed, by key, as the projection's own `apply` folds them from what was
   * known at a moment: the answer is the one that the server would have given then. Rejects with errors of the log.
   */
  documentsAsOf<Doc>(projection: Projection<Doc>, key: string, asOf: AsOf): Promise<ReadonlyMap<string, Doc>>;
  /** What is kept for the next one. */
  readonly size: CacheSize;
}

interface DocumentHistoryOptions {
  /** About how much memory may be taken by the records that were asked for lately, by their order, and by snapshots of
   *  what was folded of them; default 128 MiB. */
  readonly maxBytes?: number;
  /** So many records lie between snapshots, more where the history is long; default 256. */
  readonly snapshotEvery?: number;
}

const EMPTY_BYTES = 500;
/** One fold may take this part of what all of them may. */
const MAX_SHARE_OF_ONE = 4;

/**
 * Keeps where the records of the streams that were asked for lately stand, with snapshots of what they fold to, and
 * some of the records. The log only grows, so that each read brings what is new at the streams' ends and nothing else,
 * and no answer is older than the log. Of a long history only the snapshots are kept, further apart: an answer then
 * reads and folds what lies between two of them.
 */
export function createDocumentHistory(
  log: Pick<EventLog, 'readStream' | 'waitUntilFinal'>,
  { maxBytes = 128 * 1024 * 1024, snapshotEvery = 256 }: DocumentHistoryOptions = {},
): DocumentHistory {
  const ofFolds = Math.ceil(maxBytes / 2);
  const pages = createRecordPages(log, Math.ceil(maxBytes / 2));
  const sizeCalculation = (fold: AsOfFold<unknown>) => EMPTY_BYTES + fold.bytes;
  const folds = new LRUCache<string, AsOfFold<unknown>>({ maxSize: ofFolds, sizeCalculation });

  return {
    get size() {
      return { bytes: folds.calculatedSize + pages.bytes, limit: maxBytes };
    },
    async documentsAsOf<Doc>(projection: Projection<Doc>, key: string, { at, basis }: AsOf) {
      // What is recorded later must not change what is told now.
      if (basis === 'recorded') await log.waitUntilFinal?.(at);
      const streams = projection.streams!(key);
      const id = `${projection.name} ${basis} ${streams.join(' ')}`;
      const known = folds.get(id) as AsOfFold<Doc> | undefined;
      const order = RECORD_ORDERS[basis];
      const maxSnapshotBytes = Math.ceil(ofFolds / MAX_SHARE_OF_ONE);
      const fold = known ?? new AsOfFold(projection, streams, { pages, order, snapshotEvery, maxSnapshotBytes });
      // Before it is made: others that ask meanwhile wait for the same one.
      if (!known) folds.set(id, fold as AsOfFold<unknown>);
      try {
        return await fold.documentsAt(at);
      } finally {
        const present = folds.peek(id);
        // Anew, for it has grown, and only what is new is measured. Of unknown ids there are many: they are not kept.
        if (present === fold) folds.delete(id);
        if (!fold.isEmpty && (present === fold || !present)) folds.set(id, fold as AsOfFold<unknown>);
      }
    },
  };
}
