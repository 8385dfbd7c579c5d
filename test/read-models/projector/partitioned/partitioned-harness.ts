import { setImmediate } from 'node:timers/promises';
import { partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import { isBefore } from '../../../../src/domain/event-sourcing/position.ts';
import type { Projection } from '../../../../src/domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../../src/domain/event-sourcing/record.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { RecordFeed } from '../../../../src/event-log/subscription/record-feed.ts';
import { compareGenerations } from '../../../../src/read-models/projector/folding/generations.ts';
import {
  createPartitionedRunner,
  type PartitionedRunnerOptions,
} from '../../../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { ProjectionCommit, ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { createFaultyFeed } from '../../../support/faulty/faulty-feed.ts';
import {
  createFaultyNetwork,
  type FaultyNetwork,
  type FaultyNetworkOptions,
} from '../../../support/faulty/faulty-network.ts';
import { createFaultyStore } from '../../../support/faulty/faulty-store.ts';
import { gappedLog } from '../../../support/faulty/log-with-gaps.ts';
import { grouped, tallies } from '../../toys.ts';

export const PARTITIONS = 12;
/** All wait for it in the same place: of toys the log is divided by what they are about. */
export const ALL = Array.from({ length: PARTITIONS }, (_, number) => String(number));

/** A projection whose tables gather rows from all partitions. */
export const crossing = (name = 'grouped', version = 1): Projection => ({
  ...grouped(name, version),
  needsWholeLog: true,
});

export interface Fact {
  readonly type: string;
  readonly key: number;
  readonly amount: number;
}

export async function tell(log: EventLog, facts: readonly Fact[]): Promise<void> {
  for (const { type, key, amount } of facts) {
    const event = { type, version: 1, data: { key, amount }, meta: { partition: `toy-${key}` } };
    await log.append(`toys-${key}`, [event], 'any');
  }
}

/** Facts about many things, in an order that mixes them. */
export const someFacts = (count: number, from = 0): Fact[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'Counted', key: ((from + index) * 7) % 23, amount: index % 5 }));

export interface PartitionedWorld {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  /** What stands there, near. */
  readonly inner: ReadStore;
  /** Builds that took over while they stood behind the one that was read. */
  readonly tooEarly: readonly string[];
  /** Builds that might have taken over from the one that is read when that moved on without them: somebody who had just
   *  looked would have let them. */
  readonly overtaken: readonly string[];
  readonly far: FaultyNetwork;
  /** An instance with its own way to the store. */
  instance(
    projections: readonly Projection[],
    more?: Partial<PartitionedRunnerOptions>,
  ): ReturnType<typeof createPartitionedRunner>;
}

export interface WorldOptions extends FaultyNetworkOptions {
  readonly torn?: boolean;
  /** Of the log; milliseconds. */
  readonly now?: () => number;
}

export function partitionedWorld(options: WorldOptions = {}): PartitionedWorld {
  const far = createFaultyNetwork(options);
  const log = gappedLog(createMemoryLog(options.now ? { now: options.now } : {}));
  const feed = createFaultyFeed(log, far, PARTITIONS);
  const near = createMemoryStore();
  const tooEarly: string[] = [];
  const overtaken: string[] = [];
  const inner: ReadStore = {
    ...near,
    async commit(commits) {
      const ahead: (readonly [ProjectionCommit, string])[] = [];
      for (const commit of commits) {
        const { projection, generation, partition, expected } = commit;
        if ((await near.activeGeneration(projection)) !== generation) continue;
        const other = [...(await near.generations(projection))].sort(compareGenerations).at(-1)!;
        const own = await near.checkpoint(projection, other, partition);
        if (other !== generation && own !== null && !isBefore(own, expected)) ahead.push([commit, other]);
      }
      await near.commit(commits);
      for (const [{ projection, partition, checkpoint }, other] of ahead) {
        if (!isBefore(await near.checkpoint(projection, other, partition), checkpoint)) continue;
        overtaken.push(`${projection} ${other} in ${partition}`);
      }
    },
    async activate(projection, build, over) {
      const active = (await near.activeGeneration(projection))!;
      const behind: string[] = [];
      for (const partition of ['log', ...ALL]) {
        const [own, read] = [build, active].map((one) => near.checkpoint(projection, one, partition));
        if (isBefore((await own)!, (await read)!)) behind.push(`${projection} ${build} in ${partition}`);
      }
      // It is refused where another build has taken over meanwhile.
      await near.activate(projection, build, over);
      tooEarly.push(...behind);
    },
  };
  return {
    log,
    feed,
    inner,
    far,
    tooEarly,
    overtaken,
    instance: (projections, more = {}) =>
      createPartitionedRunner({
        log,
        feed,
        projections,
        batchSize: 5,
        cacheDocuments: 10,
        now: () => 0,
        store: createFaultyStore(inner, far, { torn: options.torn ?? false }),
        partitionOf: (key) => partitionName(key, PARTITIONS),
        delay: async (_milliseconds, signal) => {
          await setImmediate();
          signal.throwIfAborted();
        },
        setTimer: soon,
        ...more,
      }),
  };
}

/** As a timer that is always due within some milliseconds. */
function soon(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, Math.min(milliseconds, 15));
  return () => clearTimeout(timer);
}

/** Resolves when the active builds of all projections stand where their partitions end. */
export async function projected({ inner, feed, log }: PartitionedWorld, projections: readonly Projection[]) {
  for (const { name, version, needsWholeLog } of projections) {
    const ends = needsWholeLog ? new Map([['log', await log.head()]]) : await feed.endPositions();
    for (const [partition, end] of ends) {
      for (;;) {
        const build = await inner.activeGeneration(name);
        const isOwn = build === `v${version}` || build?.startsWith(`v${version}.`);
        if (isOwn && !isBefore(await inner.checkpoint(name, build!, partition), end)) break;
        await setImmediate();
      }
    }
  }
}

/** Notes each record that is folded, by projection. */
export function noting(projection: Projection): { readonly projection: Projection; readonly folded: bigint[] } {
  const folded: bigint[] = [];
  const apply = (document: unknown, record: LogRecord) => {
    folded.push(record.position);
    return projection.apply(document, record);
  };
  return { projection: { ...projection, apply }, folded };
}

export const toys = (): Projection[] => [tallies(), tallies('others'), crossing()];
