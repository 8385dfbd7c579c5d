import { Subject } from 'rxjs';
import type { CacheSize } from '../../../domain/cache-size.ts';
import { ONE_PARTITION } from '../../../domain/partition-of.ts';
import type { Position } from '../../../domain/position.ts';
import type { Projection } from '../../../domain/projection.ts';
import type { LogRecord } from '../../../domain/record.ts';
import { UnknownEventVersion } from '../../../domain/upcast.ts';
import type { EventLog } from '../../../event-log/event-log.ts';
import { follow } from '../../../event-log/follow.ts';
import { createLogFeed } from '../../../event-log/log-feed.ts';
import type { FeedMessage, RecordFeed } from '../../../event-log/record-feed.ts';
import { createOneAtATime } from '../../../platform/time/one-at-a-time.ts';
import { type Delay, delayAfter, realDelay, withRetries } from '../../../platform/time/retry.ts';
import { realTimer, type SetTimer } from '../../../platform/time/timer.ts';
import { BuildGone, CheckpointMoved, type ReadStore } from '../../store/read-store.ts';
import { createAdvance, describe } from '../advance.ts';
import type { Changes, CommittedChanges } from '../changes.ts';
import { cacheSizeOf, createLane, type Folded, type Lane } from '../projection-lane.ts';
import type { RebuildResult } from '../rebuild.ts';
import type { RunnerLog } from '../runner-types.ts';
import { createWaiters, type WaitOptions } from '../waiters.ts';
import { createBuildKeeper } from './build-keeper.ts';
import { createBehindFiller } from './fill-behind.ts';
import { type PartitionStatus, partitionStatuses } from './partition-status.ts';
import { createSharedRebuild } from './shared-rebuild.ts';
import { createTrack, type Track } from './track.ts';

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
  readonly stretchRecords?: number;
  /** Documents kept in memory for each projection and partition; default 250. */
  readonly cacheDocuments?: number;
  readonly logger?: RunnerLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly delay?: Delay;
  readonly setTimer?: SetTimer;
  /** How often the store is asked for builds that others have begun, in milliseconds; default 5000. */
  readonly lookEvery?: number;
  /** How long a replaced build stays, in milliseconds: who looked up the active one a moment ago still reads it. Default
   *  10 000. */
  readonly keepReplaced?: number;
}

/**
 * Folds the partitions that come to this instance into read models that several instances fill. Each projection stands in
 * each partition at a place of its own, which the store holds and moves by compare-and-set: whoever finds it moved has lost
 * it, lets go of it and begins again at what the store has. What crosses partitions (`Projection.isUndivided`) is folded from
 * the log itself by whoever has the partition of `ONE_PARTITION`.
 */
export interface PartitionedRunner extends Changes {
  /** Begins to fold, and resolves before anything is folded. */
  start(): void;
  /** What of the partitions that this instance has stands where. */
  status(): readonly PartitionStatus[];
  /** Partitions of the feed that this instance has. */
  assigned(): readonly string[];
  /**
   * Those in which all that it has committed is told in `changes`, and nothing has been waiting for the store for long:
   * `NAME:NUMBER`, where the number changes whenever something may have been committed that nobody was told of.
   */
  told(): readonly string[];
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

const SILENT: RunnerLog = { info() {}, warn() {}, error() {} };
/** Of a lane that keeps documents of one partition alone. */
const LANE_BYTES = 2 * 1024 * 1024;
const GROUP = 'projectors';
/** What waits for the store for longer may be committed, and not be told for as long; milliseconds. */
const TOLD_WITHIN = 500;
/** No announcement tells this instance of what others append: it looks. */
const POLL_MS = 100;

export function createPartitionedRunner(options: PartitionedRunnerOptions): PartitionedRunner {
  const { log, feed, partitionOf, store, projections, batchSize = 1000, cacheDocuments = 250, now } = options;
  const { delay = realDelay, setTimer = realTimer, lookEvery = 5000, keepReplaced = 10_000 } = options;
  const sizes = { batchSize, stretchRecords: options.stretchRecords ?? 200_000 };
  const logger = options.logger ?? SILENT;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = { delay, signal };
  const waiters = createWaiters();
  const told = new Subject<CommittedChanges>();
  const divided = projections.filter(({ isUndivided }) => !isUndivided);
  const undivided = projections.filter(({ isUndivided }) => isUndivided);
  const home = partitionOf(ONE_PARTITION);

  const tracks = new Map<string, Track>();
  /** What a partition is doing: it takes the next message when that is over. */
  const working = new Map<string, Promise<void>>();
  const running = new Set<Promise<unknown>>();
  /** Since when what came last is being folded. */
  const busySince = new Map<Track, number>();
  /** The partitions that it has, where the feed tells that. */
  let present: ReadonlySet<string> | undefined;
  let whole: { readonly track: Track; readonly ending: AbortController } | undefined;
  let losses = 0;
  let generations = 0;
  let stopped: string | null = null;
  let trouble: string | null = null;

  const allTracks = (): Track[] => [...tracks.values(), ...(whole ? [whole.track] : [])];
  const allLanes = (): Lane[] => allTracks().flatMap(({ lanes }) => [...lanes]);

  const newAdvance = (isFed: boolean) =>
    createAdvance({
      store,
      ...waiting,
      checkpointEvery: 1,
      isFar: true,
      onCommitted: (folded) => {
        // What fills a build repeats what was announced long ago.
        if (isFed) announce(folded);
      },
      onStopped({ projection, build, partition, position, isLost, stopped: reason }) {
        const fields = { projection: projection.name, build, partition, position: String(position), reason };
        if (isLost) logger.info(fields, 'let go of a partition of a build');
        else logger.error(fields, 'projection stopped');
        waiters.check();
      },
      onRetry: (error, attempt, held) => {
        const names = [...new Set(held.map(({ projection }) => projection.name))];
        logger.warn({ projections: names, attempt, reason: describe(error) }, 'read store failed, trying again');
      },
    });
  const advance = newAdvance(true);

  function announce({ lane, documents }: Folded): void {
    if (documents.size === 0 || !told.observed) return;
    const changes = [...documents].map(([key, { document, position }]) => ({ key, document, position }));
    told.next({ projection: lane.projection.name, changes });
  }

  /** Not waited for, and ended with the runner. What ends it but a stop is told. */
  function run(work: Promise<unknown>): void {
    const one = work
      .catch((error: unknown) => {
        if (signal.aborted) return;
        stopped = describe(error);
        logger.error({ reason: stopped }, 'projections stopped');
        waiters.check();
      })
      .finally(() => running.delete(one));
    running.add(one);
  }

  const retrying = <T>(work: () => Promise<T>): Promise<T> =>
    withRetries(work, {
      ...waiting,
      isFinal: (error) =>
        error instanceof UnknownEventVersion || error instanceof BuildGone || error instanceof CheckpointMoved,
      onRetry: failed,
    });

  function failed(error: unknown, attempt: number): void {
    trouble = describe(error);
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

  function newTrack(name: string, own: readonly Projection[], end: () => Promise<Position | null>): Track {
    const isOwn = name === ONE_PARTITION ? () => true : (record: LogRecord) => recordPartition(record) === name;
    const part = { partition: name, isOwn, cacheBytes: LANE_BYTES };
    return createTrack({
      ...{ name, projections: own, store, advance, end },
      newLane: (projection, build) => createLane(projection, build, cacheDocuments, part),
      newGeneration: () => ++generations,
      onLost: regain,
      onBehind() {
        const filling = fillBehind();
        if (filling) run(filling);
      },
    });
  }

  // ---- what builds there are

  const inTurn = createOneAtATime();
  const builds = createBuildKeeper({
    ...{ store, feed, projections, retrying, now, keepReplaced },
    onActivated({ name }, build) {
      logger.info({ projection: name, build }, 'build took over');
      for (const lane of allLanes()) {
        if (lane.projection.name === name && lane.build === build) lane.awaitsActivation = false;
      }
    },
  });

  /** By what is planned when it is its turn: it may have been opened meanwhile by a later look than this one's. */
  async function followPlans(): Promise<void> {
    for (const track of allTracks()) await retrying(() => track.follow(() => builds.plans));
  }

  /** Goes by what the store holds now. */
  const look = (): Promise<void> =>
    inTurn(async () => {
      await builds.fresh();
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
    builds.forget();
    run(delay(delayAfter(Math.min(losses, 4)), signal).then(look));
  }

  async function lookAgain(): Promise<void> {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const cancel = setTimer(end, lookEvery);
        signal.addEventListener('abort', end);
      });
      if (!signal.aborted) await look();
    }
  }

  const fillBehind = createBehindFiller({
    ...{ log, ...sizes, signal, retrying, look, tracks: allTracks },
    newAdvance: () => newAdvance(false),
  });

  // ---- what the feed brings

  async function open(partition: string): Promise<Position | null> {
    await working.get(partition);
    // It has gone to somebody else already, and nothing of it will come.
    if (present && !present.has(partition)) return null;
    let track = tracks.get(partition);
    if (!track) {
      track = newTrack(partition, divided, async () => (await feed.ends()).get(partition) ?? null);
      tracks.set(partition, track);
    }
    const opened = track;
    const place = await retrying(() => opened.open(builds.fresh));
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
      after: () => retrying(() => track.open(builds.fresh)),
      signal: AbortSignal.any([signal, ending.signal]),
      onRetry: failed,
    } as const;
    await follow(createLogFeed(log), following, (message) => handleBy(track, message));
  }

  async function handleBy(track: Track, message: FeedMessage): Promise<void> {
    trouble = null;
    const before = losses;
    busySince.set(track, now());
    try {
      await track.handle(message);
    } finally {
      busySince.delete(track);
    }
    if (losses === before && message.kind === 'records') losses = 0;
    waiters.check();
  }

  /** Partitions wait for the store apart from each other, each with one message at a time. */
  async function dispatch(message: FeedMessage): Promise<void> {
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
    await follow(feed, following, dispatch);
  }

  function isTold(track: Track): boolean {
    const since = busySince.get(track);
    return track.isTold && (since === undefined || now() - since < TOLD_WITHIN);
  }

  function toldPartitions(): string[] {
    return [...tracks].flatMap(([name, track]) => {
      if (!isTold(track)) return [];
      if (name !== home || undivided.length === 0) return [`${name}:${track.generation}`];
      return whole && isTold(whole.track) ? [`${name}:${track.generation}.${whole.track.generation}`] : [];
    });
  }

  return {
    changes: told.asObservable(),
    told: toldPartitions,
    start() {
      run(followFeed());
      run(lookAgain());
    },
    status: () => partitionStatuses(allTracks(), { now: now(), stopped, trouble }),
    assigned: () => [...tracks.keys()].sort(),
    get cacheSize() {
      return cacheSizeOf(allLanes());
    },
    caughtUp(waitOptions) {
      const isCaughtUp = () =>
        stopped !== null ||
        (tracks.size > 0 && allTracks().every((track) => track.isLive && track.behind.length === 0));
      return waiters.wait('the end of the log', isCaughtUp, waitOptions);
    },
    rebuild: createSharedRebuild({
      ...{ store, projections, builds, retrying, now, look },
      lanes: allLanes,
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
