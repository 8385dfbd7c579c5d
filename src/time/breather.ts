import { setImmediate as nextRound } from 'node:timers/promises';

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
