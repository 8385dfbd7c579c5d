import type { SetTimer } from './timer.ts';

interface PollerParts {
  /** Rejects never. @returns when to look again at the latest, milliseconds */
  readonly pollOnce: () => Promise<number>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

/** How soon after a look the next one may follow, in milliseconds: what comes in between is found together. */
const PAUSE = 10;

/** When to look into the store: one look at a time, when something is due, or may be. */
export function createPoller({ pollOnce, now, setTimer }: PollerParts) {
  let cancelTimer = (): void => {};
  let wakesAt = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isWantedAgain = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  function at(time: number): void {
    if (isStopped || time >= wakesAt) return;
    cancelTimer();
    wakesAt = time;
    cancelTimer = setTimer(
      () => {
        wakesAt = Number.POSITIVE_INFINITY;
        look();
      },
      Math.max(0, time - now()),
    );
  }

  function look(): void {
    if (isStopped || underWay) return;
    isWantedAgain = false;
    underWay = pollOnce().then((nextAt) => {
      underWay = undefined;
      endedAt = now();
      at(isWantedAgain ? endedAt + PAUSE : nextAt);
    });
  }

  return {
    get isUnderWay() {
      return underWay !== undefined;
    },
    at,
    soon(): void {
      if (underWay) isWantedAgain = true;
      else {
        const since = now() - endedAt;
        // Less than nothing: the clock was set back, and the end of the last look may lie days ahead.
        if (since >= PAUSE || since < 0) look();
        else at(endedAt + PAUSE);
      }
    },
    /** Resolves when none is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimer();
      await underWay;
    },
  };
}
