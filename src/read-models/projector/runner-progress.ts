import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ProjectionProgress } from './progress/projection-progress.ts';
import type { WaitOptions } from './progress/waiters.ts';
import type { ProjectionRunner } from './projection-runner-types.ts';

/** The progress of a single process, where one runner folds the whole log in order. */
export function progressOfRunner(
  runner: Pick<ProjectionRunner, 'waitFor'>,
  log: Pick<EventLog, 'head'>,
): ProjectionProgress {
  async function upTo(position: bigint | null, options?: WaitOptions): Promise<void> {
    if (position !== null) await runner.waitFor(position, options);
  }
  return {
    // The runner folds in order of the log, so the newest position covers all partitions.
    waitFor: (positions, options) => upTo(newestPosition(positions.values()), options),
    waitForEnd: async (options) => upTo(await log.head(), options),
  };
}

function newestPosition(positions: Iterable<bigint>): bigint | null {
  let found: bigint | null = null;
  for (const position of positions) if (found === null || position > found) found = position;
  return found;
}
