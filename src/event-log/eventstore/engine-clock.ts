/** What this process knows about the clock by which the engine records. */
export interface EngineClock {
  /** The latest recorded time that this process has seen, in milliseconds; 0 if it has seen no record. */
  readonly latest: number;
  /**
   * Notes the time of a record.
   * @param created the engine's own time, which is earlier than `time` if a former leader's clock was ahead
   */
  noteTime(time: number, created: number): void;
  /**
   * How many milliseconds to wait until no new record can have this time or an earlier one. `time` must have passed.
   */
  millisecondsUntilPast(time: number): number;
}

/** The clock of the next leader may be this much behind the current leader's clock. */
const MAX_LEADER_SKEW_MS = 1000;
/** A process whose clock is wrong by more than this reports an error and must be corrected. */
const MAX_CLOCK_ERROR_MS = 2000;

/** @param now milliseconds since 1970, by the clock of this process @param elapsed milliseconds of a monotonic clock */
export function createEngineClock(now: () => number, elapsed: () => number = () => performance.now()): EngineClock {
  let latest = 0;
  /** The engine's clock minus `elapsed` is at least this. */
  let minOffset = Number.NEGATIVE_INFINITY;
  return {
    get latest() {
      return latest;
    },
    noteTime(time, created) {
      if (time > latest) latest = time;
      const offset = created - elapsed();
      if (offset > minOffset) minOffset = offset;
    },
    millisecondsUntilPast(time) {
      const byEngine = time + MAX_LEADER_SKEW_MS - (minOffset + elapsed());
      const byThisProcess = time + MAX_CLOCK_ERROR_MS - now();
      return Math.min(Math.max(0, Math.min(byEngine, byThisProcess) + 1), MAX_CLOCK_ERROR_MS + 1);
    },
  };
}
