import { isBefore, type Position, placeOf } from '../../../domain/position.ts';
import type { Projection } from '../../../domain/projection.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { FeedMessage } from '../../../event-log/record-feed.ts';
import { createOneAtATime } from '../../../platform/time/one-at-a-time.ts';
import type { ReadStore } from '../../store/read-store.ts';
import type { Advance } from '../advance.ts';
import { isRead, type Lane } from '../projection-lane.ts';
import type { BuildPlans } from './build-keeper.ts';

export interface TrackParts {
  /** Of the partition. */
  readonly name: string;
  readonly projections: readonly Projection[];
  readonly store: Pick<ReadStore, 'checkpoint'>;
  readonly advance: Advance;
  readonly newLane: (projection: Projection, build: string) => Lane;
  /** Where the partition ends now. */
  readonly end: () => Promise<Position | null>;
  /** A number that nobody else gets. */
  readonly newGeneration: () => number;
  /** Lanes were lost to another instance, or their builds are gone. */
  readonly onLost: () => void;
  /** Lanes are behind the feed: somebody has to fill them from the log. */
  readonly onBehind: () => void;
}

/** One partition on its way into the builds of all projections that it feeds, as long as this instance has it. */
export interface Track {
  readonly name: string;
  /** Everything up to it has come from the feed. */
  readonly position: Position | null;
  /** Nothing more was in the feed when it was last heard of. */
  readonly isLive: boolean;
  /** The records that are being folded. */
  readonly inHand: readonly LogRecord[];
  /** Another number whenever something may have been committed that nobody was told of: somebody else had it, or it was
   *  filled. */
  readonly generation: number;
  /** Everything that came is folded into what is read, and was told. */
  readonly isTold: boolean;
  readonly lanes: Iterable<Lane>;
  /** Those that are not fed by the feed, for they lack what it has brought before. */
  readonly behind: readonly Lane[];
  /** Begins anew at what the store holds. @returns where the feed is to go on */
  open(plans: () => Promise<BuildPlans>): Promise<Position | null>;
  /** Feeds what is planned by now, and nothing else, from where the store has it. */
  follow(plans: () => BuildPlans): Promise<void>;
  handle(message: FeedMessage): Promise<void>;
  /** Feeds these lanes from now on. @param rest fills what is still missing while the feed stands still */
  join(lanes: readonly Lane[], rest: () => Promise<void>): Promise<void>;
  /** Somebody else has it. What is in hand the store takes as long as that one has taken nothing, or refuses. */
  close(): void;
}

export function createTrack(parts: TrackParts): Track {
  const { name, projections, store, advance, newLane, newGeneration, onLost, onBehind } = parts;
  const turn = createOneAtATime();
  const lanes = new Map<string, Lane>();
  const behind = new Set<Lane>();
  let position: Position | null = null;
  let isLive = false;
  let isClosed = false;
  let generation = newGeneration();
  /** Lanes were lost, and are not begun anew yet. */
  let hasLost = false;
  let inHand: readonly LogRecord[] = [];

  const nameOf = ({ projection, build }: Pick<Lane, 'projection' | 'build'>) => `${projection.name} ${build}`;
  const members = (): Lane[] => [...lanes.values()].filter((lane) => !behind.has(lane));

  function leave(lane: Lane, reason: string): void {
    if (lanes.get(nameOf(lane)) === lane) lanes.delete(nameOf(lane));
    behind.delete(lane);
    // Whoever fills it still learns by that to let it be.
    lane.stopped ??= reason;
    // Its documents stay: a fold that is on its way would take those that are gone for documents that never were.
    lane.isLost = true;
  }

  /** Lanes for what is planned and has none yet, each where the store has it. */
  async function newLanes(plans: BuildPlans): Promise<Lane[]> {
    const missing = projections.flatMap((projection) => {
      const { fed, active } = plans.get(projection.name)!;
      const without = fed.filter((build) => !lanes.has(nameOf({ projection, build })));
      return without.map((build) => {
        const lane = newLane(projection, build);
        lane.awaitsActivation = build !== active;
        return lane;
      });
    });
    await Promise.all(
      missing.map(async (lane) => {
        lane.checkpoint = await store.checkpoint(lane.projection.name, lane.build, name);
        lane.position = lane.checkpoint;
      }),
    );
    return missing;
  }

  function add(lane: Lane): void {
    lanes.set(nameOf(lane), lane);
    if (!isBefore(lane.position, position)) return;
    behind.add(lane);
    const read = [...lanes.values()].find((one) => one.projection === lane.projection && isRead(one));
    if (read && isBefore(lane.checkpoint, read.checkpoint)) lane.staysBelow = read;
  }

  /** The store may have lost its data: nobody would notice where no record comes any more. */
  async function leaveForgotten(): Promise<void> {
    const isForgotten = async (lane: Lane): Promise<boolean> => {
      const { checkpoint } = lane;
      return isBefore(await store.checkpoint(lane.projection.name, lane.build, name), checkpoint);
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
    get inHand() {
      return inHand;
    },
    get generation() {
      return generation;
    },
    get isTold() {
      return isLive && !hasLost && [...behind].every(({ awaitsActivation }) => awaitsActivation);
    },
    get lanes() {
      return lanes.values();
    },
    get behind() {
      return [...behind].filter(({ stopped }) => stopped === null);
    },
    open: (plans) =>
      turn(async () => {
        for (const lane of [...lanes.values()]) leave(lane, 'begun anew');
        isLive = false;
        generation = newGeneration();
        const begun = await newLanes(await plans());
        const read = begun.filter(({ awaitsActivation }) => !awaitsActivation);
        // Lanes that are behind must not hold up those that are not: they are filled beside.
        position = read.length === 0 ? await parts.end() : null;
        for (const lane of read) if (isBefore(position, lane.position)) position = placeOf(lane.position);
        for (const lane of begun) add(lane);
        hasLost = false;
        if (behind.size > 0) onBehind();
        return position;
      }),
    follow: (planned) =>
      turn(async () => {
        if (isClosed) return;
        const plans = planned();
        for (const lane of [...lanes.values()]) {
          const { fed, active } = plans.get(lane.projection.name)!;
          if (!fed.includes(lane.build)) leave(lane, 'replaced');
          else lane.awaitsActivation = lane.build !== active;
        }
        await leaveForgotten();
        const begun = await newLanes(plans);
        for (const lane of begun) add(lane);
        if (begun.length > 0) generation = newGeneration();
        hasLost = false;
        if (behind.size > 0) onBehind();
      }),
    handle: (message) =>
      turn(async () => {
        if (isClosed) return;
        if (message.kind !== 'records') {
          isLive = message.kind === 'caught-up';
          // Others learn from the checkpoints that nothing is missing where the feed ends without a record.
          if (isLive && message.position !== null && isBefore(position, message.position)) {
            await advance.pass(members(), message.position);
            position = message.position;
            dropLost();
          }
          return;
        }
        inHand = message.records;
        try {
          await advance.records(members(), message.records);
        } finally {
          inHand = [];
        }
        position = message.position;
        dropLost();
      }),
    join: (joining, rest) =>
      turn(async () => {
        if (isClosed) return;
        await rest();
        generation = newGeneration();
        const joined = joining.filter((lane) => lane.stopped !== null || !isBefore(lane.position, position));
        for (const lane of joined) {
          behind.delete(lane);
          lane.staysBelow = undefined;
        }
        // In this turn: as soon as it may take over, what is read does not move on without it.
        await advance.flush(joined);
        dropLost();
      }),
    close() {
      isClosed = true;
      for (const lane of [...lanes.values()]) leave(lane, 'somebody else has the partition');
    },
  };
}
