import { setImmediate } from 'node:timers/promises';
import { realTimer, type SetTimer } from './timer.ts';

/** Milliseconds of work before the event loop is yielded. */
const LONGEST_SLICE = 1;
/**
 * Longest wait for requests, in milliseconds. A server that always has requests must progress with its own work too.
 */
const LONGEST_WAIT = 20;

/** Background work that gives way to requests. */
export interface BackgroundWork {
  /** A request is in progress until `requestEnded` is called. */
  requestStarted(): void;
  requestEnded(): void;
  /**
   * Await this between small pieces of the work. It continues when no request is in progress, or after a long wait.
   * @param longest milliseconds to wait at most; default 20. Work that must keep up with the requests waits less
   */
  yieldToRequests(longest?: number): Promise<void>;
}

/** @param now a monotonic clock, in milliseconds */
export function createBackgroundWork(setTimer: SetTimer = realTimer, now = () => performance.now()): BackgroundWork {
  let requests = 0;
  let sliceEnds = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  const untilIdle = (longest: number) =>
    new Promise<void>((resolve) => {
      const resume = () => {
        cancel();
        waiting.delete(resume);
        resolve();
      };
      const cancel = setTimer(resume, longest);
      waiting.add(resume);
    });

  return {
    requestStarted() {
      requests++;
    },
    requestEnded() {
      requests--;
      if (requests === 0) for (const resume of waiting) resume();
    },
    async yieldToRequests(longest = LONGEST_WAIT) {
      if (requests === 0 && now() < sliceEnds) return;
      // This turn of the event loop receives the requests that have arrived meanwhile.
      await setImmediate();
      if (requests > 0) await untilIdle(longest);
      sliceEnds = now() + LONGEST_SLICE;
    },
  };
}
