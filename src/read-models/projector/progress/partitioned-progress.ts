import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { advancePositions, type PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import type { ProjectionProgress } from './projection-progress.ts';
import type { WaitOptions } from './waiters.ts';

interface PartitionedProgressParts {
  /** Progress of the projections that are folded by partition, by the names of the feed's partitions. */
  readonly partitioned: ProjectionProgress;
  /** Progress of the projections that are folded from the whole log, in `ONE_PARTITION`. */
  readonly unpartitioned: ProjectionProgress;
  /** The feed's partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  /** Names of all partitions of the feed. */
  readonly partitions: ReadonlySet<string>;
}

/** The progress of projections that several instances fold. Positions may also be by partition of the feed, as clients
 *  get them. A position in `ONE_PARTITION` is one of the whole log. */
export function createPartitionedProgress({
  partitioned,
  unpartitioned,
  partitionOf,
  partitions,
}: PartitionedProgressParts): ProjectionProgress {
  async function both(...waits: readonly Promise<void>[]): Promise<void> {
    await Promise.all(waits);
  }

  return {
    async waitFor(positions: PartitionPositions, options?: WaitOptions) {
      const own = new Map<string, bigint>();
      const last = new Map<string, bigint>();
      for (const [key, position] of positions) {
        advancePositions(last, [[ONE_PARTITION, position]]);
        if (key !== ONE_PARTITION) advancePositions(own, [[partitions.has(key) ? key : partitionOf(key), position]]);
      }
      // The partitions of the last records before a position of the whole log are unknown, so wait for the ends of all
      // partitions.
      const isWhole = positions.has(ONE_PARTITION);
      await both(
        isWhole ? partitioned.waitForEnd(options) : partitioned.waitFor(own, options),
        unpartitioned.waitFor(last, options),
      );
    },
    waitForEnd: (options) => both(partitioned.waitForEnd(options), unpartitioned.waitForEnd(options)),
  };
}
