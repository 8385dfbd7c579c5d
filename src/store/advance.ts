import type { LogRecord } from '../domain/record.ts';
import { type Folded, foldRecords, isBefore, type Lane } from './lane.ts';
import { CheckpointMoved, DocumentRejected, type ProjectionCommit, type ReadStore } from './read-store.ts';
import { type Delay, withRetries } from './retry.ts';
import { createBreather } from './turns.ts';

export interface AdvanceOptions {
  readonly store: ReadStore;
  readonly delay: Delay;
  /** Gives up retrying. */
  readonly signal: AbortSignal;
  readonly onCommitted: (folded: Folded) => void;
  readonly onStopped: (lane: Lane) => void;
  readonly onRetry: (error: unknown, attempt: number, lanes: readonly Lane[]) => void;
}

export interface Advance {
  /** Folds records (in order) into all lanes that are not stopped and stand before them, and commits them together.
   *  Rejects only when the signal is aborted. */
  records(lanes: readonly Lane[], records: readonly LogRecord[]): Promise<void>;
  /** Stores the checkpoints that were put off. */
  flush(lanes: readonly Lane[]): Promise<void>;
}

/** Records that may pass without a document before the checkpoint is stored nevertheless: what a restart reads again. */
const CHECKPOINT_EVERY = 1000;

export function createAdvance({ store, delay, signal, onCommitted, onStopped, onRetry }: AdvanceOptions): Advance {
  const breathe = createBreather();
  let passed = 0;

  function stop(lane: Lane, reason: string): void {
    lane.stopped = reason;
    lane.trouble = null;
    lane.cache.clear();
    onStopped(lane);
  }

  async function retrying<T>(lanes: readonly Lane[], work: (attempt: number) => Promise<T>): Promise<T> {
    const result = await withRetries(work, {
      delay,
      signal,
      isFinal: (error) => error instanceof CheckpointMoved || error instanceof DocumentRejected,
      onRetry: (error, attempt) => {
        for (const lane of lanes) lane.trouble = describe(error);
        onRetry(error, attempt, lanes);
      },
    });
    for (const lane of lanes) lane.trouble = null;
    return result;
  }

  async function records(lanes: readonly Lane[], all: readonly LogRecord[]): Promise<void> {
    const folded: Folded[] = [];
    for (const lane of lanes) {
      if (lane.stopped !== null) continue;
      // Lanes may stand at different places, and after an error the subscription starts again before some of them:
      // a record folded twice would be counted twice.
      const first = all.findIndex(({ position }) => isBefore(lane.position, position));
      if (first === -1) continue;
      folded.push(await retrying([lane], () => foldRecords(store, lane, first === 0 ? all : all.slice(first))));
      await breathe();
    }
    passed += all.length;
    const idle = folded.every(({ documents }) => documents.size === 0);
    if (!idle || passed >= CHECKPOINT_EVERY) {
      passed = 0;
      await commit(folded);
    } else {
      for (const one of folded) settle(one, one.lane.checkpoint);
    }
    await breathe();
  }

  async function commit(folded: readonly Folded[]): Promise<void> {
    let open = folded.filter(({ lane, position }) => isBefore(lane.checkpoint, position));
    for (const one of folded) if (!open.includes(one)) settle(one, one.lane.checkpoint);
    let retried = false;
    while (open.length > 0) {
      const lanes = open.map(({ lane }) => lane);
      try {
        await retrying(lanes, (attempt) => {
          retried ||= attempt > 1;
          return store.commit(open.map(toCommit));
        });
        // Only after the commit: a lane that went on before it would leave out these records for good if it failed.
        for (const one of open) settle(one, one.position);
        return;
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        const lost = open.find(({ lane }) => lane.projection.name === error.projection);
        if (!lost) throw error;
        open = open.filter((one) => one !== lost);
        // An attempt whose answer got lost may have been carried out. Then the checkpoint stands where we wanted it,
        // and stopping would take our own commit for another instance's.
        if (retried && error instanceof CheckpointMoved && (await hasArrived(lost))) settle(lost, lost.position);
        else stop(lost.lane, error.message);
      }
    }
  }

  async function hasArrived({ lane, position }: Folded): Promise<boolean> {
    const actual = await retrying([lane], () => store.checkpoint(lane.projection.name, lane.build));
    return actual === position;
  }

  function settle(one: Folded, checkpoint: bigint | null): void {
    const { lane, documents, position, foldedAt, count, failure } = one;
    // The cache takes documents only now: before the commit they are not what the store holds.
    for (const [key, entry] of documents) lane.cache.set(key, entry);
    lane.position = position;
    lane.checkpoint = checkpoint;
    lane.foldedAt = foldedAt;
    lane.folded += count;
    // Before the stop: whoever is told that the lane stopped finds everything before the failing record in place.
    onCommitted(one);
    if (failure !== null) stop(lane, failure);
  }

  async function flush(lanes: readonly Lane[]): Promise<void> {
    const behind = lanes.filter((lane) => lane.stopped === null && isBefore(lane.checkpoint, lane.position));
    await commit(
      behind.map((lane) => {
        const { position, foldedAt } = lane;
        return { lane, documents: new Map(), position, foldedAt, count: 0, failure: null };
      }),
    );
  }

  return { records, flush };
}

function toCommit({ lane, documents, position }: Folded): ProjectionCommit {
  const writes = [...documents].map(([key, entry]) => ({ key, document: entry.document, position: entry.position }));
  return {
    projection: lane.projection.name,
    build: lane.build,
    writes,
    // Compare-and-set on what this instance stored last: if another one has taken over, both would fold the same
    // records, and the slower one would overwrite the newer documents' checkpoint.
    expected: lane.checkpoint,
    checkpoint: position!,
  };
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
