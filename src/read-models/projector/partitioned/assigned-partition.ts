import { isBefore, type Position, toPositionOrNull } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { RecordFeedMessage } from '../../../event-log/subscription/record-feed.ts';
import { createSequentialQueue } from '../../../platform/async/concurrency.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { type ProjectionWorker, readsActiveGeneration } from '../folding/projection-worker.ts';
import type { RecordProcessor } from '../folding/record-processor.ts';
import type { GenerationPlans } from './generation-manager.ts';

interface AssignedPartitionParts {
  /** Name of the partition. */
  readonly name: string;
  readonly projections: readonly Projection[];
  readonly store: Pick<ReadStore, 'checkpoint'>;
  readonly processor: RecordProcessor;
  readonly newWorker: (projection: Projection, generation: string) => ProjectionWorker;
  /** Reads the current end of the partition. */
  readonly readEnd: () => Promise<Position | null>;
  /** Returns a number that it never returns again. */
  readonly newEpoch: () => number;
  /** Workers were lost to another instance, or their generations are gone. */
  readonly onLost: () => void;
  /** Workers are behind the feed and must catch up from the log. */
  readonly onLagging: () => void;
}

/** Folds one partition into the generations of all its projections, for as long as this instance has the partition. */
export interface AssignedPartition {
  readonly name: string;
  /** The feed has delivered everything up to this position. */
  readonly position: Position | null;
  /** The feed had no more records at its last message. */
  readonly isLive: boolean;
  /** The records that are being folded. */
  readonly recordsInProgress: readonly LogRecord[];
  /** Changes whenever something may have been committed without a published change: after another instance had the
   *  partition, or after workers caught up. */
  readonly epoch: number;
  /** Everything from the feed is folded into the active generations, and the changes are published. */
  readonly isPublished: boolean;
  readonly workers: Iterable<ProjectionWorker>;
  /** Workers that get no records from the feed, because they lack earlier records. */
  readonly laggingWorkers: readonly ProjectionWorker[];
  /** Starts again at the positions in the store. @returns the position after which the feed continues */
  open(plans: () => Promise<GenerationPlans>): Promise<Position | null>;
  /** Folds into exactly the planned generations, each from its position in the store. */
  applyPlans(plans: () => GenerationPlans): Promise<void>;
  handleMessage(message: RecordFeedMessage): Promise<void>;
  /**
   * The feed serves these workers from now on. @param rest catches up with the remaining records while the feed waits
   */
  joinFeed(workers: readonly ProjectionWorker[], rest: () => Promise<void>): Promise<void>;
  /** Another instance has the partition. The store accepts the batch in progress until the other instance commits, and
   *  then refuses it. */
  close(): void;
}

export function createAssignedPartition(parts: AssignedPartitionParts): AssignedPartition {
  const { name, projections, store, processor, newWorker, newEpoch, onLost, onLagging } = parts;
  const turn = createSequentialQueue();
  const workers = new Map<string, ProjectionWorker>();
  const lagging = new Set<ProjectionWorker>();
  let position: Position | null = null;
  let isLive = false;
  let isClosed = false;
  let epoch = newEpoch();
  /** Workers were lost and have not started again yet. */
  let hasLost = false;
  let recordsInProgress: readonly LogRecord[] = [];

  const keyOf = ({ projection, generation: epoch }: Pick<ProjectionWorker, 'projection' | 'generation'>) =>
    `${projection.name} ${epoch}`;
  const members = (): ProjectionWorker[] => [...workers.values()].filter((worker) => !lagging.has(worker));

  function removeWorker(worker: ProjectionWorker, reason: string): void {
    if (workers.get(keyOf(worker)) === worker) workers.delete(keyOf(worker));
    lagging.delete(worker);
    // A catch-up that still fills this worker stops because of this reason.
    worker.stopReason ??= reason;
    // Keep its cached documents: a running fold would take missing documents for documents that never existed.
    worker.isLost = true;
  }

  /** Creates workers for planned generations that have none, each at its position in the store. */
  async function createMissingWorkers(plans: GenerationPlans): Promise<ProjectionWorker[]> {
    const missing = projections.flatMap((projection) => {
      const { fed, active } = plans.get(projection.name)!;
      const without = fed.filter((epoch) => !workers.has(keyOf({ projection, generation: epoch })));
      return without.map((generation) => {
        const worker = newWorker(projection, generation);
        worker.awaitsActivation = generation !== active;
        return worker;
      });
    });
    await Promise.all(
      missing.map(async (worker) => {
        worker.checkpoint = await store.checkpoint(worker.projection.name, worker.generation, name);
        worker.position = worker.checkpoint;
      }),
    );
    return missing;
  }

  function addWorker(worker: ProjectionWorker): void {
    workers.set(keyOf(worker), worker);
    if (!isBefore(worker.position, position)) return;
    lagging.add(worker);
    const read = [...workers.values()].find(
      (one) => one.projection === worker.projection && readsActiveGeneration(one),
    );
    if (read && isBefore(worker.checkpoint, read.checkpoint)) worker.staysBehind = read;
  }

  /** The store may have lost its data. If no more records come, nothing else would notice. */
  async function removeForgotten(): Promise<void> {
    const isForgotten = async (worker: ProjectionWorker): Promise<boolean> => {
      const { checkpoint } = worker;
      return isBefore(await store.checkpoint(worker.projection.name, worker.generation, name), checkpoint);
    };
    const all = [...workers.values()];
    const forgotten = await Promise.all(all.map(isForgotten));
    for (const [index, worker] of all.entries()) if (forgotten[index]) removeWorker(worker, 'the store has lost it');
    if (forgotten.includes(true)) onLost();
  }

  function dropLost(): void {
    const lost = [...workers.values()].filter(({ isLost }) => isLost);
    for (const worker of lost) removeWorker(worker, 'lost');
    if (lost.length === 0) return;
    hasLost = true;
    onLost();
  }

  return {
    name,
    get position() {
      return position;
    },
    get isLive() {
      return isLive;
    },
    get recordsInProgress() {
      return recordsInProgress;
    },
    get epoch() {
      return epoch;
    },
    get isPublished() {
      return isLive && !hasLost && [...lagging].every(({ awaitsActivation }) => awaitsActivation);
    },
    get workers() {
      return workers.values();
    },
    get laggingWorkers() {
      return [...lagging].filter(({ stopReason }) => stopReason === null);
    },
    open: (plans) =>
      turn(async () => {
        for (const worker of [...workers.values()]) removeWorker(worker, 'begun anew');
        isLive = false;
        epoch = newEpoch();
        const created = await createMissingWorkers(await plans());
        const read = created.filter(({ awaitsActivation }) => !awaitsActivation);
        // Workers that are behind must not delay the others, so they catch up separately.
        position = read.length === 0 ? await parts.readEnd() : null;
        for (const worker of read)
          if (isBefore(position, worker.position)) position = toPositionOrNull(worker.position);
        for (const worker of created) addWorker(worker);
        hasLost = false;
        if (lagging.size > 0) onLagging();
        return position;
      }),
    applyPlans: (planned) =>
      turn(async () => {
        if (isClosed) return;
        const plans = planned();
        for (const worker of [...workers.values()]) {
          const { fed, active } = plans.get(worker.projection.name)!;
          if (!fed.includes(worker.generation)) removeWorker(worker, 'replaced');
          else worker.awaitsActivation = worker.generation !== active;
        }
        await removeForgotten();
        const created = await createMissingWorkers(plans);
        for (const worker of created) addWorker(worker);
        if (created.length > 0) epoch = newEpoch();
        hasLost = false;
        if (lagging.size > 0) onLagging();
      }),
    handleMessage: (message) =>
      turn(async () => {
        if (isClosed) return;
        if (message.kind !== 'records') {
          isLive = message.kind === 'caught-up';
          // If the feed ends without a record, others learn from the checkpoints that nothing is missing.
          if (isLive && message.position !== null && isBefore(position, message.position)) {
            await processor.moveCheckpoints(members(), message.position);
            position = message.position;
            dropLost();
          }
          return;
        }
        recordsInProgress = message.records;
        try {
          await processor.processRecords(members(), message.records);
        } finally {
          recordsInProgress = [];
        }
        position = message.position;
        dropLost();
      }),
    joinFeed: (joining, rest) =>
      turn(async () => {
        if (isClosed) return;
        await rest();
        epoch = newEpoch();
        const joined = joining.filter((worker) => worker.stopReason !== null || !isBefore(worker.position, position));
        for (const worker of joined) {
          lagging.delete(worker);
          worker.staysBehind = undefined;
        }
        // In the same turn: as soon as this generation can be activated, the active one must not move on without it.
        await processor.flushCheckpoints(joined);
        dropLost();
      }),
    close() {
      isClosed = true;
      for (const worker of [...workers.values()]) removeWorker(worker, 'somebody else has the partition');
    },
  };
}
