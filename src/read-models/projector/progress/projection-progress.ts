import type { PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import type { WaitOptions } from './waiters.ts';

/** How far the read models have come. Nobody waits for a stopped projection: it will not advance. */
export interface ProjectionProgress {
  /** Resolves when all projections reflect the records of these partitions up to these positions; at once if there are
   *  none. Does not wait for records that others append meanwhile. @throws WaitTimeout, the signal's reason */
  waitFor(positions: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** The same for everything in the log at the time of the call. @throws WaitTimeout, the signal's reason */
  waitForEnd(options?: WaitOptions): Promise<void>;
}

/** Resolves when the caller can read what it has appended at `places`. If `places` is empty, the log had everything
 *  already: another append stored it, perhaps the same one whose answer was lost, and it may not be projected yet. */
export function waitForOwnAppend(
  progress: ProjectionProgress,
  positions: PartitionPositions,
  options?: WaitOptions,
): Promise<void> {
  return positions.size > 0 ? progress.waitFor(positions, options) : progress.waitForEnd(options);
}

/** Whether the known positions reflect everything up to the wanted positions. */
export function areProjected(known: PartitionPositions | undefined, wanted: PartitionPositions): boolean {
  for (const [partition, position] of wanted) if ((known?.get(partition) ?? -1n) < position) return false;
  return true;
}

/** Describes positions for a timeout message. */
export const describePositions = (positions: PartitionPositions): string =>
  `positions ${[...positions].map(([partition, position]) => `${position} of ${partition}`).join(', ')}`;
