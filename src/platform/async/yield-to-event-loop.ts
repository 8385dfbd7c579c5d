import { setImmediate } from 'node:timers';

/** Milliseconds of work in one turn of the event loop. */
const LONGEST_TURN = 5;

/** When work began in this turn of the event loop; undefined while nobody has begun. */
let began: number | undefined;
/** Those whose work goes on in a later turn, in the order in which they came. */
const waiting: (() => void)[] = [];

function beginTurn(): void {
  const next = waiting.shift();
  began = next && performance.now();
  if (!next) return;
  setImmediate(beginTurn);
  next();
}

/**
 * Lets everyone else have the event loop when there has been work for 5 ms in this turn of it: promises alone never do,
 * and a store that answers at once would keep requests waiting through a whole catch-up. All who work share these 5 ms,
 * since the loop is held by all of them together; who has to wait goes on in a turn of its own.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (began === undefined) {
    began = performance.now();
    setImmediate(beginTurn);
  } else if (performance.now() - began >= LONGEST_TURN) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}
