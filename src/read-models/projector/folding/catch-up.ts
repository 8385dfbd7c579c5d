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
  /** Most records of one read. */
  readonly batchSize: number;
  /** Most records that are folded into a build that nobody reads before its documents are committed. */
  readonly rebuildBatchSize: number;
  readonly signal: AbortSignal;
  /** Does not fold beyond this place, which may move on while it fills; null: nothing; undefined: the log's end. */
  readonly limit: () => bigint | null | undefined;
  /** After each read: records read so far, and the place reached. */
  readonly onProgress?: (records: number, position: bigint) => void;
}

/**
 * What all stretches together hold in memory before they are committed, at most, in characters of JSON. Where many
 * events are priced in turn, a stretch that is too short for all of them writes each document many times over: it has
 * room for the documents of thousands of events at once.
 */
const MAX_BATCH_CHARACTERS = 128 * 1024 * 1024;
/** Documents of one stretch, at most. Those that are read meanwhile should not lag behind for long. */
const MAX_BATCH_DOCUMENTS = { read: 5_000, unread: 100_000 };
/** Reads are short, so that requests are served between them. */
const PAGE = 500;

/** Brings lanes to the limit, or to the end of the log, by reading it apart from everyone else. */
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
      // Also what was folded before the log failed: it would never get past a stretch in which that happens.
      if (!signal.aborted) await advance.commitBatches(stretches);
    }
    // A stop ends the reading without an error, and what was folded is not committed: that must not pass for filled.
    signal.throwIfAborted();
    const spoiled = open.filter((_, index) => stretches[index]!.hasFailed);
    if (spoiled.length > 0) await catchUpByPages(spoiled, options);
    else if (isLast) return;
  }

  /** As much as fits in memory. True at the limit, or at the end of the log. */
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

/** Page by page, each committed: up to just before a record that cannot be folded. */
async function catchUpByPages(lanes: readonly ProjectionWorker[], options: CatchUpOptions): Promise<void> {
  for await (const records of pagesUpToLimit(options, earliestPosition(lanes), unwantedTypesOf(lanes))) {
    const open = lanes.filter(({ stopReason }) => stopReason === null);
    if (open.length === 0) return;
    await options.advance.processRecords(open, records);
  }
}

/** Pages after this place and up to the limit, wherever that is by then, or to the end of the log. */
async function* pagesUpToLimit(
  { log, limit, batchSize, signal }: CatchUpOptions,
  after: bigint | null,
  unwanted: ReadonlyMap<string, number>,
): AsyncGenerator<readonly LogRecord[]> {
  const pageOptions = { batch: Math.min(batchSize, PAGE), unwanted, signal };
  const isReached = (place: bigint | null, to: bigint | null | undefined) => to !== undefined && !isBefore(place, to);
  let from = after;
  // Again where the limit has moved beyond what was the end of the log when that was reached.
  for (let begun: bigint | null | undefined; begun !== from && !isReached(from, limit()); ) {
    begun = from;
    for await (const found of log.readAllFrom(toPositionOrNull(from), pageOptions)) {
      const to = limit();
      // Further than the limit would be ahead of the lanes that the others read: what they see would go back in time.
      const records = to === undefined ? found : found.filter(({ position }) => !isBefore(to, position));
      if (records.length === 0) return;
      yield records;
      from = records.at(-1)!.position;
      if (records.length < found.length || isReached(from, limit())) return;
    }
    if (limit() === undefined) return;
  }
}

/** What none of them folds. */
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
