import { isBefore, toPositionOrNull } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { allTypesExcept } from '../../../domain/upcasters.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { FoldBatch } from './fold-batch.ts';
import type { ProjectionWorker } from './projection-worker.ts';
import type { RecordProcessor } from './record-processor.ts';
import { mustRestate } from './restate.ts';
import { RESTATED_TYPES, type RestatedRecord } from './restated-documents.ts';

export interface CatchUpOptions {
  readonly log: EventLog;
  readonly processor: RecordProcessor;
  /** Maximum number of records of one read. */
  readonly batchSize: number;
  /** Maximum number of records folded into a generation that nobody reads before its documents are committed. */
  readonly rebuildBatchSize: number;
  readonly signal: AbortSignal;
  /** Does not fold beyond this position, which may move while this runs. null: fold nothing; undefined: up to the end
   *  of the log. */
  readonly limit: () => bigint | null | undefined;
  /** Called after each read with the number of records read so far and the position reached. */
  readonly onProgress?: (records: number, position: bigint) => void;
}

/**
 * Memory that all batches together may hold before they are committed, in characters of JSON. If many events are priced
 * in turn, a batch that is too small for all of them writes each document many times; this limit has room for the
 * documents of thousands of events.
 */
const MAX_BATCH_CHARACTERS = 128 * 1024 * 1024;
/**
 * Maximum number of documents in one batch. An active generation is read meanwhile and must not lag behind for long.
 */
const MAX_BATCH_DOCUMENTS = { read: 5_000, unread: 100_000 };
/** Pages are short, so that requests are served between them. */
const PAGE = 500;

/**
 * Why a batch ends: the limit or the end of the log is reached; it is large enough, or nothing can be folded; or a record
 * restates documents, which is done by itself.
 */
type FoldEnd = 'limit' | 'full' | RestatedRecord;

/** Brings workers to the limit, or to the end of the log, with reads of their own. */
export async function catchUp(workers: readonly ProjectionWorker[], options: CatchUpOptions): Promise<void> {
  const { processor, signal, onProgress } = options;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const open = workers.filter(({ stopReason }) => stopReason === null);
    if (open.length === 0) return;
    const batches = open.map((worker) => processor.beginBatch(worker));
    const isUnread = open.every(({ awaitsActivation }) => awaitsActivation);
    let end: FoldEnd;
    try {
      end = await foldOnto(batches, earliestPosition(open), isUnread);
    } finally {
      // Also commit what was folded before the log failed. Otherwise a worker would never get past a batch in which the
      // log fails.
      if (!signal.aborted) await processor.commitBatches(batches);
    }
    // A stop ends the reading without an error, and the folded records are not committed. The caller must not take the
    // worker for caught up.
    signal.throwIfAborted();
    const failed = open.filter((_, index) => batches[index]!.hasFailed);
    if (failed.length > 0) await catchUpByPages(failed, options);
    else if (typeof end === 'object') await processor.restate(open, end);
    else if (end === 'limit') return;
  }

  /** Folds as many records as fit into memory, up to the limit or the next record that restates documents. */
  async function foldOnto(batches: readonly FoldBatch[], after: bigint | null, isUnread: boolean): Promise<FoldEnd> {
    const workers = batches.map(({ worker }) => worker);
    const maxRecords = isUnread ? options.rebuildBatchSize : options.batchSize;
    let count = 0;
    for await (const records of pagesUpToLimit(options, after, unwantedTypesOf(workers))) {
      const next = records.findIndex((record) => workers.some((worker) => mustRestate(worker, record)));
      await processor.foldIntoBatches(batches, next === -1 ? records : records.slice(0, next));
      if (next !== -1) return records[next] as RestatedRecord;
      count += records.length;
      read += records.length;
      onProgress?.(read, records.at(-1)!.position);
      if (batches.every(({ hasFailed, worker }) => hasFailed || worker.stopReason !== null)) return 'full';
      if (count >= maxRecords || areLarge(batches, isUnread)) return 'full';
    }
    return 'limit';
  }
}

/** Folds page by page and commits each page, up to the record before the one that cannot be folded. */
async function catchUpByPages(workers: readonly ProjectionWorker[], options: CatchUpOptions): Promise<void> {
  for await (const records of pagesUpToLimit(options, earliestPosition(workers), unwantedTypesOf(workers))) {
    const open = workers.filter(({ stopReason }) => stopReason === null);
    if (open.length === 0) return;
    await options.processor.processRecords(open, records);
  }
}

/** Pages after `after`, up to the limit of that moment or to the end of the log. */
async function* pagesUpToLimit(
  { log, limit, batchSize, signal }: CatchUpOptions,
  after: bigint | null,
  unwanted: ReadonlyMap<string, number>,
): AsyncGenerator<readonly LogRecord[]> {
  const pageOptions = { batch: Math.min(batchSize, PAGE), unwanted, signal };
  const isReached = (position: bigint | null, to: bigint | null | undefined) =>
    to !== undefined && !isBefore(position, to);
  let from = after;
  // Read again if the limit has moved beyond the end of the log that was reached.
  for (let begunAt: bigint | null | undefined; begunAt !== from && !isReached(from, limit()); ) {
    begunAt = from;
    for await (const found of log.readAllFrom(toPositionOrNull(from), pageOptions)) {
      const to = limit();
      // Beyond the limit, these workers would be ahead of the others, and readers would see documents go back in time.
      const records = to === undefined ? found : found.filter(({ position }) => !isBefore(to, position));
      if (records.length === 0) return;
      yield records;
      from = records.at(-1)!.position;
      if (records.length < found.length || isReached(from, limit())) return;
    }
    if (limit() === undefined) return;
  }
}

/** Types of records that none of the workers folds. */
const unwantedTypesOf = (workers: readonly ProjectionWorker[]): ReadonlyMap<string, number> =>
  allTypesExcept([...workers.flatMap(({ projection }) => projection.types), ...RESTATED_TYPES]);

function areLarge(batches: readonly FoldBatch[], isUnread: boolean): boolean {
  let characters = 0;
  for (const batch of batches) {
    if (batch.changedDocuments >= MAX_BATCH_DOCUMENTS[isUnread ? 'unread' : 'read']) return true;
    characters += batch.characters;
  }
  return characters >= MAX_BATCH_CHARACTERS;
}

function earliestPosition(workers: readonly ProjectionWorker[]): bigint | null {
  let from = workers[0]!.position;
  for (const { position } of workers) if (isBefore(position, from)) from = position;
  return from;
}
