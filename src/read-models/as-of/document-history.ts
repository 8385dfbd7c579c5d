import { LRUCache } from 'lru-cache';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { AsOf } from './as-of.ts';
import { documentRule } from './document-rule.ts';
import { type FoldAnswer, type FoldRule, OrderedFold } from './ordered-fold.ts';
import { RECORD_ORDERS, type RecordOrder } from './record-orders.ts';
import { createRecordPages } from './record-pages.ts';
import type { FoldStoring } from './sealed-parts.ts';

/** Documents as of any moment, folded from the log. */
export interface DocumentHistory {
  /**
   * The documents that the streams of `key` feed, by key, folded with `apply` of the projection from everything known
   * at a moment: the answer that the server would have given then. Rejects with errors of the log.
   */
  documentsAsOf<Doc>(projection: Projection<Doc>, key: string, asOf: AsOf): Promise<ReadonlyMap<string, Doc>>;
  /**
   * What a rule makes of streams in the order of observation, from all that is known now or was known at a moment. The
   * caller may change the state. Rejects with errors of the log.
   * @param streams by their own names, as from `currentStream`
   */
  observedFold<State, Item>(
    rule: FoldRule<State, Item>,
    streams: readonly string[],
    asOf: AsOf | undefined,
  ): Promise<FoldAnswer<State>>;
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
  /** Approximate memory limit for recently used records, their times and the snapshots of folds; default 128 MiB. */
  readonly maxBytes?: number;
  /** Records between two snapshots in memory, more if the history is long; default 256. */
  readonly snapshotEvery?: number;
  /** Where the folds of long histories are stored; absent: nowhere. */
  readonly storing?: FoldStoring | undefined;
}

const EMPTY_BYTES = 500;
/** One fold may use one part in so many of the memory of all folds. */
const MAX_SHARE_OF_ONE = 4;

/**
 * Keeps the times of the records of recently used streams, snapshots of the folds, and some of the records. The log
 * only grows, so each read fetches only the new records, and no answer is older than the log. Of a long history only
 * snapshots at larger distances are kept: an answer then reads and folds the records between two of them. Some of them
 * are stored, so that a history is folded as a whole once, and not once after each start.
 */
export function createDocumentHistory(
  log: Pick<EventLog, 'readStream' | 'replacements' | 'waitUntilFinal'>,
  { maxBytes = 128 * 1024 * 1024, snapshotEvery = 256, storing }: DocumentHistoryOptions = {},
): DocumentHistory {
  const foldBytes = Math.ceil(maxBytes / 2);
  const maxSnapshotBytes = Math.ceil(foldBytes / MAX_SHARE_OF_ONE);
  const pages = createRecordPages(log, Math.ceil(maxBytes / 2));
  const sizeCalculation = (fold: OrderedFold<any, any>) => EMPTY_BYTES + fold.bytes;
  const folds = new LRUCache<string, OrderedFold<any, any>>({ maxSize: foldBytes, sizeCalculation });

  const currentStream = (stream: string, asOf: AsOf | undefined): string =>
    log.replacements.current(stream, asOf?.basis === 'recorded' ? asOf.at : undefined);

  async function stateOf<State, Item>(
    rule: FoldRule<State, Item>,
    streams: readonly string[],
    order: RecordOrder,
    moment: number,
    recordedBy?: number,
  ): Promise<FoldAnswer<State>> {
    const id = `${rule.name} ${streams.join(' ')}`;
    const cached = folds.get(id) as OrderedFold<State, Item> | undefined;
    const fold = cached ?? new OrderedFold(rule, { pages, streams, order, snapshotEvery, maxSnapshotBytes, storing });
    // Before it is loaded: concurrent callers wait for the same fold.
    if (!cached) folds.set(id, fold);
    try {
      return await fold.stateAt(rule, moment, recordedBy);
    } finally {
      const stillCached = folds.peek(id);
      // Set it again, since it has grown and the cache measures only on `set`. Histories without records are not
      // kept: there are many unknown ids.
      if (stillCached === fold) folds.delete(id);
      if (!fold.isEmpty && (stillCached === fold || !stillCached)) folds.set(id, fold);
    }
  }

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
      const order = RECORD_ORDERS[basis];
      return (await stateOf(documentRule(projection, order), streams, order, at)).state;
    },
    async observedFold(rule, streams, asOf) {
      const isRecorded = asOf?.basis === 'recorded';
      if (isRecorded) await log.waitUntilFinal?.(asOf.at);
      const moment = asOf && !isRecorded ? asOf.at : Number.POSITIVE_INFINITY;
      return stateOf(rule, streams, RECORD_ORDERS.observed, moment, isRecorded ? asOf.at : undefined);
    },
  };
}
