import { ONE_PARTITION } from '../../../domain/partition-of.ts';
import { addPlaces, type Places } from '../../../domain/position.ts';
import type { Progress } from '../progress.ts';
import type { WaitOptions } from '../waiters.ts';

export interface DividedProgressParts {
  /** Of the projections that are folded by partition, by the names of the feed's partitions. */
  readonly divided: Progress;
  /** Of those that are folded from the whole log, in `ONE_PARTITION`. */
  readonly undivided: Progress;
  /** The feed's partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  /** Names of all partitions of the feed. */
  readonly partitions: ReadonlySet<string>;
}

/**
 * The progress of projections that several instances fold. Places may also be by partition of the feed, as a client is
 * told them; a place in `ONE_PARTITION` is one of the whole log.
 */
export function dividedProgress({ divided, undivided, partitionOf, partitions }: DividedProgressParts): Progress {
  async function both(...waits: readonly Promise<void>[]): Promise<void> {
    await Promise.all(waits);
  }

  return {
    async reached(places: Places, options?: WaitOptions) {
      const own = new Map<string, bigint>();
      const last = new Map<string, bigint>();
      for (const [key, position] of places) {
        addPlaces(last, [[ONE_PARTITION, position]]);
        if (key !== ONE_PARTITION) addPlaces(own, [[partitions.has(key) ? key : partitionOf(key), position]]);
      }
      // Which of them the last records before a place of the whole log are in, only their ends tell.
      const isWhole = places.has(ONE_PARTITION);
      await both(
        isWhole ? divided.reachedEnd(options) : divided.reached(own, options),
        undivided.reached(last, options),
      );
    },
    reachedEnd: (options) => both(divided.reachedEnd(options), undivided.reachedEnd(options)),
  };
}
