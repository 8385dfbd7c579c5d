import { LRUCache } from 'lru-cache';
import {
  createFold,
  type DocumentAtPosition,
  type DocumentFold,
} from '../../../domain/event-sourcing/document-fold.ts';
import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { isReplayed, type LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { PartitionName } from '../../../domain/event-sourcing/stream-kind.ts';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { memorySize } from '../../../domain/primitives/size-in-memory.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { restatedKindsOf } from './restated-documents.ts';
import { putTableRow, type TableRowWrite, tableRowsOf } from './table-rows.ts';

export interface FoldedDocument {
  /** Undefined: the document is taken away. */
  document: unknown;
  /** Position of the newest record that the document reflects. */
  position: bigint;
  /** The store holds an earlier state of the document. */
  isStored: boolean;
  size?: DocumentSize | undefined;
  /** Only in a fold batch: how many records the batch had folded when it last changed this document. */
  foldedAt?: number;
}

/**
 * Estimated memory of a document, measured at its 1st, 2nd, 4th, 8th commit: most documents grow slowly or not at all.
 */
interface DocumentSize {
  readonly bytes: number;
  readonly commits: number;
}

/** Memory limit of the documents that a worker caches, in addition to the limit of their number. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024;
const BYTES_PER_DOCUMENT = 300;

/** Folds one partition of the log into one generation of one projection. */
export interface ProjectionWorker {
  readonly projection: Projection;
  /** Of the records as they come in the log: those that were replayed say nothing new until their thing is restated. */
  readonly fold: DocumentFold;
  /** The kinds of things that have documents here: the worker must follow when they are restated. */
  readonly restatedKinds: ReadonlySet<PartitionName>;
  /** Whether the record lies in this worker's partition. */
  readonly isOwn: (record: LogRecord) => boolean;
  generation: string;
  readonly partition: string;
  /** Reads still go to an older generation, until this one has caught up. */
  awaitsActivation: boolean;
  /**
   * The active generation's worker, while somebody else moves it on. This worker's checkpoint stays below that
   * worker's. At the same checkpoint this generation could be activated, and readers would see it go back if the other
   * one had moved on.
   */
  staysBehind: ProjectionWorker | undefined;
  /** Everything up to this position is folded and stored. */
  position: bigint | null;
  /**
   * The partition's checkpoint in this generation. Behind `position` if the records between them changed no document.
   */
  checkpoint: bigint | null;
  /** When the record at `position` was recorded (ISO 8601). */
  lastRecordedAt: string | null;
  /** Number of records folded since the worker was created. */
  foldedRecords: number;
  /** Only documents as they were last committed. */
  cache: LRUCache<string, FoldedDocument>;
  /** The number of documents that have room in it. */
  readonly maxCached: number;
  /** Why the worker has stopped. */
  stopReason: string | null;
  /** The worker has stopped because another instance has this partition, or has replaced the generation. */
  isLost: boolean;
  /** The store error that is being retried. */
  retryReason: string | null;
}

/** Whether reads go to this worker's generation. */
export const readsActiveGeneration = ({ awaitsActivation }: ProjectionWorker): boolean => !awaitsActivation;

/** The part of a partitioned log that a worker follows. */
export interface WorkerPartition {
  readonly partition: string;
  readonly isOwn: (record: LogRecord) => boolean;
  /** Memory limit of the documents that the worker caches, in addition to the limit of their number. */
  readonly cacheBytes: number;
}

export function createProjectionWorker(
  projection: Projection,
  generation: string,
  cacheDocuments: number,
  part?: WorkerPartition,
): ProjectionWorker {
  const isOwn = part?.isOwn ?? (() => true);
  const maxSize = part?.cacheBytes ?? MAX_CACHE_BYTES;
  // So counted, no more documents have room. With `max` the cache would take the memory of all at once.
  const leastBytes = Math.max(1, Math.floor(maxSize / cacheDocuments));
  return {
    projection,
    fold: foldOfPartition(createFold(projection), isOwn),
    restatedKinds: restatedKindsOf(projection),
    isOwn,
    generation,
    partition: part?.partition ?? ONE_PARTITION,
    awaitsActivation: false,
    staysBehind: undefined,
    position: null,
    checkpoint: null,
    lastRecordedAt: null,
    foldedRecords: 0,
    maxCached: cacheDocuments,
    cache: new LRUCache({
      maxSize,
      sizeCalculation: (entry) => Math.max(measureDocument(entry), leastBytes),
    }),
    stopReason: null,
    isLost: false,
    retryReason: null,
  };
}

/** Ignores replayed records and those of other partitions, like records that concern no document. */
const foldOfPartition = (fold: DocumentFold, isOwn: WorkerPartition['isOwn']): DocumentFold => ({
  ...fold,
  keyOf: (record) =>
    fold.handles(record.type) && !isReplayed(record) && isOwn(record) ? fold.keyOf(record) : undefined,
});

function measureDocument(entry: FoldedDocument): number {
  const { bytes, commits } = entry.size ?? { bytes: 0, commits: 0 };
  const isDue = (commits & (commits + 1)) === 0;
  entry.size = { bytes: isDue ? BYTES_PER_DOCUMENT + memorySize(entry.document) : bytes, commits: commits + 1 };
  return entry.size.bytes;
}

/** Estimated memory of the documents that workers cache. */
export const cacheSizeOf = (workers: Iterable<ProjectionWorker>): CacheSize => {
  const all = [...workers];
  return {
    bytes: all.reduce((sum, { cache }) => sum + cache.calculatedSize, 0),
    limit: all.reduce((sum, { cache }) => sum + cache.maxSize, 0),
  };
};

/** The documents of a worker after some records were folded; not committed yet. */
export interface FoldResult {
  readonly worker: ProjectionWorker;
  readonly documents: ReadonlyMap<string, FoldedDocument>;
  readonly position: bigint | null;
  readonly lastRecordedAt: string | null;
  readonly count: number;
  /** Why the record after `position` could not be folded. */
  readonly failure: string | null;
}

/**
 * Folds those of `records` (in order of the log, all after the worker's position) that concern the projection. Loads
 * documents that are not cached in one call. Rejects only with store errors. If a record cannot be folded, the result
 * ends before that record.
 */
export async function foldRecords(
  store: ReadStore,
  worker: ProjectionWorker,
  records: readonly LogRecord[],
): Promise<FoldResult> {
  const { projection, fold, cache } = worker;
  let end = records.length;
  let failure: string | null = null;
  const keyed: { key: string; record: LogRecord; index: number }[] = [];
  for (let index = 0; index < end; index++) {
    const record = records[index]!;
    try {
      const key = fold.keyOf(record);
      if (key !== undefined) keyed.push({ key, record, index });
    } catch (error) {
      failure = describeFailure(record, error);
      end = index;
    }
  }
  for (;;) {
    const documents = projection.hasDocumentPerRecord
      ? new Map<string, FoldedDocument>()
      : await takeOutOfCache(store, worker, new Set(keyed.map(({ key }) => key)));
    const changed = new Map<string, FoldedDocument>();
    const change = (key: string, before: FoldedDocument | undefined, { document, position }: DocumentAtPosition) => {
      const entry = { document, position, isStored: before?.isStored === true, size: before?.size };
      documents.set(key, entry);
      changed.set(key, entry);
    };
    const rows: TableRowWrite[] = [];
    let failed: number | null = null;
    for (let i = 0; i < keyed.length; i++) {
      const { key, record } = keyed[i]!;
      const before = documents.get(key);
      try {
        const after = fold.applyIfNewer(before, record);
        if (after !== before) change(key, before, after);
        if (projection.tables) rows.push(...tableRowsOf(projection, key, after.document, record));
      } catch (error) {
        failure = describeFailure(record, error);
        failed = i;
        break;
      }
    }
    if (failed === null) {
      const tables = await takeOutOfCache(store, worker, new Set(rows.map(({ table }) => table)));
      for (const [key, entry] of tables) documents.set(key, entry);
      for (const row of rows) {
        const before = documents.get(row.table);
        const after = putTableRow(projection, before, row);
        if (after !== before) change(row.table, before, after);
      }
      // Documents that were already ahead of all their records are as committed, so they go back into the cache.
      for (const [key, entry] of documents) if (!changed.has(key)) cache.set(key, entry);
      const last = records[end - 1];
      return {
        worker,
        documents: changed,
        position: last?.position ?? worker.position,
        lastRecordedAt: last?.recordedAt ?? worker.lastRecordedAt,
        count: keyed.length,
        failure,
      };
    }
    // `apply` may have changed documents in place, and the failing call may have changed one half. So throw all
    // documents away and fold the records before the failing one again. They cannot fail: they succeeded the first
    // time.
    end = keyed[failed]!.index;
    keyed.length = failed;
  }
}

/** Takes documents out of the cache, because `apply` may change them. If the commit fails, the cache must not hold
 *  them. */
export async function takeOutOfCache(
  store: ReadStore,
  worker: ProjectionWorker,
  keys: ReadonlySet<string>,
): Promise<Map<string, FoldedDocument>> {
  const documents = new Map<string, FoldedDocument>();
  const missing: string[] = [];
  for (const key of keys) {
    if (!worker.cache.has(key)) missing.push(key);
  }
  // Load first: a store error must leave the cache as it was.
  const loaded = missing.length > 0 ? await store.load(worker.projection.name, worker.generation, missing) : [];
  for (const key of keys) {
    const cached = worker.cache.get(key);
    if (!cached) continue;
    documents.set(key, cached);
    worker.cache.delete(key);
  }
  for (const found of loaded) {
    if (found) documents.set(found.key, { document: found.document, position: found.position, isStored: true });
  }
  return documents;
}

export function describeFailure(record: LogRecord, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `cannot fold record ${record.position} (${record.type} of ${record.stream}): ${reason}`;
}
