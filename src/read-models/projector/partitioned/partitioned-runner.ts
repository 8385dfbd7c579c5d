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
  /** Source of the records of unpartitioned projections, and of records that workers need for catching up. */
  readonly log: EventLog;
  /** Delivers the records of the log by partition to several instances, which divide the partitions among them. */
  readonly feed: RecordFeed;
  /** The feed's partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  readonly store: ReadStore;
  readonly projections: readonly Projection[];
  /** Maximum number of records of one partition folded and committed at once; default 1000. */
  readonly batchSize?: number;
  /** Maximum number of records folded at once into a generation that nobody reads yet; default 200 000. */
  readonly rebuildBatchSize?: number;
  /** Documents cached for each projection and partition; default 250. */
  readonly cacheDocuments?: number;
  readonly logger?: RunnerLogger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly delay?: Delay;
  readonly setTimer?: SetTimer;
  /** Interval in milliseconds at which the store is read for generations that other instances have created; default
   *  5000. */
  readonly pollEvery?: number;
  /** How long to keep a replaced generation, in milliseconds: a reader that looked up the active one a moment ago still
   *  reads it. Default 10 000. */
  readonly replacedRetention?: number;
}

/**
 * Folds the partitions of this instance into read models that several instances fill. Each projection has a checkpoint
 * in each partition, which the store moves by compare-and-set. An instance that finds the checkpoint moved has lost the
 * partition: it drops its worker and starts again at what the store holds. Projections that need the whole log
 * (`Projection.needsWholeLog`) are folded from the log itself, by the instance that has the partition of
 * `ONE_PARTITION`.
 */
export interface PartitionedRunner extends DocumentChangeSource {
  /** Starts folding. Returns before anything is folded. */
  start(): void;
  /** Status of each projection in each partition of this instance. */
  status(): readonly PartitionStatus[];
  /** Partitions of the feed that this instance has. */
  assignedPartitions(): readonly string[];
  /**
   * Partitions in which all commits of this instance are published in `documentChanges`, and nothing has waited long
   * for the store. As `NAME:NUMBER`; the number changes whenever something may have been committed without a published
   * change.
   */
  publishedPartitions(): readonly string[];
  /** Memory of the cached documents. */
  readonly cacheSize: CacheSize;
  /** Resolves once this instance has partitions and has caught up in all of them. @throws WaitTimeout */
  caughtUp(options?: WaitOptions): Promise<void>;
  /**
   * Creates new generations of these projections (default: all), which all instances fill. Resolves when the
   * generations are active. Rejects if this instance cannot fill one, and drops that one. An interrupted caller may
   * start again, or leave the rebuild to the other instances.
   */
  rebuild(names?: readonly string[]): Promise<readonly RebuildResult[]>;
  /** Finishes the batches in progress. The log, the feed and the store stay open. */
  stop(): Promise<void>;
}

const SILENT: RunnerLogger = { info() {}, warn() {}, error() {} };
/** Cache limit of a worker, which has documents of one partition only. */
const WORKER_CACHE_BYTES = 2 * 1024 * 1024;
const GROUP = 'projectors';
/** A batch that waits longer for the store may be committed and not published for as long; milliseconds. */
const MAX_UNPUBLISHED_MS = 500;

export function createPartitionedRunner(options: PartitionedRunnerOptions): PartitionedRunner {
  const { log, feed, partitionOf, store, projections, batchSize = 1000, cacheDocuments = 250, now } = options;
  const { delay = realDelay, setTimer = realTimer, pollEvery = 5000, replacedRetention = 10_000 } = options;
  const sizes = { batchSize, rebuildBatchSize: options.rebuildBatchSize ?? 200_000 };
  const logger = options.logger ?? SILENT;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = { delay, signal };
  const waiters = createWaiters();
  const publishedChanges = new Subject<DocumentChanges>();
  const partitionedProjections = projections.filter(({ needsWholeLog }) => !needsWholeLog);
  const wholeLogProjections = projections.filter(({ needsWholeLog }) => needsWholeLog);
  const wholeLogPartition = partitionOf(ONE_PARTITION);

  const assignedPartitions = new Map<string, AssignedPartition>();
  /** The work of each partition: the partition takes the next message when its work is done. */
  const workByPartition = new Map<string, Promise<void>>();
  const running = new Set<Promise<unknown>>();
  /** When the folding of the newest message started. */
  const busySince = new Map<AssignedPartition, number>();
  /** The partitions of this instance, if the feed tells them. */
  let currentPartitions: ReadonlySet<string> | undefined;
  let wholeLog: { readonly partition: AssignedPartition; readonly ending: AbortController } | undefined;
  let losses = 0;
  let lastEpoch = 0;
  let stopped: string | null = null;
  let retryReason: string | null = null;

  const allPartitions = (): AssignedPartition[] => [
    ...assignedPartitions.values(),
    ...(wholeLog ? [wholeLog.partition] : []),
  ];
  const allWorkers = (): ProjectionWorker[] => allPartitions().flatMap(({ workers }) => [...workers]);

  const newProcessor = (isFed: boolean) =>
    createRecordProcessor({
      log,
      store,
      ...waiting,
      checkpointEvery: 1,
      isRemote: true,
      onCommitted: (folded) => {
        // A catch-up repeats changes that were published long ago.
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
  const processor = newProcessor(true);

  function announce({ worker, documents }: FoldResult): void {
    if (documents.size === 0 || !publishedChanges.observed) return;
    const changes = [...documents].map(([key, { document, position }]) => ({ key, document, position }));
    publishedChanges.next({ projection: worker.projection.name, changes });
  }

  /** Runs in the background and ends with the runner. Reports any end but a stop. */
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
    retryReason = describeError(error);
    logger.warn({ attempt, reason: retryReason }, 'projecting failed, trying again');
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

  function createPartition(
    name: string,
    own: readonly Projection[],
    readEnd: () => Promise<Position | null>,
  ): AssignedPartition {
    const isOwn = name === ONE_PARTITION ? () => true : (record: LogRecord) => recordPartition(record) === name;
    const part = { partition: name, isOwn, cacheBytes: WORKER_CACHE_BYTES };
    return createAssignedPartition({
      name,
      projections: own,
      store,
      processor,
      readEnd,
      newWorker: (projection, generation) => createProjectionWorker(projection, generation, cacheDocuments, part),
      newEpoch: () => ++lastEpoch,
      onLost: recoverLost,
      onLagging() {
        const catchingUp = startCatchUp();
        if (catchingUp) run(catchingUp);
      },
    });
  }

  // ---- generations

  const inTurn = createSequentialQueue();
  const generationManager = createGenerationManager({
    store,
    feed,
    projections,
    retrying,
    now,
    replacedRetention,
    onActivated({ name }, generation) {
      logger.info({ projection: name, build: generation }, 'build took over');
      for (const worker of allWorkers()) {
        if (worker.projection.name === name && worker.generation === generation) worker.awaitsActivation = false;
      }
    },
  });

  /** Each partition reads the plans in its own turn: a later refresh may have opened it meanwhile. */
  async function followPlans(): Promise<void> {
    for (const assigned of allPartitions()) await retrying(() => assigned.applyPlans(() => generationManager.plans));
  }

  /** Reads the store again and follows its generations. */
  const refresh = (): Promise<void> =>
    inTurn(async () => {
      await generationManager.refresh();
      await followPlans();
      // Follow at once: a replaced generation is closed and refuses the next commit.
      if (await generationManager.activateReady()) await followPlans();
      await generationManager.dropReplaced();
      waiters.check();
    });

  /** An instance that returns from a pause must not take the partition back from its successor, so it waits until the
   *  feed says which instance has the partition. */
  function recoverLost(): void {
    losses++;
    generationManager.forgetPrepared();
    run(delay(backoffAfter(Math.min(losses, 4)), signal).then(refresh));
  }

  async function pollGenerations(): Promise<void> {
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

  const startCatchUp = createPartitionCatchUp({
    log,
    ...sizes,
    signal,
    retrying,
    refresh,
    partitions: allPartitions,
    newProcessor: () => newProcessor(false),
  });

  // ---- messages of the feed

  async function open(partition: string): Promise<Position | null> {
    await workByPartition.get(partition);
    // Another instance has the partition already, and no records of it will come.
    if (currentPartitions && !currentPartitions.has(partition)) return null;
    let assigned = assignedPartitions.get(partition);
    if (!assigned) {
      assigned = createPartition(
        partition,
        partitionedProjections,
        async () => (await feed.endPositions()).get(partition) ?? null,
      );
      assignedPartitions.set(partition, assigned);
    }
    const opened = assigned;
    const place = await retrying(() => opened.open(generationManager.refresh));
    waiters.check();
    return place;
  }

  function assign(partitions: ReadonlySet<string>): void {
    currentPartitions = partitions;
    for (const [name, assigned] of assignedPartitions) {
      if (partitions.has(name)) continue;
      assignedPartitions.delete(name);
      assigned.close();
    }
    if (!partitions.has(wholeLogPartition)) endWholeLog();
    else if (wholeLogProjections.length > 0 && !wholeLog) run(followWholeLog());
  }

  function endWholeLog(): void {
    wholeLog?.partition.close();
    wholeLog?.ending.abort();
    wholeLog = undefined;
  }

  /** Folds the projections that need the whole log, from the log itself. */
  async function followWholeLog(): Promise<void> {
    const ending = new AbortController();
    const assigned = createPartition(ONE_PARTITION, wholeLogProjections, () => log.head());
    wholeLog = { partition: assigned, ending };
    const following = {
      readers: { group: GROUP },
      batchSize,
      bufferLimit: 2 * batchSize,
      setTimer,
      delay,
      after: () => retrying(() => assigned.open(generationManager.refresh)),
      signal: AbortSignal.any([signal, ending.signal]),
      onRetry: failed,
    } as const;
    await followRecordFeed(createLogFeed(log), following, (message) => deliver(assigned, message));
  }

  async function deliver(assigned: AssignedPartition, message: RecordFeedMessage): Promise<void> {
    retryReason = null;
    const before = losses;
    busySince.set(assigned, now());
    try {
      await assigned.handleMessage(message);
    } finally {
      busySince.delete(assigned);
    }
    if (losses === before && message.kind === 'records') losses = 0;
    waiters.check();
  }

  /** Partitions wait for the store independently, each with one message at a time. */
  async function dispatch(message: RecordFeedMessage): Promise<void> {
    const { partition } = message;
    await workByPartition.get(partition);
    const assigned = assignedPartitions.get(partition);
    if (assigned) workByPartition.set(partition, deliver(assigned, message));
    // The next `await` of this promise reports the error.
    workByPartition.get(partition)?.catch(() => {});
  }

  async function followFeed(): Promise<void> {
    const following = {
      readers: { group: GROUP },
      batchSize,
      bufferLimit: 2 * batchSize,
      setTimer,
      delay,
      signal,
      after: open,
      onAssigned: assign,
      onRetry(error: unknown, attempt: number) {
        workByPartition.clear();
        // Until the next subscription, nobody knows which instance has the partitions.
        assign(new Set());
        currentPartitions = undefined;
        failed(error, attempt);
      },
    } as const;
    await followRecordFeed(feed, following, dispatch);
  }

  function isPublished(assigned: AssignedPartition): boolean {
    const since = busySince.get(assigned);
    return assigned.isPublished && (since === undefined || now() - since < MAX_UNPUBLISHED_MS);
  }

  function publishedPartitions(): string[] {
    return [...assignedPartitions].flatMap(([name, assigned]) => {
      if (!isPublished(assigned)) return [];
      if (name !== wholeLogPartition || wholeLogProjections.length === 0) return [`${name}:${assigned.epoch}`];
      return wholeLog && isPublished(wholeLog.partition)
        ? [`${name}:${assigned.epoch}.${wholeLog.partition.epoch}`]
        : [];
    });
  }

  return {
    documentChanges: publishedChanges.asObservable(),
    publishedPartitions,
    start() {
      run(followFeed());
      run(pollGenerations());
    },
    status: () => partitionStatuses(allPartitions(), { now: now(), stopped, retryReason }),
    assignedPartitions: () => [...assignedPartitions.keys()].sort(),
    get cacheSize() {
      return cacheSizeOf(allWorkers());
    },
    caughtUp(waitOptions) {
      const isCaughtUp = () =>
        stopped !== null ||
        (assignedPartitions.size > 0 &&
          allPartitions().every((assigned) => assigned.isLive && assigned.laggingWorkers.length === 0));
      return waiters.wait('the end of the log', isCaughtUp, waitOptions);
    },
    rebuild: createClusterRebuild({
      store,
      projections,
      generations: generationManager,
      retrying,
      now,
      refresh,
      workers: allWorkers,
      wait: (what, isReached) => waiters.wait(what, isReached, { signal }),
    }),
    async stop() {
      if (signal.aborted) return;
      stopping.abort();
      endWholeLog();
      await Promise.allSettled([...running, ...workByPartition.values()]);
      for (const assigned of assignedPartitions.values()) assigned.close();
      publishedChanges.complete();
      waiters.end(new Error('the projectors have stopped'));
    },
  };
}
