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
  /** Records read so far. */
  readonly records: number;
  readonly position: bigint;
}

export interface RebuildResult {
  readonly name: string;
  /** Records that concerned a document of this projection. */
  readonly records: number;
  readonly seconds: number;
}

/** What the rebuild needs of the runner beside which it works. */
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
  readonly activate: (lane: ProjectionWorker, over?: GenerationCheckpoint) => Promise<void>;
  /** Drops the builds that this lane's has replaced. */
  readonly dropReplaced: (lane: ProjectionWorker) => Promise<void>;
  readonly inTurn: SequentialQueue;
  /** Resolves when the runner knows where it stands. */
  readonly whenStarted: () => Promise<void>;
  /** Where the runner stands; undefined when it does not run. */
  readonly runnerPosition: () => bigint | null | undefined;
  /** Is being filled already. */
  readonly isCatchingUp: (name: string) => boolean;
  /** What the runner feeds, and where it believes that this stands. */
  readonly activeCheckpoint: (name: string) => GenerationCheckpoint | undefined;
  /** Puts the new lane in the old one's place. */
  readonly takeOver: (lane: ProjectionWorker) => void;
}

export function createRunnerRebuild(options: RunnerRebuildOptions) {
  const { log, store, projections, batchSize, rebuildBatchSize, cacheDocuments, now, signal, inTurn } = options;
  const rebuilding = new Set<string>();

  async function prepare(projection: Projection): Promise<ProjectionWorker> {
    // A projection's first build becomes active while it is still empty; there is nothing older to read then.
    const build = await nextGeneration(store, projection);
    await store.prepare(projection, build);
    const lane = createProjectionWorker(projection, build, cacheDocuments);
    lane.awaitsActivation = true;
    return lane;
  }

  /** False where another instance has the projection: what was built here may be behind what that one has stored, and
   *  would stay so if this instance ended now. */
  async function activate(lane: ProjectionWorker): Promise<boolean> {
    try {
      await options.activate(lane, options.activeCheckpoint(lane.projection.name));
      return true;
    } catch (error) {
      if (!(error instanceof GenerationNotFound || error instanceof CheckpointMoved)) throw error;
      lane.stopReason = error.message;
      return false;
    }
  }

  async function abandon(lane: ProjectionWorker): Promise<void> {
    // What cannot be dropped now (no connection, active from the first) is dropped or used by the next start.
    await store.drop(lane.projection.name, lane.generation).catch(() => {});
  }

  async function run(chosen: readonly Projection[], onProgress?: (progress: RebuildProgress) => void) {
    const names = chosen.map(({ name }) => name);
    const began = now();
    const lanes: ProjectionWorker[] = [];
    try {
      for (const projection of chosen) lanes.push(await prepare(projection));
      const filling = {
        log,
        advance: options.newProcessor(),
        batchSize,
        rebuildBatchSize,
        signal,
        limit: options.runnerPosition,
        onProgress: (records: number, position: bigint) => onProgress?.({ projections: names, records, position }),
      };
      await options.retryLogRead(() => catchUp(lanes, filling));
      await inTurn(async () => {
        // The runner stands still in this turn. The new builds come to exactly where it stands: behind it they would
        // lack records for good, ahead of it the changes between would be announced to nobody.
        await options.retryLogRead(() => catchUp(lanes, { ...filling, onProgress: undefined }));
        await filling.advance.flushCheckpoints(lanes);
        for (const lane of lanes) {
          if (lane.stopReason !== null) continue;
          // First the store, then the runner: the other way round a crash between would leave the store with an
          // active build that nobody feeds any more.
          if (!(await activate(lane))) continue;
          options.takeOver(lane);
          await options.dropReplaced(lane);
        }
      });
    } catch (error) {
      for (const lane of lanes) if (lane.awaitsActivation) await abandon(lane);
      throw error;
    }
    const failed = lanes.filter(({ stopReason }) => stopReason !== null);
    for (const lane of failed) await abandon(lane);
    if (failed.length > 0) {
      throw new Error(failed.map((lane) => `rebuild of ${lane.projection.name}: ${lane.stopReason}`).join('; '));
    }
    const seconds = (now() - began) / 1000;
    return lanes.map(
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
