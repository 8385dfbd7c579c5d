import { setImmediate } from 'node:timers';

/** Milliseconds of work in one turn of the event loop. */
const LONGEST_TURN = 5;

/** When work began in this turn of the event loop; undefined: no work yet. */
let began: number | undefined;
/** Work that continues in a later turn, in order of arrival. */
const waiting: (() => void)[] = [];

function beginTurn(): void {
  const next = waiting.shift();
  began = next && performance.now();
  if (!next) return;
  setImmediate(beginTurn);
  next();
}

/**
 * Yields to the event loop when work has taken 5 ms of this turn. Awaiting promises never yields: with a store that
 * answers at once, a whole catch-up would keep requests waiting. All callers share the 5 ms, since together they occupy
 * the loop. A caller that has to wait continues in a later turn.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (began === undefined) {
    began = performance.now();
    setImmediate(beginTurn);
  } else if (performance.now() - began >= LONGEST_TURN) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}
