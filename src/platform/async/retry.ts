import { setTimeout as sleep } from 'node:timers/promises';
import type { SetTimer } from './timer.ts';

/** Resolves after `milliseconds`; rejects when the signal is aborted. */
export type Delay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const realDelay: Delay = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

const FIRST_DELAY = 50;
const LONGEST_DELAY = 5000;

interface RetryOptions {
  readonly delay: Delay;
  readonly signal: AbortSignal;
  /** Errors for which a retry does not help. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Called before each wait, so that every retry is visible. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

/** The wait after a failed attempt, in milliseconds; the first attempt is 1. */
export const backoffAfter = (attempt: number): number => Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY);

/** Repeats `work` until it succeeds, with growing delays. Rejects with a final error, or when the signal is aborted. */
export async function retryWithBackoff<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (options.signal.aborted || options.isFinal?.(error)) throw error;
      options.onRetry(error, attempt);
      await options.delay(backoffAfter(attempt), options.signal);
    }
  }
}

/** A delay that uses this timer. */
export const createDelay =
  (setTimer: SetTimer): Delay =>
  (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        cancel();
        reject(signal.reason);
      };
      const cancel = setTimer(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', onAbort, { once: true });
    });
