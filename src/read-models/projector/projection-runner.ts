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

/** Folds the log into read models. One subscription feeds all projections with the same position. Projections that are
 *  behind (new ones, new versions) catch up separately and join at that position. */
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
  const publishedChanges = new Subject<DocumentChanges>();

  const workers = new Map<string, ProjectionWorker>();
  /** Workers fed by the subscription, each with the number of records that it has missed since it stopped. */
  const members = new Map<ProjectionWorker, number>();
  const reader = { live: false, position: null as Position | null, retryReason: null as string | null };
  let end: LogEnd | undefined;
  let firstRecordedAt: string | null = null;
  let starting: Promise<void> | undefined;
  const running: Promise<void>[] = [];
  const rebuilds = new Set<Promise<unknown>>();

  const newProcessor = (): RecordProcessor =>
    createRecordProcessor({
      log,
      store,
      ...waiting,
      documentsPerWrite: options.documentsPerWrite,
      onCommitted: announce,
      onStopped: (worker) => {
        const { projection, generation, position, stopReason: reason } = worker;
        const fields = { projection: projection.name, build: generation, position: String(position), reason };
        logger.error(fields, 'projection stopped');
        waiters.check();
      },
      onRetry: (error, attempt, held) => {
        const names = held.map(({ projection }) => projection.name);
        logger.warn({ projections: names, attempt, reason: describeError(error) }, 'read store failed, trying again');
      },
    });
  const mainProcessor = newProcessor();

  function announce({ worker, documents }: FoldResult): void {
    // A generation that nobody reads yet (of a rebuild or a new version) repeats changes that were published long ago.
    if (workers.get(worker.projection.name) !== worker || worker.awaitsActivation) return;
    if (documents.size === 0 || !publishedChanges.observed) return;
    publishedChanges.next({
      projection: worker.projection.name,
      changes: [...documents].map(([key, { document, position }]) => ({ key, document, position })),
    });
  }

  /** Retries reading the log until it succeeds, or meets a record that this code cannot read. */
  async function readingLog<T>(work: () => Promise<T>): Promise<T> {
    const isFinal = (error: unknown) => error instanceof UnknownEventVersion;
    const result = await retryWithBackoff(work, { ...waiting, isFinal, onRetry: logFailed });
    reader.retryReason = null;
    return result;
  }

  function logFailed(error: unknown, attempt: number): void {
    reader.retryReason = describeError(error);
    logger.error({ attempt, reason: reader.retryReason }, 'event log failed, trying again');
  }

  async function start(): Promise<void> {
    end = await createLogEnd(log);
    firstRecordedAt = await readFirstRecordedAt(log);
    for (const projection of projections) {
      const worker = await openProjectionWorker(store, projection, cacheDocuments);
      if (worker.position !== null) worker.lastRecordedAt = await readRecordedAt(log, toPosition(worker.position));
      workers.set(projection.name, worker);
    }
    signal.throwIfAborted();
    // Workers that are behind must not delay the others. With one subscription from the earliest position, all
    // projections would show old answers until the last one has caught up.
    const current = [...workers.values()].filter(({ awaitsActivation }) => !awaitsActivation);
    reader.position = current.length === 0 ? end.position : null;
    for (const { position } of current)
      if (isBefore(reader.position, position)) reader.position = toPositionOrNull(position);
    const lagging: ProjectionWorker[] = [];
    for (const worker of workers.values()) {
      if (!worker.awaitsActivation && worker.position === reader.position) members.set(worker, 0);
      else lagging.push(worker);
    }
    const stopListening = log.onCommitted((records) => end!.recordsAppended(records));
    signal.addEventListener('abort', stopListening);
    running.push(guard(followFeed(), workers.values()), catchUpAll(lagging));
  }

  const typesOf = (some: readonly Projection[]): Set<string> => new Set(some.flatMap(({ types }) => types));
  const urgentTypes = typesOf(projections.filter(({ toleratesDelay }) => !toleratesDelay));
  const patientTypes = typesOf(projections.filter(({ toleratesDelay }) => toleratesDelay));
  const isUrgent = ({ type }: LogRecord): boolean => !patientTypes.has(type) || urgentTypes.has(type);

  /** Feeds the members. */
  function followFeed(): Promise<void> {
    const { setTimer } = options;
    const reading = { readers: { group: 'projections' }, after: () => reader.position, setTimer, isUrgent } as const;
    const onRetry = (error: unknown, attempt: number) => {
      reader.live = false;
      logFailed(error, attempt);
    };
    const following = { ...reading, ...waiting, batchSize, bufferLimit: batchSize * 2, onRetry };
    return followRecordFeed(feed, following, (message) => {
      reader.retryReason = null;
      // In a turn, so that no generation is activated between the folding and the commit of a batch: the documents
      // would go to the generation that was just dropped.
      return turn(() => handle(message));
    });
  }

  async function handle(message: RecordFeedMessage): Promise<void> {
    if (message.kind === 'records') {
      const { records } = message;
      for (let from = 0; from < records.length; ) {
        const to = from + batchSizeNow();
        await mainProcessor.processRecords([...members.keys()], records.slice(from, to));
        from = to;
      }
      // After the commit: a worker that catches up to this position must find the others at the same position.
      reader.position = message.position;
      firstRecordedAt ??= message.records[0]?.recordedAt ?? null;
      end!.recordsRead(message.records, message.position);
      for (const [worker, missed] of members) {
        if (worker.stopReason === null) continue;
        const beyond = message.records.filter(({ position }) => isBefore(worker.position, position));
        members.set(worker, missed + beyond.length);
      }
    } else {
      reader.live = message.kind === 'caught-up';
    }
    waiters.check();
  }

  /** Catches up workers that are behind. The closest ones come first, so that the others do not delay them. */
  async function catchUpAll(lagging: readonly ProjectionWorker[]): Promise<void> {
    const workersByPosition = new Map<bigint | null, ProjectionWorker[]>();
    for (const worker of lagging)
      workersByPosition.set(worker.position, [...(workersByPosition.get(worker.position) ?? []), worker]);
    const order = [...workersByPosition].sort(([a], [b]) => (isBefore(a, b) ? 1 : -1));
    for (const [, group] of order) await guard(catchUpGroup(group), group);
  }

  async function catchUpGroup(group: readonly ProjectionWorker[]): Promise<void> {
    const catchUpOptions = { log, processor: newProcessor(), ...sizes, signal, limit: () => reader.position };
    try {
      await readingLog(() => catchUp(group, catchUpOptions));
      await turn(async () => {
        // The reader moved on after the last read. In this turn it stands still, so the catch-up ends exactly at its
        // position. A worker that joined behind it would never get the records between.
        await readingLog(() => catchUp(group, catchUpOptions));
        const ready = group.filter((worker) => worker.stopReason === null && worker.awaitsActivation);
        for (const worker of ready) await activate(worker);
        // Before anybody can start a rebuild: the new generation would be dropped together with the replaced ones.
        for (const worker of ready) await dropOthers(worker);
        join(group);
      });
    } catch (error) {
      // A stop is no failure of these workers. Waiters must not learn that they need not wait for them.
      if (!signal.aborted) {
        for (const worker of group) worker.stopReason ??= describeError(error);
        join(group);
      }
      throw error;
    }
    waiters.check();
  }

  function join(group: readonly ProjectionWorker[]): void {
    for (const worker of group) {
      // A worker that stopped during the catch-up has missed everything since.
      members.set(worker, log.countBetween(toPositionOrNull(worker.position), reader.position) ?? 0);
    }
  }

  async function activate(worker: ProjectionWorker, over?: GenerationCheckpoint): Promise<void> {
    const { name } = worker.projection;
    await retrying(worker, () => store.activate(name, worker.generation, over));
    worker.awaitsActivation = false;
    logger.info({ projection: name, build: worker.generation, position: String(worker.position) }, 'build took over');
  }

  /** Only now, and only if one process both reads and writes. After a crash the next start drops what is left. */
  async function dropOthers(worker: ProjectionWorker): Promise<void> {
    await retrying(worker, () => dropReplacedGenerations(store, worker.projection.name));
  }

  async function retrying(worker: ProjectionWorker, work: () => Promise<void>): Promise<void> {
    await retryWithBackoff(work, {
      ...waiting,
      isFinal: (error) => error instanceof GenerationNotFound || error instanceof CheckpointMoved,
      onRetry: (error) => {
        worker.retryReason = describeError(error);
        logger.warn(
          { projections: [worker.projection.name], reason: worker.retryReason },
          'read store failed, trying again',
        );
      },
    });
    worker.retryReason = null;
  }

  /** Any end of a loop except a stop ends its projections. Report it; otherwise it would be lost in a promise. */
  async function guard(loop: Promise<void>, fed: Iterable<ProjectionWorker>): Promise<void> {
    try {
      await loop;
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ reason: describeError(error) }, 'projections stopped');
      for (const worker of fed) worker.stopReason ??= describeError(error);
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
      const worker = workers.get(name);
      return worker !== undefined && !members.has(worker);
    },
    activeCheckpoint: (name) => {
      const worker = workers.get(name);
      // A waiting worker stopped before its activation: reads go to an older version, whose position is unknown here.
      if (!worker || worker.awaitsActivation) return undefined;
      const { generation, partition, checkpoint } = worker;
      return { generation, partition, checkpoint };
    },
    takeOver: (shadow) => {
      const { name } = shadow.projection;
      const old = workers.get(name);
      if (!old) return;
      // The old worker's cache belongs to the replaced generation; the new worker has its own.
      members.delete(old);
      workers.set(name, shadow);
      members.set(shadow, 0);
      waiters.check();
    },
  });

  return {
    documentChanges: publishedChanges.asObservable(),
    start() {
      if (starting) throw new Error('the projection runner was started before');
      starting = start();
      return starting;
    },
    get cacheSize() {
      return cacheSizeOf(workers.values());
    },
    status() {
      const to = end;
      if (!to) return [];
      const statusOf = (worker: ProjectionWorker) =>
        statusOfWorker(worker, reader, to, members.get(worker), firstRecordedAt, log.countBetween);
      return [...workers.values()].map(statusOf);
    },
    waitFor(position, waitOptions) {
      const reached = () =>
        running.length > 0 &&
        [...workers.values()].every(
          (worker) => worker.stopReason !== null || (!worker.awaitsActivation && !isBefore(worker.position, position)),
        );
      return waiters.wait(`position ${position}`, reached, waitOptions);
    },
    caughtUp(waitOptions) {
      const isLive = () =>
        reader.live && [...workers.values()].every((worker) => worker.stopReason !== null || members.has(worker));
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
      // They still have to drop their generations before the caller closes the store.
      await Promise.allSettled(rebuilds);
      await mainProcessor.flushCheckpoints([...members.keys()]).catch((error: unknown) => {
        // The next start only reads a few records again.
        logger.warn({ reason: describeError(error) }, 'checkpoints not stored');
      });
      publishedChanges.complete();
      waiters.end(new Error('the projection runner has stopped'));
    },
  };
}
