/** Milliseconds of processor time of this process: a busy machine does not make them more. */
const spent = (): number => {
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
