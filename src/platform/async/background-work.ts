import { setImmediate } from 'node:timers/promises';
import { realTimer, type SetTimer } from './timer.ts';

/** Milliseconds of work before others have the event loop. */
const LONGEST_SLICE = 1;
/** Milliseconds of waiting for others. A server that is never without requests gets on with its own work too. */
const LONGEST_WAIT = 20;

/** Work that nobody waits for, beside calls that somebody waits for. */
export interface BackgroundWork {
  /** Somebody waits for an answer until `answered` is called. */
  requestStarted(): void;
  requestEnded(): void;
  /**
   * To be awaited between small pieces of the work: goes on when nobody waits, or has waited for long.
   * @param longest milliseconds of waiting for others; default 20. Who has to keep up with what they bring waits less
   */
  yieldToRequests(longest?: number): Promise<void>;
}

/** @param now milliseconds of a clock that never goes back */
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
      // In this turn of the event loop whoever has asked meanwhile is heard.
      await setImmediate();
      if (awaited > 0) await untilNobodyWaits(longest);
      sliceEnds = now() + LONGEST_SLICE;
    },
  };
}
