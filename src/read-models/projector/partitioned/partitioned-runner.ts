import { Subject } from 'rxjs';
import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import type { Position } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../../domain/event-sourcing/upcast.ts';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { followRecordFeed } from '../../../event-log/subscription/follow-record-feed.ts';
import { createLogFeed } from '../../../event-log/subscription/log-feed.ts';
import type { RecordFeed, RecordFeedMessage } from '../../../event-log/subscription/record-feed.ts';
import { createSequentialQueue } from '../../../platform/async/concurrency.ts';
import { backoffAfter, type Delay, realDelay, retryWithBackoff } from '../../../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../../../platform/async/timer.ts';
import { CheckpointMoved, GenerationNotFound, type ReadStore } from '../../store/read-store.ts';
import type { DocumentChangeSource, DocumentChanges } from '../document-changes.ts';
import {
  cacheSizeOf,
  createProjectionWorker,
  type FoldResult,
  type ProjectionWorker,
} from '../folding/projection-worker.ts';
import { createRecordProcessor, describeError } from '../folding/record-processor.ts';
import { createWaiters, type WaitOptions } from '../progress/waiters.ts';
import type { RunnerLogger } from '../projection-runner-types.ts';
import type { RebuildResult } from '../runner-rebuild.ts';
import { type AssignedPartition, createAssignedPartition } from './assigned-partition.ts';
import { createClusterRebuild } from './cluster-rebuild.ts';
import { createGenerationManager } from './generation-manager.ts';
import { createPartitionCatchUp } from './partition-catch-up.ts';
import { type PartitionStatus, partitionStatuses } from './partition-status.ts';

export interface PartitionedRunnerOptions {
  /** From it comes what is folded undivided, and what builds lack that the feed has brought already. */
  readonly log: EventLog;
  /** What brings the records of the log by partition, to several instances that divide the partitions among them. */
  readonly feed: RecordFeed;
  /** The feed's partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  /** Most records of one partition that are folded and committed at once; default 1000. */
  readonly batchSize?: number;
  /** Most records folded at once into a build that nobody reads yet; default 200 000. */
  readonly rebuildBatchSize?: number;
  /** Documents kept in memory for each projection and partition; default 250. */
  readonly cacheDocuments?: number;
  readonly logger?: RunnerLogger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly delay?: Delay;
  readonly setTimer?: SetTimer;
  /** How often the store is asked for builds that others have begun, in milliseconds; default 5000. */
  readonly pollEvery?: number;
  /** How long a replaced build stays, in milliseconds: who looked up the active one a moment ago still reads it. Default
   *  10 000. */
  readonly replacedRetention?: number;
}

/**
 * Folds the partitions that come to this instance into read models that several instances fill. Each projection stands in
 * each partition at a place of its own, which the store holds and moves by compare-and-set: whoever finds it moved has lost
 * it, lets go of it and begins again at what the store has. What crosses partitions (`Projection.isUndivided`) is folded from
 * the log itself by whoever has the partition of `ONE_PARTITION`.
 */
export interface PartitionedRunner extends DocumentChangeSource {
  /** Begins to fold, and resolves before anything is folded. */
  start(): void;
  /** What of the partitions that this instance has stands where. */
  status(): readonly PartitionStatus[];
  /** Partitions of the feed that this instance has. */
  assignedPartitions(): readonly string[];
  /**
   * Those in which all that it has committed is told in `changes`, and nothing has been waiting for the store for long:
   * `NAME:NUMBER`, where the number changes whenever something may have been committed that nobody was told of.
   */
  publishedPartitions(): readonly string[];
  /** Of the documents that are kept in memory. */
  readonly cacheSize: CacheSize;
  /** Resolves once it has partitions, and folds what is new in all of them. @throws WaitTimeout */
  caughtUp(options?: WaitOptions): Promise<void>;
  /**
   * Begins new builds of these projections (default: all), which all instances fill, and resolves when they have taken
   * over. Rejects where one cannot be filled here, which is then dropped. Whoever is interrupted may begin again, or leave
   * it to the others.
   */
  rebuild(names?: readonly string[]): Promise<readonly RebuildResult[]>;
  /** Finishes the batches in hand. The log, the feed and the store stay open. */
  stop(): Promise<void>;
}

const SILENT: RunnerLogger = { info() {}, warn() {}, error() {} };
/** Of a lane that keeps documents of one partition alone. */
const WORKER_CACHE_BYTES = 2 * 1024 * 1024;
const GROUP = 'projectors';
/** What waits for the store for longer may be committed, and not be told for as long; milliseconds. */
const MAX_UNPUBLISHED_MS = 500;
/** No announcement tells this instance of what others append: it looks. */
const POLL_MS = 100;

export function createPartitionedRunner(options: PartitionedRunnerOptions): PartitionedRunner {
  const { log, feed, partitionOf, store, projections, batchSize = 1000, cacheDocuments = 250, now } = options;
  const { delay = realDelay, setTimer = realTimer, pollEvery = 5000, replacedRetention = 10_000 } = options;
  const sizes = { batchSize, rebuildBatchSize: options.rebuildBatchSize ?? 200_000 };
  const logger = options.logger ?? SILENT;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = { delay, signal };
  const waiters = createWaiters();
  const told = new Subject<DocumentChanges>();
  const divided = projections.filter(({ needsWholeLog }) => !needsWholeLog);
  const undivided = projections.filter(({ needsWholeLog }) => needsWholeLog);
  const home = partitionOf(ONE_PARTITION);

  const tracks = new Map<string, AssignedPartition>();
  /** What a partition is doing: it takes the next message when that is over. */
  const working = new Map<string, Promise<void>>();
  const running = new Set<Promise<unknown>>();
  /** Since when what came last is being folded. */
  const busySince = new Map<AssignedPartition, number>();
  /** The partitions that it has, where the feed tells that. */
  let present: ReadonlySet<string> | undefined;
  let whole: { readonly track: AssignedPartition; readonly ending: AbortController } | undefined;
  let losses = 0;
  let generations = 0;
  let stopped: string | null = null;
  let trouble: string | null = null;

  const allTracks = (): AssignedPartition[] => [...tracks.values(), ...(whole ? [whole.track] : [])];
  const allLanes = (): ProjectionWorker[] => allTracks().flatMap(({ workers }) => [...workers]);

  const newAdvance = (isFed: boolean) =>
    createRecordProcessor({
      store,
      ...waiting,
      checkpointEvery: 1,
      isRemote: true,
      onCommitted: (folded) => {
        // What fills a build repeats what was announced long ago.
        if (isFed) announce(folded);
      },
      onStopped({ projection, generation, partition, position, isLost, stopReason: reason }) {
        const fields = {
          projection: projection.name,
          build: generation,
          partition,
          position: String(position),
          reason,
        };
        if (isLost) logger.info(fields, 'let go of a partition of a build');
        else logger.error(fields, 'projection stopped');
        waiters.check();
      },
      onRetry: (error, attempt, held) => {
        const names = [...new Set(held.map(({ projection }) => projection.name))];
        logger.warn({ projections: names, attempt, reason: describeError(error) }, 'read store failed, trying again');
      },
    });
  const processor = newAdvance(true);

  function announce({ worker, documents }: FoldResult): void {
    if (documents.size === 0 || !told.observed) return;
    const changes = [...documents].map(([key, { document, position }]) => ({ key, document, position }));
    told.next({ projection: worker.projection.name, changes });
  }

  /** Not waited for, and ended with the runner. What ends it but a stop is told. */
  function run(work: Promise<unknown>): void {
    const one = work
      .catch((error: unknown) => {
        if (signal.aborted) return;
        stopped = describeError(error);
        logger.error({ reason: stopped }, 'projections stopped');
        waiters.check();
      })
      .finally(() => running.delete(one));
    running.add(one);
  }

  const retrying = <T>(work: () => Promise<T>): Promise<T> =>
    retryWithBackoff(work, {
      ...waiting,
      isFinal: (error) =>
        error instanceof UnknownEventVersion || error instanceof GenerationNotFound || error instanceof CheckpointMoved,
      onRetry: failed,
    });

  function failed(error: unknown, attempt: number): void {
    trouble = describeError(error);
    logger.warn({ attempt, reason: trouble }, 'projecting failed, trying again');
  }

  const partitionOfRecord = new WeakMap<LogRecord, string>();
  function recordPartition(record: LogRecord): string {
    let found = partitionOfRecord.get(record);
    if (found === undefined) {
      found = partitionOf(record.meta.partition);
      partitionOfRecord.set(record, found);
    }
    return found;
  }

  function newTrack(
    name: string,
    own: readonly Projection[],
    readEnd: () => Promise<Position | null>,
  ): AssignedPartition {
    const isOwn = name === ONE_PARTITION ? () => true : (record: LogRecord) => recordPartition(record) === name;
    const part = { partition: name, isOwn, cacheBytes: WORKER_CACHE_BYTES };
    return createAssignedPartition({
      ...{ name, projections: own, store, processor, readEnd },
      newWorker: (projection, build) => createProjectionWorker(projection, build, cacheDocuments, part),
      newEpoch: () => ++generations,
      onLost: regain,
      onLagging() {
        const filling = fillBehind();
        if (filling) run(filling);
      },
    });
  }

  // ---- what builds there are

  const inTurn = createSequentialQueue();
  const builds = createGenerationManager({
    ...{ store, feed, projections, retrying, now, keepReplaced: replacedRetention },
    onActivated({ name }, build) {
      logger.info({ projection: name, build }, 'build took over');
      for (const lane of allLanes()) {
        if (lane.projection.name === name && lane.generation === build) lane.awaitsActivation = false;
      }
    },
  });

  /** By what is planned when it is its turn: it may have been opened meanwhile by a later look than this one's. */
  async function followPlans(): Promise<void> {
    for (const track of allTracks()) await retrying(() => track.applyPlans(() => builds.plans));
  }

  /** Goes by what the store holds now. */
  const refresh = (): Promise<void> =>
    inTurn(async () => {
      await builds.refresh();
      await followPlans();
      // At once: a build that was replaced is closed, and refuses what comes next.
      if (await builds.activateReady()) await followPlans();
      await builds.dropReplaced();
      waiters.check();
    });

  /** The one whose pause has ended must not take the partition back from its successor, so it waits for the feed to say
   *  who has it. */
  function regain(): void {
    losses++;
    builds.forgetPrepared();
    run(delay(backoffAfter(Math.min(losses, 4)), signal).then(refresh));
  }

  async function lookAgain(): Promise<void> {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const cancel = setTimer(end, pollEvery);
        signal.addEventListener('abort', end);
      });
      if (!signal.aborted) await refresh();
    }
  }

  const fillBehind = createPartitionCatchUp({
    ...{ log, ...sizes, signal, retrying, refresh, partitions: allTracks },
    newProcessor: () => newAdvance(false),
  });

  // ---- what the feed brings

  async function open(partition: string): Promise<Position | null> {
    await working.get(partition);
    // It has gone to somebody else already, and nothing of it will come.
    if (present && !present.has(partition)) return null;
    let track = tracks.get(partition);
    if (!track) {
      track = newTrack(partition, divided, async () => (await feed.endPositions()).get(partition) ?? null);
      tracks.set(partition, track);
    }
    const opened = track;
    const place = await retrying(() => opened.open(builds.refresh));
    waiters.check();
    return place;
  }

  function assign(partitions: ReadonlySet<string>): void {
    present = partitions;
    for (const [name, track] of tracks) {
      if (partitions.has(name)) continue;
      tracks.delete(name);
      track.close();
    }
    if (!partitions.has(home)) endWhole();
    else if (undivided.length > 0 && !whole) run(followWhole());
  }

  function endWhole(): void {
    whole?.track.close();
    whole?.ending.abort();
    whole = undefined;
  }

  /** What crosses partitions, from the log itself. */
  async function followWhole(): Promise<void> {
    const ending = new AbortController();
    const track = newTrack(ONE_PARTITION, undivided, () => log.head());
    whole = { track, ending };
    const following = {
      ...{ readers: { group: GROUP }, batchSize, bufferLimit: 2 * batchSize, pollInterval: POLL_MS, setTimer, delay },
      after: () => retrying(() => track.open(builds.refresh)),
      signal: AbortSignal.any([signal, ending.signal]),
      onRetry: failed,
    } as const;
    await followRecordFeed(createLogFeed(log), following, (message) => handleBy(track, message));
  }

  async function handleBy(track: AssignedPartition, message: RecordFeedMessage): Promise<void> {
    trouble = null;
    const before = losses;
    busySince.set(track, now());
    try {
      await track.handleMessage(message);
    } finally {
      busySince.delete(track);
    }
    if (losses === before && message.kind === 'records') losses = 0;
    waiters.check();
  }

  /** Partitions wait for the store apart from each other, each with one message at a time. */
  async function dispatch(message: RecordFeedMessage): Promise<void> {
    const { partition } = message;
    await working.get(partition);
    const track = tracks.get(partition);
    if (track) working.set(partition, handleBy(track, message));
    // What it rejects with is told to whoever waits for it.
    working.get(partition)?.catch(() => {});
  }

  async function followFeed(): Promise<void> {
    const following = {
      ...{ readers: { group: GROUP }, batchSize, bufferLimit: 2 * batchSize, setTimer, delay, signal },
      after: open,
      onAssigned: assign,
      onRetry(error: unknown, attempt: number) {
        working.clear();
        // Whom they belong to now nobody knows before it has subscribed again.
        assign(new Set());
        present = undefined;
        failed(error, attempt);
      },
    } as const;
    await followRecordFeed(feed, following, dispatch);
  }

  function isTold(track: AssignedPartition): boolean {
    const since = busySince.get(track);
    return track.isPublished && (since === undefined || now() - since < MAX_UNPUBLISHED_MS);
  }

  function toldPartitions(): string[] {
    return [...tracks].flatMap(([name, track]) => {
      if (!isTold(track)) return [];
      if (name !== home || undivided.length === 0) return [`${name}:${track.epoch}`];
      return whole && isTold(whole.track) ? [`${name}:${track.epoch}.${whole.track.epoch}`] : [];
    });
  }

  return {
    documentChanges: told.asObservable(),
    publishedPartitions: toldPartitions,
    start() {
      run(followFeed());
      run(lookAgain());
    },
    status: () => partitionStatuses(allTracks(), { now: now(), stopped, trouble }),
    assignedPartitions: () => [...tracks.keys()].sort(),
    get cacheSize() {
      return cacheSizeOf(allLanes());
    },
    caughtUp(waitOptions) {
      const isCaughtUp = () =>
        stopped !== null ||
        (tracks.size > 0 && allTracks().every((track) => track.isLive && track.laggingWorkers.length === 0));
      return waiters.wait('the end of the log', isCaughtUp, waitOptions);
    },
    rebuild: createClusterRebuild({
      ...{ store, projections, generations: builds, retrying, now, refresh },
      workers: allLanes,
      wait: (what, isReached) => waiters.wait(what, isReached, { signal }),
    }),
    async stop() {
      if (signal.aborted) return;
      stopping.abort();
      endWhole();
      await Promise.allSettled([...running, ...working.values()]);
      for (const track of tracks.values()) track.close();
      told.complete();
      waiters.end(new Error('the projectors have stopped'));
    },
  };
}
