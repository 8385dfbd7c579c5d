import type { SetTimer } from '../../../src/platform/async/timer.ts';

export interface Timers {
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** How many are set. */
  readonly size: number;
  /** Lets time pass; what is due goes off in order, each at its own time. */
  advance(milliseconds: number): void;
}

/** Time that stands still until it is moved. */
export function createTimers(): Timers {
  let time = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => time,
    setTimer(callback, milliseconds) {
      const timer = { at: time + milliseconds, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get size() {
      return timers.size;
    },
    advance(milliseconds) {
      const until = time + milliseconds;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        time = Math.max(time, due.at);
        due.callback();
      }
      time = until;
    },
  };
}
