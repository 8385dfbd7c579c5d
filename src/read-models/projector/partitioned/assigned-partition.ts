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
  readonly newWorker: (projection: Projection, build: string) => ProjectionWorker;
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
  const lanes = new Map<string, ProjectionWorker>();
  const behind = new Set<ProjectionWorker>();
  let position: Position | null = null;
  let isLive = false;
  let isClosed = false;
  let generation = newEpoch();
  /** Workers were lost and have not started again yet. */
  let hasLost = false;
  let inHand: readonly LogRecord[] = [];

  const nameOf = ({ projection, generation }: Pick<ProjectionWorker, 'projection' | 'generation'>) =>
    `${projection.name} ${generation}`;
  const members = (): ProjectionWorker[] => [...lanes.values()].filter((lane) => !behind.has(lane));

  function leave(lane: ProjectionWorker, reason: string): void {
    if (lanes.get(nameOf(lane)) === lane) lanes.delete(nameOf(lane));
    behind.delete(lane);
    // A catch-up that still fills this worker stops because of this reason.
    lane.stopReason ??= reason;
    // Keep its cached documents: a running fold would take missing documents for documents that never existed.
    lane.isLost = true;
  }

  /** Creates workers for planned generations that have none, each at its position in the store. */
  async function newLanes(plans: GenerationPlans): Promise<ProjectionWorker[]> {
    const missing = projections.flatMap((projection) => {
      const { fed, active } = plans.get(projection.name)!;
      const without = fed.filter((generation) => !lanes.has(nameOf({ projection, generation })));
      return without.map((build) => {
        const lane = newWorker(projection, build);
        lane.awaitsActivation = build !== active;
        return lane;
      });
    });
    await Promise.all(
      missing.map(async (lane) => {
        lane.checkpoint = await store.checkpoint(lane.projection.name, lane.generation, name);
        lane.position = lane.checkpoint;
      }),
    );
    return missing;
  }

  function add(lane: ProjectionWorker): void {
    lanes.set(nameOf(lane), lane);
    if (!isBefore(lane.position, position)) return;
    behind.add(lane);
    const read = [...lanes.values()].find((one) => one.projection === lane.projection && readsActiveGeneration(one));
    if (read && isBefore(lane.checkpoint, read.checkpoint)) lane.staysBehind = read;
  }

  /** The store may have lost its data. If no more records come, nothing else would notice. */
  async function leaveForgotten(): Promise<void> {
    const isForgotten = async (lane: ProjectionWorker): Promise<boolean> => {
      const { checkpoint } = lane;
      return isBefore(await store.checkpoint(lane.projection.name, lane.generation, name), checkpoint);
    };
    const all = [...lanes.values()];
    const forgotten = await Promise.all(all.map(isForgotten));
    for (const [index, lane] of all.entries()) if (forgotten[index]) leave(lane, 'the store has lost it');
    if (forgotten.includes(true)) onLost();
  }

  function dropLost(): void {
    const lost = [...lanes.values()].filter(({ isLost }) => isLost);
    for (const lane of lost) leave(lane, 'lost');
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
      return inHand;
    },
    get epoch() {
      return generation;
    },
    get isPublished() {
      return isLive && !hasLost && [...behind].every(({ awaitsActivation }) => awaitsActivation);
    },
    get workers() {
      return lanes.values();
    },
    get laggingWorkers() {
      return [...behind].filter(({ stopReason }) => stopReason === null);
    },
    open: (plans) =>
      turn(async () => {
        for (const lane of [...lanes.values()]) leave(lane, 'begun anew');
        isLive = false;
        generation = newEpoch();
        const begun = await newLanes(await plans());
        const read = begun.filter(({ awaitsActivation }) => !awaitsActivation);
        // Workers that are behind must not delay the others, so they catch up separately.
        position = read.length === 0 ? await parts.readEnd() : null;
        for (const lane of read) if (isBefore(position, lane.position)) position = toPositionOrNull(lane.position);
        for (const lane of begun) add(lane);
        hasLost = false;
        if (behind.size > 0) onLagging();
        return position;
      }),
    applyPlans: (planned) =>
      turn(async () => {
        if (isClosed) return;
        const plans = planned();
        for (const lane of [...lanes.values()]) {
          const { fed, active } = plans.get(lane.projection.name)!;
          if (!fed.includes(lane.generation)) leave(lane, 'replaced');
          else lane.awaitsActivation = lane.generation !== active;
        }
        await leaveForgotten();
        const begun = await newLanes(plans);
        for (const lane of begun) add(lane);
        if (begun.length > 0) generation = newEpoch();
        hasLost = false;
        if (behind.size > 0) onLagging();
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
        inHand = message.records;
        try {
          await processor.processRecords(members(), message.records);
        } finally {
          inHand = [];
        }
        position = message.position;
        dropLost();
      }),
    joinFeed: (joining, rest) =>
      turn(async () => {
        if (isClosed) return;
        await rest();
        generation = newEpoch();
        const joined = joining.filter((lane) => lane.stopReason !== null || !isBefore(lane.position, position));
        for (const lane of joined) {
          behind.delete(lane);
          lane.staysBehind = undefined;
        }
        // In the same turn: as soon as this generation can be activated, the active one must not move on without it.
        await processor.flushCheckpoints(joined);
        dropLost();
      }),
    close() {
      isClosed = true;
      for (const lane of [...lanes.values()]) leave(lane, 'somebody else has the partition');
    },
  };
}
