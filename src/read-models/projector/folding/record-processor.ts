import { isBefore, type Position } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { type Delay, retryWithBackoff } from '../../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import {
  CheckpointMoved,
  DocumentRejected,
  type DocumentWrite,
  GenerationNotFound,
  type ProjectionCommit,
  type ReadStore,
} from '../../store/read-store.ts';
import { beginFoldBatch, type FoldBatch } from './fold-batch.ts';
import { type FoldResult, foldRecords, type ProjectionWorker, readsActiveGeneration } from './projection-worker.ts';
import { foldRestated, mustRestate } from './restate.ts';
import { isRestated, type RestatedRecord } from './restated-documents.ts';

interface RecordProcessorOptions {
  /** Has the streams whose documents are made anew. */
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: ReadStore;
  readonly delay: Delay;
  /** Ends the retries. */
  readonly signal: AbortSignal;
  /** Maximum number of documents of a batch that are written at once; default 500. */
  readonly documentsPerWrite?: number;
  /** A worker's checkpoint is stored after this many records even if none of them changed a document. A restart reads
   *  these records again. Default 1000; 1 if others learn from the checkpoint what is folded. */
  readonly checkpointEvery?: number;
  /** Workers wait for the store at the same time, not one after another. Use it for a store that is far away; default
   *  false. */
  readonly isRemote?: boolean;
  readonly onCommitted: (folded: FoldResult) => void;
  readonly onStopped: (worker: ProjectionWorker) => void;
  readonly onRetry: (error: unknown, attempt: number, workers: readonly ProjectionWorker[]) => void;
}

export interface RecordProcessor {
  /** Folds records (in order) into all running workers whose position is before them, and commits the results together;
   *  each restated thing by itself. Rejects when the signal is aborted, or when the log cannot be read for a
   *  restated thing: the same records may then come again. */
  processRecords(workers: readonly ProjectionWorker[], processRecords: readonly LogRecord[]): Promise<void>;
  /** Makes the documents of an event, team or player anew, in those workers that follow this record and stand right before it. */
  restate(workers: readonly ProjectionWorker[], restated: RestatedRecord): Promise<void>;
  /** Stores that running workers have everything up to a position, even if no record is there. */
  moveCheckpoints(workers: readonly ProjectionWorker[], position: Position): Promise<void>;
  /** Starts a batch at the worker's position. */
  beginBatch(worker: ProjectionWorker): FoldBatch;
  /** Folds records (in order) into batches, each from its own position. */
  foldIntoBatches(batches: readonly FoldBatch[], processRecords: readonly LogRecord[]): Promise<void>;
  /**
   * Commits batches: the documents in several writes, the checkpoints last. The write lock and the event loop are free
   * between the writes. Until the end, documents may be ahead of the checkpoint. They carry their own position, so a
   * start after a crash folds no record into them twice.
   */
  commitBatches(batches: readonly FoldBatch[]): Promise<void>;
  /** Stores the checkpoints that were postponed. */
  flushCheckpoints(workers: readonly ProjectionWorker[]): Promise<void>;
}

/** Characters of JSON written at once: some milliseconds of work, also with as many documents as `documentsPerWrite`
 *  allows. */
const CHARACTERS_PER_WRITE = 2_000_000;

export function createRecordProcessor(options: RecordProcessorOptions): RecordProcessor {
  const { log, store, delay, signal, documentsPerWrite = 500, checkpointEvery = 1000, isRemote = false } = options;
  const { onCommitted, onStopped, onRetry } = options;
  let recordsSinceCheckpoint = 0;

  function stop(worker: ProjectionWorker, reason: string, isLost = false): void {
    worker.stopReason = reason;
    worker.isLost = isLost;
    worker.retryReason = null;
    worker.cache.clear();
    onStopped(worker);
  }

  async function retrying<T>(workers: readonly ProjectionWorker[], work: (attempt: number) => Promise<T>): Promise<T> {
    const result = await retryWithBackoff(work, {
      delay,
      signal,
      isFinal: (error) =>
        error instanceof GenerationNotFound || error instanceof CheckpointMoved || error instanceof DocumentRejected,
      onRetry: (error, attempt) => {
        for (const worker of workers) worker.retryReason = describeError(error);
        onRetry(error, attempt, workers);
      },
    });
    for (const worker of workers) worker.retryReason = null;
    return result;
  }

  /** Undefined if the worker has stopped because its generation was replaced. A retry cannot undo that. */
  async function unlessReplaced<T>(worker: ProjectionWorker, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await retrying([worker], work);
    } catch (error) {
      if (!(error instanceof GenerationNotFound)) throw error;
      stop(worker, error.message, true);
      return undefined;
    }
  }

  async function processRecords(workers: readonly ProjectionWorker[], all: readonly LogRecord[]): Promise<void> {
    let from = 0;
    for (const [index, record] of all.entries()) {
      if (!isRestated(record) || !workers.some((worker) => mustRestate(worker, record))) continue;
      if (index > from) await processPart(workers, all.slice(from, index));
      await restate(workers, record);
      // The others pass over the record with those that follow.
      from = index;
    }
    await processPart(workers, from === 0 ? all : all.slice(from));
  }

  async function restate(workers: readonly ProjectionWorker[], restated: RestatedRecord): Promise<void> {
    const following = workers.filter((worker) => mustRestate(worker, restated));
    for (const worker of following) if (!worker.isOwn(restated)) worker.position = restated.position;
    const own = following.filter((worker) => isBefore(worker.position, restated.position));
    if (own.length > 0) await commit(await foldRestated({ log, store, signal }, own, restated, unlessReplaced));
    await yieldToEventLoop();
  }

  async function processPart(workers: readonly ProjectionWorker[], all: readonly LogRecord[]): Promise<void> {
    const folded: FoldResult[] = [];
    const foldInto = async (worker: ProjectionWorker): Promise<void> => {
      if (worker.stopReason !== null) return;
      // Workers may have different positions, and after an error the subscription may start again before some of them.
      // A record folded twice would be counted twice.
      const first = all.findIndex(({ position }) => isBefore(worker.position, position));
      if (first === -1) return;
      const own = first === 0 ? all : all.slice(first);
      const one = await unlessReplaced(worker, () => foldRecords(store, worker, own));
      if (one) folded.push(one);
    };
    const running: Promise<void>[] = [];
    for (const worker of workers) {
      const folding = foldInto(worker);
      if (!isRemote) await folding;
      else {
        running.push(folding);
        // `Promise.all` below reports the error.
        folding.catch(() => {});
      }
      await yieldToEventLoop();
    }
    await Promise.all(running);
    recordsSinceCheckpoint += all.length;
    const areDue = recordsSinceCheckpoint >= checkpointEvery;
    if (areDue) recordsSinceCheckpoint = 0;
    const isPutOff = ({ documents }: FoldResult) => !areDue && documents.size === 0;
    for (const one of folded.filter(isPutOff)) settle(one, one.worker.checkpoint);
    await commit(folded.filter((one) => !isPutOff(one)));
    await yieldToEventLoop();
  }

  async function foldIntoBatches(batches: readonly FoldBatch[], all: readonly LogRecord[]): Promise<void> {
    for (const batch of batches) {
      if (batch.worker.stopReason !== null) continue;
      await unlessReplaced(batch.worker, () => batch.fold(all));
      // In an active generation, readers must not see one document before the others of the same commit.
      if (batch.worker.awaitsActivation && !batch.hasFailed) await writeSettled(batch);
      await yieldToEventLoop();
    }
  }

  async function commitBatches(batches: readonly FoldBatch[]): Promise<void> {
    const folded: FoldResult[] = [];
    const rest = new Map<FoldResult, number>();
    for (const batch of batches) {
      const one = batch.hasFailed || batch.worker.stopReason !== null ? null : batch.result();
      if (one === null) continue;
      const size = documentsPerWriteOf(batch, documentsPerWrite);
      // In an active generation, readers must not see one document before the others of the same commit.
      const ahead = batch.worker.awaitsActivation ? Math.floor((batch.changedDocuments - 1) / size) * size : 0;
      if (ahead > 0 && !(await writeAhead(one.worker, writesOf(one.documents).slice(0, ahead), size))) continue;
      folded.push(one);
      rest.set(one, ahead);
    }
    await commit(folded, (one) => writesOf(one.documents).slice(rest.get(one)));
    await yieldToEventLoop();
  }

  /** Writes settled documents. The batch holds them no longer; it loads a document again if a record changes it. */
  async function writeSettled(batch: FoldBatch): Promise<void> {
    const writes = writesOf(batch.takeSettled());
    if (writes.length > 0) await writeAhead(batch.worker, writes, documentsPerWriteOf(batch, documentsPerWrite));
  }

  /** Writes in chunks of `size` documents. False if the worker has stopped because of an error. */
  async function writeAhead(
    worker: ProjectionWorker,
    writes: readonly DocumentWrite[],
    size: number,
  ): Promise<boolean> {
    const { projection, generation, partition, checkpoint: expected } = worker;
    for (let from = 0; from < writes.length; from += size) {
      const part = {
        projection: projection.name,
        generation,
        partition,
        expected,
        writes: writes.slice(from, from + size),
      };
      try {
        await retrying([worker], () => store.write(part));
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        stop(worker, error.message, error instanceof CheckpointMoved);
        return false;
      }
      await yieldToEventLoop();
    }
    return true;
  }

  async function commit(
    folded: readonly FoldResult[],
    writes = (one: FoldResult) => writesOf(one.documents),
  ): Promise<void> {
    // Commit the waiting generations first. If the process dies after the active one, a waiting generation that is
    // behind would take the readers back when it is activated.
    let open = folded
      .filter(({ worker, position }) => isBefore(worker.checkpoint, position))
      .sort((a, b) => Number(b.worker.awaitsActivation) - Number(a.worker.awaitsActivation));
    for (const one of folded) if (!open.includes(one)) settle(one, one.worker.checkpoint);
    // Compute the checkpoints once, from the active worker's checkpoint: it may move on while this waits for the store.
    const goals = new Map(open.map((one) => [one, checkpointOf(one)]));
    const goalOf = (one: FoldResult): bigint | null => goals.get(one)!;
    let retried = false;
    while (open.length > 0) {
      const workers = open.map(({ worker }) => worker);
      try {
        await retrying(workers, (attempt) => {
          retried ||= attempt > 1;
          return store.commit(open.map((one) => toCommit(one, writes(one), goalOf(one))));
        });
        // Only after the commit: a worker that moved on before a failing commit would skip these records for good.
        for (const one of open) settle(one, goalOf(one));
        return;
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        const lost = refusedOf(open, error);
        if (!lost) throw error;
        open = open.filter((one) => one !== lost);
        const isMoved = error instanceof CheckpointMoved;
        // An earlier attempt may have succeeded although its answer was lost. Then the checkpoint is where we wanted
        // it. Without this check we would take our own commit for another instance's, and stop.
        if (retried && isMoved && (await hasArrived(lost, goalOf(lost)))) {
          settle(lost, goalOf(lost));
          continue;
        }
        if (isMoved && (await isReplaced(lost.worker))) {
          stop(lost.worker, `build ${lost.worker.generation} was replaced`, true);
          continue;
        }
        // The instance that moved the checkpoint has the partition. Stop all workers of the partition: the active
        // generation must not get ahead of what the other instance has folded into its successor.
        const others = isMoved ? open.filter(({ worker }) => isSamePartition(worker, lost.worker)) : [];
        for (const { worker } of [lost, ...others]) stop(worker, error.message, isMoved);
        open = open.filter((one) => !others.includes(one));
      }
    }
  }

  /** The result because of which the store has refused all. One projection may have several results, in different
   *  generations. */
  function refusedOf(open: readonly FoldResult[], error: CheckpointMoved | DocumentRejected): FoldResult | undefined {
    const suspects = open.filter(({ worker }) => worker.projection.name === error.projection);
    if (error instanceof CheckpointMoved) {
      return suspects.find(
        ({ worker: { generation, partition } }) => generation === error.generation && partition === error.partition,
      );
    }
    return suspects.length < 2 ? suspects[0] : suspects.find(({ documents }) => documents.has(error.key));
  }

  async function hasArrived({ worker }: FoldResult, goal: bigint | null): Promise<boolean> {
    const { projection, generation, partition } = worker;
    return (await retrying([worker], () => store.checkpoint(projection.name, generation, partition))) === goal;
  }

  /** Another generation was activated, which closes this one. The successor continues. */
  async function isReplaced(worker: ProjectionWorker): Promise<boolean> {
    return (
      readsActiveGeneration(worker) &&
      (await retrying([worker], () => store.activeGeneration(worker.projection.name))) !== worker.generation
    );
  }

  function settle(one: FoldResult, checkpoint: bigint | null): void {
    const { worker, documents, position, lastRecordedAt, count, failure } = one;
    // Cache documents only now: before the commit the store does not hold them. And cache only as many as fit: a large
    // batch has many times more, and adding documents that are evicted at once would block the event loop.
    let beyond = worker.projection.hasDocumentPerRecord ? documents.size : documents.size - worker.maxCached;
    for (const [key, entry] of documents) {
      entry.isStored = true;
      if (--beyond < 0 && entry.document !== undefined) worker.cache.set(key, entry);
    }
    worker.position = position;
    worker.checkpoint = checkpoint;
    worker.lastRecordedAt = lastRecordedAt;
    worker.foldedRecords += count;
    // Before the stop: listeners of the stop must find everything before the failing record in place.
    onCommitted(one);
    if (failure !== null) stop(worker, failure);
  }

  async function storeCheckpoints(
    workers: readonly ProjectionWorker[],
    positionOf: (worker: ProjectionWorker) => bigint | null,
  ): Promise<void> {
    const lagging = workers.filter(
      (worker) => worker.stopReason === null && isBefore(worker.checkpoint, positionOf(worker)),
    );
    await commit(
      lagging.map((worker) => {
        const { lastRecordedAt } = worker;
        return {
          worker,
          documents: new Map(),
          position: positionOf(worker),
          lastRecordedAt,
          count: 0,
          failure: null,
        };
      }),
    );
  }

  const flushCheckpoints = (workers: readonly ProjectionWorker[]) =>
    storeCheckpoints(workers, ({ position }) => position);
  const moveCheckpoints = (workers: readonly ProjectionWorker[], position: Position) =>
    storeCheckpoints(workers, () => position);

  return {
    processRecords,
    restate,
    moveCheckpoints,
    beginBatch: (worker) => beginFoldBatch(store, worker),
    foldIntoBatches,
    commitBatches,
    flushCheckpoints,
  };
}

const writesOf = (documents: FoldResult['documents']): DocumentWrite[] =>
  [...documents].map(([key, { document, position, isStored }]) =>
    document === undefined ? { key, position, isDeletion: true } : { key, document, position, isNew: !isStored },
  );

function documentsPerWriteOf({ changedDocuments, characters }: FoldBatch, max: number): number {
  const average = characters / Math.max(1, changedDocuments);
  return Math.max(1, Math.min(max, Math.floor(CHARACTERS_PER_WRITE / Math.max(1, average))));
}

const isSamePartition = (a: ProjectionWorker, b: ProjectionWorker): boolean =>
  a.projection === b.projection && a.partition === b.partition;

/** The worker's checkpoint after this commit. */
function checkpointOf({ worker, position }: FoldResult): bigint | null {
  const { staysBehind, checkpoint } = worker;
  return !staysBehind || isBefore(position, staysBehind.checkpoint) ? position : checkpoint;
}

function toCommit(
  { worker }: FoldResult,
  writes: readonly DocumentWrite[],
  checkpoint: bigint | null,
): ProjectionCommit {
  return {
    projection: worker.projection.name,
    generation: worker.generation,
    partition: worker.partition,
    writes,
    // Compare-and-set on what this instance stored last. If another instance has taken the partition, both fold the
    // same records, and the slower one would overwrite the checkpoint of the newer documents.
    expected: worker.checkpoint,
    checkpoint,
  };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
