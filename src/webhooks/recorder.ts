import { type Delay, withRetries } from '../time/retry.ts';
import type { Attempted, WebhookStore } from './store/webhook-store.ts';

export interface RecorderParts {
  readonly store: Pick<WebhookStore, 'record'>;
  /** Calls back when whoever runs now is done. */
  readonly later: (callback: () => void) => void;
  readonly delay: Delay;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** They are stored. */
  readonly onRecorded: (attempts: readonly Attempted[]) => void;
}

/** Brings what attempts came to into the store. */
export interface Recorder {
  add(attempted: Attempted): void;
  /** How many are not stored yet. */
  readonly waiting: number;
  /** Resolves when all are stored, or the signal is aborted. */
  flush(): Promise<void>;
}

/**
 * One write at a time: all attempts that end in one turn, or while a write is under way, share the next one, in the order
 * in which they ended. What is sent and not recorded yet when the process dies is sent again by the next one.
 */
export function createRecorder(parts: RecorderParts): Recorder {
  const { store, later, delay, signal, onError, onRecorded } = parts;
  let group: Attempted[] = [];
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  let underWay = 0;

  function soon(): void {
    if (isScheduled || writing || group.length === 0) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      writing ??= write();
    });
  }

  async function write(): Promise<void> {
    const attempts = group;
    group = [];
    underWay = attempts.length;
    try {
      await withRetries(() => store.record(attempts), { delay, signal, onRetry: onError });
      underWay = 0;
      onRecorded(attempts);
    } catch (error) {
      // Only a stop ends the retries.
      underWay = 0;
      if (!signal.aborted) onError(error);
    }
    writing = undefined;
    soon();
  }

  return {
    add(attempted) {
      group.push(attempted);
      soon();
    },
    get waiting() {
      return group.length + underWay;
    },
    async flush() {
      while ((writing || group.length > 0) && !signal.aborted) {
        writing ??= write();
        await writing;
      }
    },
  };
}
