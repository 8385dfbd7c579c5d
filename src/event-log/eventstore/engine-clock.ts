/** What a process knows of the time by which the engine records. */
export interface EngineClock {
  /** The latest time of a record that was heard of, milliseconds; 0: of none. */
  readonly latest: number;
  /** A record has this time. @param created the engine's own, which differs where that clock was ahead before */
  noteTime(time: number, created: number): void;
  /** Milliseconds until no record can come any more that has this time or an earlier one; of a time that has passed. */
  millisecondsUntilPast(time: number): number;
}

/** The next leader's clock may be behind this one's. */
const LEADERS_APART_MS = 1000;
/** A process whose clock is further off than this says so of itself, and is put right. */
const MOST_OFF_MS = 2000;

/**
 * @param now milliseconds since 1970, of this process
 * @param elapsed milliseconds of a clock that is never set
 */
export function createEngineClock(now: () => number, elapsed: () => number = () => performance.now()): EngineClock {
  let latest = 0;
  /** What the engine's clock shows at least, less what `elapsed` does. */
  let ahead = Number.NEGATIVE_INFINITY;
  return {
    get latest() {
      return latest;
    },
    noteTime(time, created) {
      if (time > latest) latest = time;
      const shown = created - elapsed();
      if (shown > ahead) ahead = shown;
    },
    millisecondsUntilPast(time) {
      const byEngine = time + LEADERS_APART_MS - (ahead + elapsed());
      const byThisProcess = time + MOST_OFF_MS - now();
      return Math.min(Math.max(0, Math.min(byEngine, byThisProcess) + 1), MOST_OFF_MS + 1);
    },
  };
}
