import { isBefore, toPositionOrNull } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { allTypesExcept } from '../../../domain/upcasters.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { FoldBatch } from './fold-batch.ts';
import type { ProjectionWorker } from './projection-worker.ts';
import type { RecordProcessor } from './record-processor.ts';

export interface CatchUpOptions {
  readonly log: EventLog;
  readonly advance: RecordProcessor;
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

/** Brings workers to the limit, or to the end of the log, with reads of their own. */
export async function catchUp(lanes: readonly ProjectionWorker[], options: CatchUpOptions): Promise<void> {
  const { advance, signal, onProgress } = options;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const open = lanes.filter(({ stopReason }) => stopReason === null);
    if (open.length === 0) return;
    const stretches = open.map((lane) => advance.beginBatch(lane));
    const isUnread = open.every(({ awaitsActivation }) => awaitsActivation);
    let isLast: boolean;
    try {
      isLast = await foldOnto(stretches, earliestPosition(open), isUnread);
    } finally {
      // Also commit what was folded before the log failed. Otherwise a worker would never get past a batch in which the
      // log fails.
      if (!signal.aborted) await advance.commitBatches(stretches);
    }
    // A stop ends the reading without an error, and the folded records are not committed. The caller must not take the
    // worker for caught up.
    signal.throwIfAborted();
    const spoiled = open.filter((_, index) => stretches[index]!.hasFailed);
    if (spoiled.length > 0) await catchUpByPages(spoiled, options);
    else if (isLast) return;
  }

  /** Folds as many records as fit into memory. Returns true at the limit or at the end of the log. */
  async function foldOnto(stretches: readonly FoldBatch[], after: bigint | null, isUnread: boolean): Promise<boolean> {
    const most = isUnread ? options.rebuildBatchSize : options.batchSize;
    let count = 0;
    for await (const records of pagesUpToLimit(
      options,
      after,
      unwantedTypesOf(stretches.map(({ worker }) => worker)),
    )) {
      await advance.foldIntoBatches(stretches, records);
      count += records.length;
      read += records.length;
      onProgress?.(read, records.at(-1)!.position);
      if (stretches.every(({ hasFailed, worker }) => hasFailed || worker.stopReason !== null)) return false;
      if (count >= most || areLarge(stretches, isUnread)) return false;
    }
    return true;
  }
}

/** Folds page by page and commits each page, up to the record before the one that cannot be folded. */
async function catchUpByPages(lanes: readonly ProjectionWorker[], options: CatchUpOptions): Promise<void> {
  for await (const records of pagesUpToLimit(options, earliestPosition(lanes), unwantedTypesOf(lanes))) {
    const open = lanes.filter(({ stopReason }) => stopReason === null);
    if (open.length === 0) return;
    await options.advance.processRecords(open, records);
  }
}

/** Pages after `after`, up to the limit of that moment or to the end of the log. */
async function* pagesUpToLimit(
  { log, limit, batchSize, signal }: CatchUpOptions,
  after: bigint | null,
  unwanted: ReadonlyMap<string, number>,
): AsyncGenerator<readonly LogRecord[]> {
  const pageOptions = { batch: Math.min(batchSize, PAGE), unwanted, signal };
  const isReached = (place: bigint | null, to: bigint | null | undefined) => to !== undefined && !isBefore(place, to);
  let from = after;
  // Read again if the limit has moved beyond the end of the log that was reached.
  for (let begun: bigint | null | undefined; begun !== from && !isReached(from, limit()); ) {
    begun = from;
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
const unwantedTypesOf = (lanes: readonly ProjectionWorker[]): ReadonlyMap<string, number> =>
  allTypesExcept(lanes.flatMap(({ projection }) => projection.types));

function areLarge(stretches: readonly FoldBatch[], isUnread: boolean): boolean {
  let characters = 0;
  for (const stretch of stretches) {
    if (stretch.changedDocuments >= MAX_BATCH_DOCUMENTS[isUnread ? 'unread' : 'read']) return true;
    characters += stretch.characters;
  }
  return characters >= MAX_BATCH_CHARACTERS;
}

function earliestPosition(lanes: readonly ProjectionWorker[]): bigint | null {
  let from = lanes[0]!.position;
  for (const { position } of lanes) if (isBefore(position, from)) from = position;
  return from;
}
