import { Subject } from 'rxjs';
import { isBefore, type Position, toPosition, toPositionOrNull } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeedMessage } from '../../event-log/subscription/record-feed.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import { realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import { CheckpointMoved, type GenerationCheckpoint, GenerationNotFound } from '../store/read-store.ts';
import type { DocumentChanges } from './document-changes.ts';
import { catchUp } from './folding/catch-up.ts';
import { dropReplacedGenerations, openProjectionWorker } from './folding/generations.ts';
import { cacheSizeOf, type FoldResult, type ProjectionWorker } from './folding/projection-worker.ts';
import { createRecordProcessor, describeError, type RecordProcessor } from './folding/record-processor.ts';
import { createLogEnd, type LogEnd, readFirstRecordedAt, readRecordedAt } from './log-end.ts';
import { createWaiters } from './progress/waiters.ts';
import type { ProjectionRunner, ProjectionRunnerOptions, RunnerLogger } from './projection-runner-types.ts';
import { statusOfWorker } from './projection-status.ts';
import { createRunnerRebuild } from './runner-rebuild.ts';

export type { DocumentChange, DocumentChanges } from './document-changes.ts';
export type { ProjectionRunner, ProjectionRunnerOptions } from './projection-runner-types.ts';

const SILENT: RunnerLogger = { info() {}, warn() {}, error() {} };

/**
 * Folds the log into read models. One subscription feeds all projections that stand at the same place; those that are
 * further behind (new ones, new versions) are filled beside it, and join when they have reached that place.
 */
export function createProjectionRunner(options: ProjectionRunnerOptions): ProjectionRunner {
  const { log, feed, store, projections, batchSize = 5000, cacheDocuments = 10_000, now, delay = realDelay } = options;
  const { batchSizeNow = () => batchSize } = options;
  const sizes = { batchSize, rebuildBatchSize: options.rebuildBatchSize ?? options.batchSize ?? 1_000_000 };
  const logger = options.logger ?? SILENT;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = { delay, signal };
  const turn = createSequentialQueue();
  const waiters = createWaiters();
  const told = new Subject<DocumentChanges>();

  const lanes = new Map<string, ProjectionWorker>();
  /** Fed by the subscription, with the number of records that each has missed since it stopped. */
  const members = new Map<ProjectionWorker, number>();
  const reader = { live: false, position: null as Position | null, trouble: null as string | null };
  let end: LogEnd | undefined;
  let firstRecordedAt: string | null = null;
  let starting: Promise<void> | undefined;
  const running: Promise<void>[] = [];
  const rebuilds = new Set<Promise<unknown>>();

  const newProcessor = (): RecordProcessor =>
    createRecordProcessor({
      store,
      ...waiting,
      documentsPerWrite: options.documentsPerWrite,
      onCommitted: announce,
      onStopped: (lane) => {
        const { projection, generation, position, stopReason: reason } = lane;
        const fields = { projection: projection.name, build: generation, position: String(position), reason };
        logger.error(fields, 'projection stopped');
        waiters.check();
      },
      onRetry: (error, attempt, held) => {
        const names = held.map(({ projection }) => projection.name);
        logger.warn({ projections: names, attempt, reason: describeError(error) }, 'read store failed, trying again');
      },
    });
  const mainAdvance = newProcessor();

  function announce({ worker, documents }: FoldResult): void {
    // A build that nobody reads yet (a rebuild's, a new version's) repeats what was announced long ago.
    if (lanes.get(worker.projection.name) !== worker || worker.awaitsActivation) return;
    if (documents.size === 0 || !told.observed) return;
    told.next({
      projection: worker.projection.name,
      changes: [...documents].map(([key, { document, position }]) => ({ key, document, position })),
    });
  }

  /** Repeats what reads the log until it succeeds, or meets a record that this code cannot read. */
  async function readingLog<T>(work: () => Promise<T>): Promise<T> {
    const isFinal = (error: unknown) => error instanceof UnknownEventVersion;
    const result = await retryWithBackoff(work, { ...waiting, isFinal, onRetry: logFailed });
    reader.trouble = null;
    return result;
  }

  function logFailed(error: unknown, attempt: number): void {
    reader.trouble = describeError(error);
    logger.error({ attempt, reason: reader.trouble }, 'event log failed, trying again');
  }

  async function start(): Promise<void> {
    end = await createLogEnd(log);
    firstRecordedAt = await readFirstRecordedAt(log);
    for (const projection of projections) {
      const lane = await openProjectionWorker(store, projection, cacheDocuments);
      if (lane.position !== null) lane.lastRecordedAt = await readRecordedAt(log, toPosition(lane.position));
      lanes.set(projection.name, lane);
    }
    signal.throwIfAborted();
    // Lanes that are behind must not hold up those that are not: fed by one subscription from the hindmost place, all
    // would show old answers until the last has caught up.
    const current = [...lanes.values()].filter(({ awaitsActivation }) => !awaitsActivation);
    reader.position = current.length === 0 ? end.position : null;
    for (const { position } of current)
      if (isBefore(reader.position, position)) reader.position = toPositionOrNull(position);
    const behind: ProjectionWorker[] = [];
    for (const lane of lanes.values()) {
      if (!lane.awaitsActivation && lane.position === reader.position) members.set(lane, 0);
      else behind.push(lane);
    }
    const stopListening = log.onCommitted((records) => end!.recordsAppended(records));
    signal.addEventListener('abort', stopListening);
    running.push(guard(followFeed(), lanes.values()), fillAll(behind));
  }

  const typesOf = (some: readonly Projection[]): Set<string> => new Set(some.flatMap(({ types }) => types));
  const urgentTypes = typesOf(projections.filter(({ toleratesDelay }) => !toleratesDelay));
  const patientTypes = typesOf(projections.filter(({ toleratesDelay }) => toleratesDelay));
  const isUrgent = ({ type }: LogRecord): boolean => !patientTypes.has(type) || urgentTypes.has(type);

  /** What feeds the members. */
  function followFeed(): Promise<void> {
    const { setTimer } = options;
    const reading = { readers: { group: 'projections' }, after: () => reader.position, setTimer, isUrgent } as const;
    const onRetry = (error: unknown, attempt: number) => {
      reader.live = false;
      logFailed(error, attempt);
    };
    const following = { ...reading, ...waiting, batchSize, bufferLimit: batchSize * 2, onRetry };
    return followRecordFeed(feed, following, (message) => {
      reader.trouble = null;
      // In a turn, so that no build takes over between the folding and the commit of a batch: the documents would go
      // to the build that was just dropped.
      return turn(() => handle(message));
    });
  }

  async function handle(message: RecordFeedMessage): Promise<void> {
    if (message.kind === 'records') {
      const { records } = message;
      for (let from = 0; from < records.length; ) {
        const to = from + batchSizeNow();
        await mainAdvance.processRecords([...members.keys()], records.slice(from, to));
        from = to;
      }
      // After the commit: who fills a lane up to here must find everything up to here in the others.
      reader.position = message.position;
      firstRecordedAt ??= message.records[0]?.recordedAt ?? null;
      end!.recordsRead(message.records, message.position);
      for (const [lane, missed] of members) {
        if (lane.stopReason === null) continue;
        const beyond = message.records.filter(({ position }) => isBefore(lane.position, position));
        members.set(lane, missed + beyond.length);
      }
    } else {
      reader.live = message.kind === 'caught-up';
    }
    waiters.check();
  }

  /** Fills lanes that are behind, those that are closest first, so that they are not held up by the others. */
  async function fillAll(behind: readonly ProjectionWorker[]): Promise<void> {
    const places = new Map<bigint | null, ProjectionWorker[]>();
    for (const lane of behind) places.set(lane.position, [...(places.get(lane.position) ?? []), lane]);
    const order = [...places].sort(([a], [b]) => (isBefore(a, b) ? 1 : -1));
    for (const [, group] of order) await guard(fillGroup(group), group);
  }

  async function fillGroup(group: readonly ProjectionWorker[]): Promise<void> {
    const filling = { log, advance: newProcessor(), ...sizes, signal, limit: () => reader.position };
    try {
      await readingLog(() => catchUp(group, filling));
      await turn(async () => {
        // The reader went on after the last look. In this turn it stands still, so this ends exactly where it stands:
        // a lane that joined behind it would never get the records between.
        await readingLog(() => catchUp(group, filling));
        const ready = group.filter((lane) => lane.stopReason === null && lane.awaitsActivation);
        for (const lane of ready) await activate(lane);
        // Before anybody can begin to build one anew: that build would be dropped with those that were replaced.
        for (const lane of ready) await dropOthers(lane);
        join(group);
      });
    } catch (error) {
      // A stop is no failure of theirs, and whoever waits for them must not be told that they need not be waited for.
      if (!signal.aborted) {
        for (const lane of group) lane.stopReason ??= describeError(error);
        join(group);
      }
      throw error;
    }
    waiters.check();
  }

  function join(group: readonly ProjectionWorker[]): void {
    for (const lane of group) {
      // What has stopped on the way has missed everything since.
      members.set(lane, log.countBetween(toPositionOrNull(lane.position), reader.position) ?? 0);
    }
  }

  async function activate(lane: ProjectionWorker, over?: GenerationCheckpoint): Promise<void> {
    const { name } = lane.projection;
    await retrying(lane, () => store.activate(name, lane.generation, over));
    lane.awaitsActivation = false;
    logger.info({ projection: name, build: lane.generation, position: String(lane.position) }, 'build took over');
  }

  /** Only now, and where one process both reads and writes: what a crash leaves of them the next start drops. */
  async function dropOthers(lane: ProjectionWorker): Promise<void> {
    await retrying(lane, () => dropReplacedGenerations(store, lane.projection.name));
  }

  async function retrying(lane: ProjectionWorker, work: () => Promise<void>): Promise<void> {
    await retryWithBackoff(work, {
      ...waiting,
      isFinal: (error) => error instanceof GenerationNotFound || error instanceof CheckpointMoved,
      onRetry: (error) => {
        lane.retryReason = describeError(error);
        logger.warn(
          { projections: [lane.projection.name], reason: lane.retryReason },
          'read store failed, trying again',
        );
      },
    });
    lane.retryReason = null;
  }

  /** What ends a loop but a stop ends its projections; it must be seen, not lost in a promise. */
  async function guard(loop: Promise<void>, fed: Iterable<ProjectionWorker>): Promise<void> {
    try {
      await loop;
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ reason: describeError(error) }, 'projections stopped');
      for (const lane of fed) lane.stopReason ??= describeError(error);
      waiters.check();
    }
  }

  const rebuild = createRunnerRebuild({
    log,
    store,
    projections,
    ...sizes,
    cacheDocuments,
    now,
    signal,
    newProcessor,
    retryLogRead: readingLog,
    activate,
    dropReplaced: dropOthers,
    inTurn: turn,
    whenStarted: () => starting ?? Promise.resolve(),
    runnerPosition: () => (starting ? reader.position : undefined),
    isCatchingUp: (name) => {
      const lane = lanes.get(name);
      return lane !== undefined && !members.has(lane);
    },
    activeCheckpoint: (name) => {
      const lane = lanes.get(name);
      // One that awaits its activation stopped on the way to it: what is read is an older version's, whoever fed that.
      if (!lane || lane.awaitsActivation) return undefined;
      const { generation, partition, checkpoint } = lane;
      return { generation, partition, checkpoint };
    },
    takeOver: (shadow) => {
      const { name } = shadow.projection;
      const old = lanes.get(name);
      if (!old) return;
      // The old lane's cache belongs to the replaced build; the new lane brings its own.
      members.delete(old);
      lanes.set(name, shadow);
      members.set(shadow, 0);
      waiters.check();
    },
  });

  return {
    documentChanges: told.asObservable(),
    start() {
      if (starting) throw new Error('the projection runner was started before');
      starting = start();
      return starting;
    },
    get cacheSize() {
      return cacheSizeOf(lanes.values());
    },
    status() {
      const to = end;
      if (!to) return [];
      const statusOf = (lane: ProjectionWorker) =>
        statusOfWorker(lane, reader, to, members.get(lane), firstRecordedAt, log.countBetween);
      return [...lanes.values()].map(statusOf);
    },
    waitFor(position, waitOptions) {
      const reached = () =>
        running.length > 0 &&
        [...lanes.values()].every(
          (lane) => lane.stopReason !== null || (!lane.awaitsActivation && !isBefore(lane.position, position)),
        );
      return waiters.wait(`position ${position}`, reached, waitOptions);
    },
    caughtUp(waitOptions) {
      const isLive = () =>
        reader.live && [...lanes.values()].every((lane) => lane.stopReason !== null || members.has(lane));
      return waiters.wait('the end of the log', isLive, waitOptions);
    },
    rebuild(names, onProgress) {
      const result = rebuild(names, onProgress);
      rebuilds.add(result);
      const forget = () => rebuilds.delete(result);
      result.then(forget, forget);
      return result;
    },
    async stop() {
      if (signal.aborted) return;
      stopping.abort();
      await starting?.catch(() => {});
      await Promise.all(running);
      // They still have their builds to drop, before the caller closes the store.
      await Promise.allSettled(rebuilds);
      await mainAdvance.flushCheckpoints([...members.keys()]).catch((error: unknown) => {
        // Costs only a few records that the next start reads again.
        logger.warn({ reason: describeError(error) }, 'checkpoints not stored');
      });
      told.complete();
      waiters.end(new Error('the projection runner has stopped'));
    },
  };
}
