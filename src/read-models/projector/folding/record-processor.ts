import { isBefore, type Position } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
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

interface RecordProcessorOptions {
  readonly store: ReadStore;
  readonly delay: Delay;
  /** Gives up retrying. */
  readonly signal: AbortSignal;
  /** Documents of a stretch that are written in one go, at most; default 500. */
  readonly documentsPerWrite?: number;
  /** Records that may pass a lane without a document before its checkpoint is stored nevertheless: what a restart reads
   *  again. Default 1000; 1 where others learn from the checkpoint what is folded. */
  readonly checkpointEvery?: number;
  /** Lanes wait for the store at the same time, not one after another, as where it is far away; default false. */
  readonly isRemote?: boolean;
  readonly onCommitted: (folded: FoldResult) => void;
  readonly onStopped: (lane: ProjectionWorker) => void;
  readonly onRetry: (error: unknown, attempt: number, lanes: readonly ProjectionWorker[]) => void;
}

export interface RecordProcessor {
  /** Folds records (in order) into all lanes that are not stopped and stand before them, and commits them together.
   *  Rejects only when the signal is aborted. */
  processRecords(lanes: readonly ProjectionWorker[], processRecords: readonly LogRecord[]): Promise<void>;
  /** Stores that lanes which are not stopped have everything up to a position, though no record is there. */
  moveCheckpoints(lanes: readonly ProjectionWorker[], position: Position): Promise<void>;
  /** A stretch from where the lane stands. */
  beginBatch(lane: ProjectionWorker): FoldBatch;
  /** Folds records (in order) onto stretches, each from where it stands. */
  foldIntoBatches(stretches: readonly FoldBatch[], processRecords: readonly LogRecord[]): Promise<void>;
  /**
   * Commits what stretches have folded, document by document and the checkpoints last: the write lock and the event
   * loop are free in between. Until then documents may be ahead of the checkpoint; they carry their own position, so
   * that a start after a crash folds nothing into them twice.
   */
  commitBatches(stretches: readonly FoldBatch[]): Promise<void>;
  /** Stores the checkpoints that were put off. */
  flushCheckpoints(lanes: readonly ProjectionWorker[]): Promise<void>;
}

/** Characters of JSON that are written in one go: with as many documents some milliseconds of work. */
const CHARACTERS_PER_WRITE = 2_000_000;

export function createRecordProcessor(options: RecordProcessorOptions): RecordProcessor {
  const { store, delay, signal, documentsPerWrite = 500, checkpointEvery = 1000, isRemote = false } = options;
  const { onCommitted, onStopped, onRetry } = options;
  let passed = 0;

  function stop(lane: ProjectionWorker, reason: string, isLost = false): void {
    lane.stopReason = reason;
    lane.isLost = isLost;
    lane.retryReason = null;
    lane.cache.clear();
    onStopped(lane);
  }

  async function retrying<T>(lanes: readonly ProjectionWorker[], work: (attempt: number) => Promise<T>): Promise<T> {
    const result = await retryWithBackoff(work, {
      delay,
      signal,
      isFinal: (error) =>
        error instanceof GenerationNotFound || error instanceof CheckpointMoved || error instanceof DocumentRejected,
      onRetry: (error, attempt) => {
        for (const lane of lanes) lane.retryReason = describeError(error);
        onRetry(error, attempt, lanes);
      },
    });
    for (const lane of lanes) lane.retryReason = null;
    return result;
  }

  /** Undefined when the lane has stopped over it: its build was replaced, which waiting does not undo. */
  async function unlessGone<T>(lane: ProjectionWorker, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await retrying([lane], work);
    } catch (error) {
      if (!(error instanceof GenerationNotFound)) throw error;
      stop(lane, error.message, true);
      return undefined;
    }
  }

  async function records(lanes: readonly ProjectionWorker[], all: readonly LogRecord[]): Promise<void> {
    const folded: FoldResult[] = [];
    const foldInto = async (lane: ProjectionWorker): Promise<void> => {
      if (lane.stopReason !== null) return;
      // Lanes may stand at different places, and after an error the subscription starts again before some of them:
      // a record folded twice would be counted twice.
      const first = all.findIndex(({ position }) => isBefore(lane.position, position));
      if (first === -1) return;
      const own = first === 0 ? all : all.slice(first);
      const one = await unlessGone(lane, () => foldRecords(store, lane, own));
      if (one) folded.push(one);
    };
    const begun: Promise<void>[] = [];
    for (const lane of lanes) {
      const folding = foldInto(lane);
      if (!isRemote) await folding;
      else {
        begun.push(folding);
        // Who waits for all of them is told.
        folding.catch(() => {});
      }
      await yieldToEventLoop();
    }
    await Promise.all(begun);
    passed += all.length;
    const areDue = passed >= checkpointEvery;
    if (areDue) passed = 0;
    const isPutOff = ({ documents }: FoldResult) => !areDue && documents.size === 0;
    for (const one of folded.filter(isPutOff)) settle(one, one.worker.checkpoint);
    await commit(folded.filter((one) => !isPutOff(one)));
    await yieldToEventLoop();
  }

  async function fold(stretches: readonly FoldBatch[], all: readonly LogRecord[]): Promise<void> {
    for (const stretch of stretches) {
      if (stretch.worker.stopReason !== null) continue;
      await unlessGone(stretch.worker, () => stretch.fold(all));
      // What is read already gets no document before its neighbours.
      if (stretch.worker.awaitsActivation && !stretch.hasFailed) await writeSettled(stretch);
      await yieldToEventLoop();
    }
  }

  async function commitStretches(stretches: readonly FoldBatch[]): Promise<void> {
    const folded: FoldResult[] = [];
    const rest = new Map<FoldResult, number>();
    for (const stretch of stretches) {
      const one = stretch.hasFailed || stretch.worker.stopReason !== null ? null : stretch.result();
      if (one === null) continue;
      const size = documentsPerWriteOf(stretch, documentsPerWrite);
      // What is read already gets no document before its neighbours.
      const ahead = stretch.worker.awaitsActivation ? Math.floor((stretch.changedDocuments - 1) / size) * size : 0;
      if (ahead > 0 && !(await writeAhead(one.worker, writesOf(one.documents).slice(0, ahead), size))) continue;
      folded.push(one);
      rest.set(one, ahead);
    }
    await commit(folded, (one) => writesOf(one.documents).slice(rest.get(one)));
    await yieldToEventLoop();
  }

  /** Once they are written, the stretch holds them no longer: they are read again where a record changes them. */
  async function writeSettled(stretch: FoldBatch): Promise<void> {
    const writes = writesOf(stretch.takeSettled());
    if (writes.length > 0) await writeAhead(stretch.worker, writes, documentsPerWriteOf(stretch, documentsPerWrite));
  }

  /** Piece by piece. False when the lane has stopped over it. */
  async function writeAhead(lane: ProjectionWorker, writes: readonly DocumentWrite[], size: number): Promise<boolean> {
    const { projection, generation, partition, checkpoint: expected } = lane;
    for (let from = 0; from < writes.length; from += size) {
      const part = {
        projection: projection.name,
        generation,
        partition,
        expected,
        writes: writes.slice(from, from + size),
      };
      try {
        await retrying([lane], () => store.write(part));
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        stop(lane, error.message, error instanceof CheckpointMoved);
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
    // First what is to take over: behind what is read it would take that back, if only half of this is carried out.
    let open = folded
      .filter(({ worker, position }) => isBefore(worker.checkpoint, position))
      .sort((a, b) => Number(b.worker.awaitsActivation) - Number(a.worker.awaitsActivation));
    for (const one of folded) if (!open.includes(one)) settle(one, one.worker.checkpoint);
    // Once: by what is read, which may move on while this waits for the store.
    const goals = new Map(open.map((one) => [one, checkpointOf(one)]));
    const goalOf = (one: FoldResult): bigint | null => goals.get(one)!;
    let retried = false;
    while (open.length > 0) {
      const lanes = open.map(({ worker }) => worker);
      try {
        await retrying(lanes, (attempt) => {
          retried ||= attempt > 1;
          return store.commit(open.map((one) => toCommit(one, writes(one), goalOf(one))));
        });
        // Only after the commit: a lane that went on before it would leave out these records for good if it failed.
        for (const one of open) settle(one, goalOf(one));
        return;
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        const lost = refusedOf(open, error);
        if (!lost) throw error;
        open = open.filter((one) => one !== lost);
        const isMoved = error instanceof CheckpointMoved;
        // An attempt whose answer got lost may have been carried out. Then the checkpoint stands where we wanted it,
        // and stopping would take our own commit for another instance's.
        if (retried && isMoved && (await hasArrived(lost, goalOf(lost)))) {
          settle(lost, goalOf(lost));
          continue;
        }
        if (isMoved && (await isReplaced(lost.worker))) {
          stop(lost.worker, `build ${lost.worker.generation} was replaced`, true);
          continue;
        }
        // Who has moved it has the partition. What is read would go on beyond what that one has folded into its successor.
        const others = isMoved ? open.filter(({ worker }) => isSamePartition(worker, lost.worker)) : [];
        for (const { worker } of [lost, ...others]) stop(worker, error.message, isMoved);
        open = open.filter((one) => !others.includes(one));
      }
    }
  }

  /** The one over which the store has refused all of them. Of a projection there may be several, in other builds. */
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

  /** Another build has taken over from this one, which is closed by that. Its successor goes on. */
  async function isReplaced(lane: ProjectionWorker): Promise<boolean> {
    return (
      readsActiveGeneration(lane) &&
      (await retrying([lane], () => store.activeGeneration(lane.projection.name))) !== lane.generation
    );
  }

  function settle(one: FoldResult, checkpoint: bigint | null): void {
    const { worker, documents, position, lastRecordedAt, count, failure } = one;
    // The cache takes documents only now: before the commit they are not what the store holds. And only as many as it
    // keeps: a long stretch has many times as many, and would hold up the event loop by putting in what goes out again.
    let beyond = worker.projection.hasDocumentPerRecord ? documents.size : documents.size - worker.cache.max;
    for (const [key, entry] of documents) {
      entry.stored = true;
      if (--beyond < 0) worker.cache.set(key, entry);
    }
    worker.position = position;
    worker.checkpoint = checkpoint;
    worker.lastRecordedAt = lastRecordedAt;
    worker.foldedRecords += count;
    // Before the stop: whoever is told that the lane stopped finds everything before the failing record in place.
    onCommitted(one);
    if (failure !== null) stop(worker, failure);
  }

  async function storePlaces(
    lanes: readonly ProjectionWorker[],
    placeOf: (lane: ProjectionWorker) => bigint | null,
  ): Promise<void> {
    const behind = lanes.filter((lane) => lane.stopReason === null && isBefore(lane.checkpoint, placeOf(lane)));
    await commit(
      behind.map((worker) => {
        const { lastRecordedAt } = worker;
        return {
          worker,
          documents: new Map(),
          position: placeOf(worker),
          lastRecordedAt,
          count: 0,
          failure: null,
        };
      }),
    );
  }

  const flushCheckpoints = (lanes: readonly ProjectionWorker[]) => storePlaces(lanes, ({ position }) => position);
  const moveCheckpoints = (lanes: readonly ProjectionWorker[], position: Position) =>
    storePlaces(lanes, () => position);

  return {
    processRecords: records,
    moveCheckpoints,
    beginBatch: (lane) => beginFoldBatch(store, lane),
    foldIntoBatches: fold,
    commitBatches: commitStretches,
    flushCheckpoints,
  };
}

const writesOf = (documents: FoldResult['documents']): DocumentWrite[] =>
  [...documents].map(([key, { document, position, stored }]) => ({ key, document, position, isNew: !stored }));

function documentsPerWriteOf({ changedDocuments, characters }: FoldBatch, most: number): number {
  const average = characters / Math.max(1, changedDocuments);
  return Math.max(1, Math.min(most, Math.floor(CHARACTERS_PER_WRITE / Math.max(1, average))));
}

const isSamePartition = (a: ProjectionWorker, b: ProjectionWorker): boolean =>
  a.projection === b.projection && a.partition === b.partition;

/** Where the lane's checkpoint shall stand when this is committed. */
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
    // Compare-and-set on what this instance stored last: if another one has taken over, both would fold the same
    // records, and the slower one would overwrite the newer documents' checkpoint.
    expected: worker.checkpoint,
    checkpoint,
  };
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
