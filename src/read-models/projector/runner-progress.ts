import type { EventLog } from '../../event-log/event-log.ts';
import type { Progress } from './progress.ts';
import type { ProjectionRunner } from './runner-types.ts';
import type { WaitOptions } from './waiters.ts';

/** The progress of one process, where one runner folds the whole log in its order. */
export function runnerProgress(runner: Pick<ProjectionRunner, 'waitFor'>, log: Pick<EventLog, 'head'>): Progress {
  async function upTo(position: bigint | null, options?: WaitOptions): Promise<void> {
    if (position !== null) await runner.waitFor(position, options);
  }
  return {
    // What lies before the last of them is projected before it, whichever partition it is of.
    reached: (places, options) => upTo(last(places.values()), options),
    reachedEnd: async (options) => upTo(await log.head(), options),
  };
}

function last(positions: Iterable<bigint>): bigint | null {
  let found: bigint | null = null;
  for (const position of positions) if (found === null || position > found) found = position;
  return found;
}
