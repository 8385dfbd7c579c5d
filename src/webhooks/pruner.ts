import { MINUTE } from '../domain/time.ts';
import { type Delay, realDelay } from '../platform/time/retry.ts';
import { realTimer, type SetTimer } from '../platform/time/timer.ts';
import { MESSAGES_KEPT, REPLAYS_WITHIN, ROWS_KEPT } from './retention.ts';
import type { WebhookStore } from './store/webhook-store.ts';

export interface PrunerParts {
  readonly store: Pick<WebhookStore, 'prune'>;
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Whether the clock can be trusted: what it takes for old may be of today. */
  readonly mayPrune?: () => boolean;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
}

/** Drops what is old. Nobody sees it any more by then. */
export interface Pruner {
  start(): void;
  stop(): Promise<void>;
}

/** After a start others have much to do. */
const FIRST_AFTER = MINUTE;
/** What has grown old is gone well within an hour. */
const EVERY = 10 * MINUTE;
/** Dropped in one transaction: a matter of some milliseconds. */
const AT_ONCE = 200;
/** Between two transactions, for all others, in milliseconds. */
const BREATH = 20;

export function createPruner({ store, onError, ...parts }: PrunerParts): Pruner {
  const { now = Date.now, mayPrune = () => true, setTimer = realTimer, delay = realDelay } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let cancelTimer = (): void => {};
  let running: Promise<void> = Promise.resolve();

  async function prune(): Promise<void> {
    try {
      // The clock is asked anew each time: it may have leapt meanwhile.
      while (!signal.aborted && mayPrune()) {
        const at = now();
        const outdated = { messages: at - MESSAGES_KEPT, rows: at - ROWS_KEPT, replays: at - REPLAYS_WITHIN };
        if (!(await store.prune(outdated, AT_ONCE))) return;
        await delay(BREATH, signal);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  function after(milliseconds: number): void {
    cancelTimer = setTimer(() => {
      running = prune().then(() => {
        if (!signal.aborted) after(EVERY);
      });
    }, milliseconds);
  }

  return {
    start: () => after(FIRST_AFTER),
    async stop() {
      stopping.abort();
      cancelTimer();
      await running;
    },
  };
}
