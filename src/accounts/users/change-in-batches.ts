import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type Compilable, queryRows } from '../../platform/sql/query-runner.ts';
import type { UserContext } from './user-context.ts';

/** Rows of one statement: it takes some milliseconds. */
export const ROWS_AT_ONCE = 500;

/** Runs a change of at most `ROWS_AT_ONCE` rows until none is left, each time in a transaction: nobody waits long. */
export async function inBatches({ transactShared }: UserContext, change: () => Compilable<unknown>): Promise<void> {
  for (;;) {
    const changed = await transactShared([], () => queryRows(change()));
    if (changed.length < ROWS_AT_ONCE) return;
    await yieldToEventLoop();
  }
}
