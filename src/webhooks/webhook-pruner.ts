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
  /** Whether the clock can be trusted: with a wrong clock, new rows may look outdated. */
  readonly mayPrune?: () => boolean;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
}

/** Deletes outdated rows. Nobody can see them any more by then. */
interface WebhookPruner {
  start(): void;
  stop(): Promise<void>;
}

/** Other work comes first after a start. */
const FIRST_RUN_AFTER = MINUTE;
/** Outdated rows are deleted well within an hour. */
const RUN_INTERVAL = 10 * MINUTE;
/** Deleted in one transaction, which takes some milliseconds. */
const ROWS_PER_TRANSACTION = 200;
/** Between two transactions, so that others can write. Milliseconds. */
const PAUSE_MS = 20;

export function createWebhookPruner({ store, onError, ...parts }: PrunerParts): WebhookPruner {
  const { now = Date.now, mayPrune = () => true, setTimer = realTimer, delay = realDelay } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let cancelTimer = (): void => {};
  let running: Promise<void> = Promise.resolve();

  async function prune(): Promise<void> {
    try {
      // The clock is read each time, since it may have jumped meanwhile.
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
