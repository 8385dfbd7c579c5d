import { MINUTE } from '../domain/primitives/time.ts';
import { type Delay, realDelay } from '../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../platform/async/timer.ts';
import { DELIVERY_RETENTION, MESSAGE_RETENTION, REPLAY_WINDOW } from './store/webhook-retention.ts';
import type { WebhookStore } from './store/webhook-store.ts';

interface PrunerParts {
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
interface WebhookPruner {
  start(): void;
  stop(): Promise<void>;
}

/** After a start others have much to do. */
const FIRST_RUN_AFTER = MINUTE;
/** What has grown old is gone well within an hour. */
const RUN_INTERVAL = 10 * MINUTE;
/** Dropped in one transaction: a matter of some milliseconds. */
const ROWS_PER_TRANSACTION = 200;
/** Between two transactions, for all others, in milliseconds. */
const PAUSE_MS = 20;

export function createWebhookPruner({ store, onError, ...parts }: PrunerParts): WebhookPruner {
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
        const outdated = {
          messages: at - MESSAGE_RETENTION,
          deliveries: at - DELIVERY_RETENTION,
          replays: at - REPLAY_WINDOW,
        };
        if (!(await store.prune(outdated, ROWS_PER_TRANSACTION))) return;
        await delay(PAUSE_MS, signal);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  function after(milliseconds: number): void {
    cancelTimer = setTimer(() => {
      running = prune().then(() => {
        if (!signal.aborted) after(RUN_INTERVAL);
      });
    }, milliseconds);
  }

  return {
    start: () => after(FIRST_RUN_AFTER),
    async stop() {
      stopping.abort();
      cancelTimer();
      await running;
    },
  };
}
