import type { Projection } from '../../domain/projection.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { OneAtATime } from '../../platform/time/one-at-a-time.ts';
import { BuildGone, type BuildPlace, CheckpointMoved, type ReadStore } from '../store/read-store.ts';
import type { Advance } from './advance.ts';
import { nextBuild } from './builds.ts';
import { fill } from './filler.ts';
import { createLane, type Lane } from './projection-lane.ts';

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
export interface RebuildOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  readonly batchSize: number;
  readonly stretchRecords: number;
  readonly cacheDocuments: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly newAdvance: () => Advance;
  readonly readingLog: <T>(work: () => Promise<T>) => Promise<T>;
  readonly activate: (lane: Lane, over?: BuildPlace) => Promise<void>;
  /** Drops the builds that this lane's has replaced. */
  readonly dropOthers: (lane: Lane) => Promise<void>;
  readonly inTurn: OneAtATime;
  /** Resolves when the runner knows where it stands. */
  readonly settle: () => Promise<void>;
  /** Where the runner stands; undefined when it does not run. */
  readonly limit: () => bigint | null | undefined;
  /** Is being filled already. */
  readonly isBusy: (name: string) => boolean;
  /** What the runner feeds, and where it believes that this stands. */
  readonly current: (name: string) => BuildPlace | undefined;
  /** Puts the new lane in the old one's place. */
  readonly takeOver: (lane: Lane) => void;
}

export function createRebuild(options: RebuildOptions) {
  const { log, store, projections, batchSize, stretchRecords, cacheDocuments, now, signal, inTurn } = options;
  const rebuilding = new Set<string>();

  async function prepare(projection: Projection): Promise<Lane> {
    // A projection's first build becomes active while it is still empty; there is nothing older to read then.
    const build = await nextBuild(store, projection);
    await store.prepare(projection, build);
    const lane = createLane(projection, build, cacheDocuments);
    lane.awaitsActivation = true;
    return lane;
  }

  /** False where another instance has the projection: what was built here may be behind what that one has stored, and
   *  would stay so if this instance ended now. */
  async function activate(lane: Lane): Promise<boolean> {
    try {
      await options.activate(lane, options.current(lane.projection.name));
      return true;
    } catch (error) {
      if (!(error instanceof BuildGone || error instanceof CheckpointMoved)) throw error;
      lane.stopped = error.message;
      return false;
    }
  }

  async function abandon(lane: Lane): Promise<void> {
    // What cannot be dropped now (no connection, active from the first) is dropped or used by the next start.
    await store.drop(lane.projection.name, lane.build).catch(() => {});
  }

  async function run(chosen: readonly Projection[], onProgress?: (progress: RebuildProgress) => void) {
    const names = chosen.map(({ name }) => name);
    const began = now();
    const lanes: Lane[] = [];
    try {
      for (const projection of chosen) lanes.push(await prepare(projection));
      const filling = {
        log,
        advance: options.newAdvance(),
        batchSize,
        stretchRecords,
        signal,
        limit: options.limit,
        onProgress: (records: number, position: bigint) => onProgress?.({ projections: names, records, position }),
      };
      await options.readingLog(() => fill(lanes, filling));
      await inTurn(async () => {
        // The runner stands still in this turn. The new builds come to exactly where it stands: behind it they would
        // lack records for good, ahead of it the changes between would be announced to nobody.
        await options.readingLog(() => fill(lanes, { ...filling, onProgress: undefined }));
        await filling.advance.flush(lanes);
        for (const lane of lanes) {
          if (lane.stopped !== null) continue;
          // First the store, then the runner: the other way round a crash between would leave the store with an
          // active build that nobody feeds any more.
          if (!(await activate(lane))) continue;
          options.takeOver(lane);
          await options.dropOthers(lane);
        }
      });
    } catch (error) {
      for (const lane of lanes) if (lane.awaitsActivation) await abandon(lane);
      throw error;
    }
    const failed = lanes.filter(({ stopped }) => stopped !== null);
    for (const lane of failed) await abandon(lane);
    if (failed.length > 0) {
      throw new Error(failed.map((lane) => `rebuild of ${lane.projection.name}: ${lane.stopped}`).join('; '));
    }
    const seconds = (now() - began) / 1000;
    return lanes.map(({ projection, folded }): RebuildResult => ({ name: projection.name, records: folded, seconds }));
  }

  return async function rebuild(
    names: readonly string[] = projections.map(({ name }) => name),
    onProgress?: (progress: RebuildProgress) => void,
  ): Promise<readonly RebuildResult[]> {
    await options.settle();
    const chosen = [...new Set(names)].map((name) => {
      const projection = projections.find((one) => one.name === name);
      if (!projection) throw new Error(`no such projection: ${name}`);
      if (rebuilding.has(name) || options.isBusy(name)) throw new Error(`projection ${name} is being built already`);
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
