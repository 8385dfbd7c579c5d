import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SequentialQueue } from '../../platform/async/concurrency.ts';
import { CheckpointMoved, type GenerationCheckpoint, GenerationNotFound, type ReadStore } from '../store/read-store.ts';
import { catchUp } from './folding/catch-up.ts';
import { nextGeneration } from './folding/generations.ts';
import { createProjectionWorker, type ProjectionWorker } from './folding/projection-worker.ts';
import type { RecordProcessor } from './folding/record-processor.ts';

export interface RebuildProgress {
  readonly projections: readonly string[];
  /** Number of records read so far. */
  readonly records: number;
  readonly position: bigint;
}

export interface RebuildResult {
  readonly name: string;
  /** Number of records that concerned a document of this projection. */
  readonly records: number;
  readonly seconds: number;
}

/** What a rebuild needs from the runner that runs meanwhile. */
interface RunnerRebuildOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  readonly batchSize: number;
  readonly rebuildBatchSize: number;
  readonly cacheDocuments: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly newProcessor: () => RecordProcessor;
  readonly retryLogRead: <T>(work: () => Promise<T>) => Promise<T>;
  readonly activate: (worker: ProjectionWorker, over?: GenerationCheckpoint) => Promise<void>;
  /** Drops the generations that this worker's generation has replaced. */
  readonly dropReplaced: (worker: ProjectionWorker) => Promise<void>;
  readonly inTurn: SequentialQueue;
  /** Resolves when the runner knows its position. */
  readonly whenStarted: () => Promise<void>;
  /** Position of the runner; undefined if it does not run. */
  readonly runnerPosition: () => bigint | null | undefined;
  /** Whether this projection is catching up already. */
  readonly isCatchingUp: (name: string) => boolean;
  /** The runner's active generation and its last known checkpoint. */
  readonly activeCheckpoint: (name: string) => GenerationCheckpoint | undefined;
  /** Replaces the old worker by the new one. */
  readonly takeOver: (worker: ProjectionWorker) => void;
}

export function createRunnerRebuild(options: RunnerRebuildOptions) {
  const { log, store, projections, batchSize, rebuildBatchSize, cacheDocuments, now, signal, inTurn } = options;
  const rebuilding = new Set<string>();

  async function prepare(projection: Projection): Promise<ProjectionWorker> {
    // A projection's first generation becomes active while it is still empty; there is nothing older to read then.
    const generation = await nextGeneration(store, projection);
    await store.prepare(projection, generation);
    const worker = createProjectionWorker(projection, generation, cacheDocuments);
    worker.awaitsActivation = true;
    return worker;
  }

  /** False if another instance has the projection. The new generation may then be behind what that instance has stored,
   *  and would stay behind if this instance ended now. */
  async function activate(worker: ProjectionWorker): Promise<boolean> {
    try {
      await options.activate(worker, options.activeCheckpoint(worker.projection.name));
      return true;
    } catch (error) {
      if (!(error instanceof GenerationNotFound || error instanceof CheckpointMoved)) throw error;
      worker.stopReason = error.message;
      return false;
    }
  }

  async function dropGeneration(worker: ProjectionWorker): Promise<void> {
    // If it cannot be dropped now (no connection, or active from the start), the next start drops or uses it.
    await store.drop(worker.projection.name, worker.generation).catch(() => {});
  }

  async function run(chosen: readonly Projection[], onProgress?: (progress: RebuildProgress) => void) {
    const names = chosen.map(({ name }) => name);
    const began = now();
    const workers: ProjectionWorker[] = [];
    try {
      for (const projection of chosen) workers.push(await prepare(projection));
      const catchUpOptions = {
        log,
        processor: options.newProcessor(),
        batchSize,
        rebuildBatchSize,
        signal,
        limit: options.runnerPosition,
        onProgress: (records: number, position: bigint) => onProgress?.({ projections: names, records, position }),
      };
      await options.retryLogRead(() => catchUp(workers, catchUpOptions));
      await inTurn(async () => {
        // The runner stands still in this turn, and the new generations come exactly to its position. Behind it they
        // would lack records for good; ahead of it the changes between would never be published.
        await options.retryLogRead(() => catchUp(workers, { ...catchUpOptions, onProgress: undefined }));
        await catchUpOptions.processor.flushCheckpoints(workers);
        for (const worker of workers) {
          if (worker.stopReason !== null) continue;
          // First the store, then the runner. In the other order, a crash between the two would leave the store with an
          // active generation that nobody feeds.
          if (!(await activate(worker))) continue;
          options.takeOver(worker);
          await options.dropReplaced(worker);
        }
      });
    } catch (error) {
      for (const worker of workers) if (worker.awaitsActivation) await dropGeneration(worker);
      throw error;
    }
    const failed = workers.filter(({ stopReason }) => stopReason !== null);
    for (const worker of failed) await dropGeneration(worker);
    if (failed.length > 0) {
      throw new Error(failed.map((worker) => `rebuild of ${worker.projection.name}: ${worker.stopReason}`).join('; '));
    }
    const seconds = (now() - began) / 1000;
    return workers.map(
      ({ projection, foldedRecords }): RebuildResult => ({ name: projection.name, records: foldedRecords, seconds }),
    );
  }

  return async function rebuild(
    names: readonly string[] = projections.map(({ name }) => name),
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<readonly RebuildResult[]> {
    await options.whenStarted();
    const chosen = [...new Set(names)].map((name) => {
      const projection = projections.find((one) => one.name === name);
      if (!projection) throw new Error(`no such projection: ${name}`);
      if (rebuilding.has(name) || options.isCatchingUp(name))
        throw new Error(`projection ${name} is being built already`);
      return projection;
    });
    for (const { name } of chosen) rebuilding.add(name);
    try {
      return await run(chosen, onProgress);
    } finally {
      for (const { name } of chosen) rebuilding.delete(name);
    }
  };
}
