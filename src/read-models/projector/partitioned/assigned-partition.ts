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
  /** Of the partition. */
  readonly name: string;
  readonly projections: readonly Projection[];
  readonly store: Pick<ReadStore, 'checkpoint'>;
  readonly processor: RecordProcessor;
  readonly newWorker: (projection: Projection, build: string) => ProjectionWorker;
  /** Where the partition ends now. */
  readonly readEnd: () => Promise<Position | null>;
  /** A number that nobody else gets. */
  readonly newEpoch: () => number;
  /** Lanes were lost to another instance, or their builds are gone. */
  readonly onLost: () => void;
  /** Lanes are behind the feed: somebody has to fill them from the log. */
  readonly onLagging: () => void;
}

/** One partition on its way into the builds of all projections that it feeds, as long as this instance has it. */
export interface AssignedPartition {
  readonly name: string;
  /** Everything up to it has come from the feed. */
  readonly position: Position | null;
  /** Nothing more was in the feed when it was last heard of. */
  readonly isLive: boolean;
  /** The records that are being folded. */
  readonly recordsInProgress: readonly LogRecord[];
  /** Another number whenever something may have been committed that nobody was told of: somebody else had it, or it was
   *  filled. */
  readonly epoch: number;
  /** Everything that came is folded into what is read, and was told. */
  readonly isPublished: boolean;
  readonly workers: Iterable<ProjectionWorker>;
  /** Those that are not fed by the feed, for they lack what it has brought before. */
  readonly laggingWorkers: readonly ProjectionWorker[];
  /** Begins anew at what the store holds. @returns where the feed is to go on */
  open(plans: () => Promise<GenerationPlans>): Promise<Position | null>;
  /** Feeds what is planned by now, and nothing else, from where the store has it. */
  applyPlans(plans: () => GenerationPlans): Promise<void>;
  handleMessage(message: RecordFeedMessage): Promise<void>;
  /** Feeds these lanes from now on. @param rest fills what is still missing while the feed stands still */
  joinFeed(workers: readonly ProjectionWorker[], rest: () => Promise<void>): Promise<void>;
  /** Somebody else has it. What is in hand the store takes as long as that one has taken nothing, or refuses. */
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
  /** Lanes were lost, and are not begun anew yet. */
  let hasLost = false;
  let inHand: readonly LogRecord[] = [];

  const nameOf = ({ projection, generation }: Pick<ProjectionWorker, 'projection' | 'generation'>) =>
    `${projection.name} ${generation}`;
  const members = (): ProjectionWorker[] => [...lanes.values()].filter((lane) => !behind.has(lane));

  function leave(lane: ProjectionWorker, reason: string): void {
    if (lanes.get(nameOf(lane)) === lane) lanes.delete(nameOf(lane));
    behind.delete(lane);
    // Whoever fills it still learns by that to let it be.
    lane.stopReason ??= reason;
    // Its documents stay: a fold that is on its way would take those that are gone for documents that never were.
    lane.isLost = true;
  }

  /** Lanes for what is planned and has none yet, each where the store has it. */
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

  /** The store may have lost its data: nobody would notice where no record comes any more. */
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
        // Lanes that are behind must not hold up those that are not: they are filled beside.
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
          // Others learn from the checkpoints that nothing is missing where the feed ends without a record.
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
        // In this turn: as soon as it may take over, what is read does not move on without it.
        await processor.flushCheckpoints(joined);
        dropLost();
      }),
    close() {
      isClosed = true;
      for (const lane of [...lanes.values()]) leave(lane, 'somebody else has the partition');
    },
  };
}
