import { setImmediate as nextRound } from 'node:timers/promises';

/** Runs pieces of work one after another, in the order in which they were asked for. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

const LONGEST_STRETCH = 10;

/** Lets everyone else have the event loop when more than 10 ms have passed since it last did: promises alone never
 *  do, and a store that answers at once would keep requests waiting through a whole catch-up. */
export function createBreather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LONGEST_STRETCH) return;
    await nextRound();
    last = performance.now();
  };
}
