import type { PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import type { WaitOptions } from './waiters.ts';

/** How far the read models have come. A projection that has stopped is not waited for: it will not come further. */
export interface ProjectionProgress {
  /** Resolves when all projections reflect the records of these partitions up to these places; at once where there are
   *  none. What others append meanwhile is not waited for. @throws WaitTimeout, the signal's reason */
  waitFor(places: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** The same for everything that stands in the log when this is called. @throws WaitTimeout, the signal's reason */
  waitForEnd(options?: WaitOptions): Promise<void>;
}

/**
 * Resolves when whoever appended at `places` can read that. Nothing was appended where all was known already: that was
 * somebody else's append, perhaps the same one whose answer was lost, and may not be projected yet.
 */
export function waitForOwnAppend(
  progress: ProjectionProgress,
  places: PartitionPositions,
  options?: WaitOptions,
): Promise<void> {
  return places.size > 0 ? progress.waitFor(places, options) : progress.waitForEnd(options);
}

/** Whether what is known reflects everything up to the wanted places. */
export function areProjected(known: PartitionPositions | undefined, wanted: PartitionPositions): boolean {
  for (const [partition, position] of wanted) if ((known?.get(partition) ?? -1n) < position) return false;
  return true;
}

/** What somebody waits for, in words. */
export const describePositions = (places: PartitionPositions): string =>
  `positions ${[...places].map(([partition, position]) => `${position} of ${partition}`).join(', ')}`;
