import { LRUCache } from 'lru-cache';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { AsOf } from './as-of.ts';
import { AsOfFold } from './as-of-fold.ts';
import { RECORD_ORDERS } from './ordered-records.ts';
import { createRecordPages } from './record-pages.ts';

/** Documents as of any moment, folded from the log. */
export interface DocumentHistory {
  /**
   * The documents that the streams of `key` feed, by key, folded with `apply` of the projection from everything known
   * at a moment: the answer that the server would have given then. Rejects with errors of the log.
   */
  documentsAsOf<Doc>(projection: Projection<Doc>, key: string, asOf: AsOf): Promise<ReadonlyMap<string, Doc>>;
  /**
   * The stream that has the records for answers as of a moment; without one, now. After an operator has mended an
   * event, what was `recorded` by an earlier moment is what its former streams say.
   * @param stream the plain name, such as `odds-5`
   */
  currentStream(stream: string, asOf: AsOf | undefined): string;
  /**
   * Some records of a stream from a revision on; none at its end. With a moment `recorded`, everything that was recorded
   * by then is in the log when they are read. Rejects with errors of the log.
   */
  recordsFrom(stream: string, revision: number, asOf: AsOf | undefined): Promise<readonly DomainRecord[]>;
  /** The memory that is kept for later answers. */
  readonly size: CacheSize;
}

interface DocumentHistoryOptions {
  /** Approximate memory limit for recently used records, their order and the snapshots of folds; default 128 MiB. */
  readonly maxBytes?: number;
  /** Records between two snapshots, more if the history is long; default 256. */
  readonly snapshotEvery?: number;
}

const EMPTY_BYTES = 500;
/** One fold may use one part in so many of the memory of all folds. */
const MAX_SHARE_OF_ONE = 4;

/**
 * Keeps the order of the records of recently used streams, snapshots of the folds, and some of the records. The log
 * only grows, so each read fetches only the new records, and no answer is older than the log. Of a long history only
 * snapshots at larger distances are kept: an answer then reads and folds the records between two of them.
 */
export function createDocumentHistory(
  log: Pick<EventLog, 'readStream' | 'replacements' | 'waitUntilFinal'>,
  { maxBytes = 128 * 1024 * 1024, snapshotEvery = 256 }: DocumentHistoryOptions = {},
): DocumentHistory {
  const foldBytes = Math.ceil(maxBytes / 2);
  const pages = createRecordPages(log, Math.ceil(maxBytes / 2));
  const sizeCalculation = (fold: AsOfFold<unknown>) => EMPTY_BYTES + fold.bytes;
  const folds = new LRUCache<string, AsOfFold<unknown>>({ maxSize: foldBytes, sizeCalculation });

  const currentStream = (stream: string, asOf: AsOf | undefined): string =>
    log.replacements.current(stream, asOf?.basis === 'recorded' ? asOf.at : undefined);

  return {
    currentStream,
    get size() {
      return { bytes: folds.calculatedSize + pages.bytes, limit: maxBytes };
    },
    async recordsFrom(stream, revision, asOf) {
      if (asOf?.basis === 'recorded') await log.waitUntilFinal?.(asOf.at);
      return pages.recordsFrom(stream, revision);
    },
    async documentsAsOf<Doc>(projection: Projection<Doc>, key: string, { at, basis }: AsOf) {
      // A record that comes later must not change the answer of now.
      if (basis === 'recorded') await log.waitUntilFinal?.(at);
      const streams = projection.streams!(key).map((stream) => currentStream(stream, { at, basis }));
      const id = `${projection.name} ${basis} ${streams.join(' ')}`;
      const cached = folds.get(id) as AsOfFold<Doc> | undefined;
      const order = RECORD_ORDERS[basis];
      const maxSnapshotBytes = Math.ceil(foldBytes / MAX_SHARE_OF_ONE);
      const fold = cached ?? new AsOfFold(projection, streams, { pages, order, snapshotEvery, maxSnapshotBytes });
      // Before it is loaded: concurrent callers wait for the same fold.
      if (!cached) folds.set(id, fold as AsOfFold<unknown>);
      try {
        return await fold.documentsAt(at);
      } finally {
        const stillCached = folds.peek(id);
        // Set it again, since it has grown and the cache measures only on `set`. Histories without records are not
        // kept: there are many unknown ids.
        if (stillCached === fold) folds.delete(id);
        if (!fold.isEmpty && (stillCached === fold || !stillCached)) folds.set(id, fold as AsOfFold<unknown>);
      }
    },
  };
}
