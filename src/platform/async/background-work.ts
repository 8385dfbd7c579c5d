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
  let awaited = 0;
  let sliceEnds = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  const untilNobodyWaits = (longest: number) =>
    new Promise<void>((resolve) => {
      const goOn = () => {
        cancel();
        waiting.delete(goOn);
        resolve();
      };
      const cancel = setTimer(goOn, longest);
      waiting.add(goOn);
    });

  return {
    requestStarted() {
      awaited++;
    },
    requestEnded() {
      awaited--;
      if (awaited === 0) for (const goOn of waiting) goOn();
    },
    async yieldToRequests(longest = LONGEST_WAIT) {
      if (awaited === 0 && now() < sliceEnds) return;
      // This turn of the event loop receives the requests that have arrived meanwhile.
      await setImmediate();
      if (awaited > 0) await untilNobodyWaits(longest);
      sliceEnds = now() + LONGEST_SLICE;
    },
  };
}
