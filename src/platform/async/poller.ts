import type { SetTimer } from './timer.ts';

interface PollerParts {
  /** Must not reject. @returns the latest time of the next poll, in milliseconds */
  readonly pollOnce: () => Promise<number>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

/** Shortest pause between two polls, in milliseconds, so that one poll finds everything that arrives meanwhile. */
const PAUSE = 10;

/** Decides when to poll a store: one poll at a time, when something is due or may be due. */
export function createPoller({ pollOnce, now, setTimer }: PollerParts) {
  let cancelTimer = (): void => {};
  let wakesAt = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isRequestedAgain = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  function at(time: number): void {
    if (isStopped || time >= wakesAt) return;
    cancelTimer();
    wakesAt = time;
    cancelTimer = setTimer(
      () => {
        wakesAt = Number.POSITIVE_INFINITY;
        poll();
      },
      Math.max(0, time - now()),
    );
  }

  function poll(): void {
    if (isStopped || underWay) return;
    isRequestedAgain = false;
    underWay = pollOnce().then((nextAt) => {
      underWay = undefined;
      endedAt = now();
      at(isRequestedAgain ? endedAt + PAUSE : nextAt);
    });
  }

  return {
    get isUnderWay() {
      return underWay !== undefined;
    },
    at,
    soon(): void {
      if (underWay) isRequestedAgain = true;
      else {
        const since = now() - endedAt;
        // Negative after the clock was set back: then `endedAt` may be days ahead.
        if (since >= PAUSE || since < 0) poll();
        else at(endedAt + PAUSE);
      }
    },
    /** Resolves when no poll is running. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimer();
      await underWay;
    },
  };
}
