import type { PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import { realTimer, type SetTimer } from '../../../platform/async/timer.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { areProjected, describePositions, type ProjectionProgress } from './projection-progress.ts';
import { createWaiters } from './waiters.ts';

export interface PolledProgressOptions {
  readonly projections: readonly string[];
  /** Positions of the active generations in these partitions, by projection. Partitions without a checkpoint are left
   *  out. */
  readonly checkpointsOf: (
    projections: readonly string[],
    partitions: readonly string[],
  ) => Promise<ReadonlyMap<string, PartitionPositions>>;
  /** End of the log by partition. */
  readonly readEnds: () => Promise<PartitionPositions>;
  /** Stopped projections, for which nobody waits; default: none. */
  readonly stoppedProjections?: () => ReadonlySet<string>;
  readonly setTimer?: SetTimer;
}

interface PolledProgress extends ProjectionProgress {
  /** Something may have been projected: polls at once if somebody waits. */
  wake(): void;
  /** Rejects all current and later waiters. */
  end(reason: Error): void;
}

const POLL_MS = 100;

/** The progress of projections in other processes, from the checkpoints in the store. One poll serves all waiters. */
export function createPolledProgress(options: PolledProgressOptions): PolledProgress {
  const {
    projections,
    checkpointsOf,
    readEnds,
    stoppedProjections = () => new Set<string>(),
    setTimer = realTimer,
  } = options;
  const waiters = createWaiters();
  const wanted = new Set<PartitionPositions>();
  let known: ReadonlyMap<string, PartitionPositions> = new Map();
  let isPolling = false;
  let isDue = false;
  let cancel = () => {};
  let ended = false;

  const isReached = (positions: PartitionPositions): boolean =>
    projections.every((name) => stoppedProjections().has(name) || areProjected(known.get(name), positions));

  async function poll(): Promise<void> {
    isPolling = true;
    isDue = false;
    cancel();
    try {
      const partitions = [...new Set([...wanted].flatMap((positions) => [...positions.keys()]))];
      known = await checkpointsOf(projections, partitions);
    } catch {
      // Each waiter has its own time limit, and the store may be back before that.
    }
    isPolling = false;
    waiters.check();
    if (wanted.size === 0 || ended) known = new Map();
    else if (isDue) void poll();
    else cancel = setTimer(() => void poll(), POLL_MS);
  }

  function wake(): void {
    if (isPolling) isDue = true;
    else if (wanted.size > 0 && !ended) void poll();
  }

  const waitFor: ProjectionProgress['waitFor'] = async (positions, waitOptions) => {
    if (positions.size === 0) return;
    // A copy, because two callers may wait for the same map.
    const copy = new Map(positions);
    wanted.add(copy);
    try {
      const waiting = waiters.wait(describePositions(copy), () => isReached(copy), waitOptions);
      wake();
      await waiting;
    } finally {
      wanted.delete(copy);
      if (wanted.size === 0) cancel();
    }
  };

  return {
    waitFor,
    async waitForEnd(waitOptions) {
      await waitFor(await readEnds(), waitOptions);
    },
    wake,
    end(reason) {
      ended = true;
      cancel();
      waiters.end(reason);
    },
  };
}

/** For a store that has no call for all checkpoints at once. */
export const checkpointsIn =
  (store: Pick<ReadStore, 'activeGeneration' | 'checkpoint'>): PolledProgressOptions['checkpointsOf'] =>
  async (projections, partitions) => {
    const found = new Map<string, PartitionPositions>();
    for (const projection of projections) {
      const generation = await store.activeGeneration(projection);
      if (generation === null) continue;
      const positions = new Map<string, bigint>();
      for (const partition of partitions) {
        const at = await store.checkpoint(projection, generation, partition);
        if (at !== null) positions.set(partition, at);
      }
      found.set(projection, positions);
    }
    return found;
  };
