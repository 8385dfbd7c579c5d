import { existsSync, readFileSync } from 'node:fs';

/** Nanoseconds of processor time of the thread that reads it, then other numbers. Only Linux has it. */
const OWN_THREAD = '/proc/thread-self/schedstat';

/**
 * Milliseconds of processor time of this thread: a busy machine does not make them more, nor do threads beside it that
 * collect garbage. Elsewhere than on Linux those of the whole process.
 */
const spent: () => number = existsSync(OWN_THREAD)
  ? () => Number(readFileSync(OWN_THREAD, 'latin1').split(' ')[0]) / 1e6
  : () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };

/** Does some work, and tells how long at most it has held the event loop, in milliseconds of processor time. */
export async function longestBlocking<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly longest: number }> {
  let longest = 0;
  let last = spent();
  let isOver = false;
  const look = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await work();
    look();
    return { result, longest };
  } finally {
    isOver = true;
  }
}

/**
 * What no piece of work may take here: the bounds are measured in `bench/`, and the faults that these tests are named for
 * took seconds. Of the machines that run tests some are slow, and a collection of garbage that others have left counts.
 */
export const MAX_BLOCKING_MS = 250;
