/** Maximum number of parallel requests to one host. */
const AT_ONCE = 4;
/** Number of consecutive failures after which requests to a host pause. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 600;
const LONGEST_ASKED_WAIT_MS = 3_600_000;

/** Limits the requests to one host. Times are milliseconds of one clock, given by the caller. */
export interface HostLimiter {
  /**
   * Earliest known time for a request: not after `now` if one may start; `Infinity` until a running request has ended.
   */
  freeAt(now: number): number;
  begin(): void;
  end(now: number, hasFailed: boolean): void;
  /** The request was not sent after all. */
  undoBegin(): void;
  /** The host asks to wait for so many milliseconds; limited to an hour. */
  waitFor(milliseconds: number, now: number): void;
  /** Whether requests pause after consecutive failures. A wait that the host asked for is no pause. */
  readonly isPaused: boolean;
}

/** @param pace divides every pause, but not the waits that the host itself asks for */
export function createHostLimiter(pace: number): HostLimiter {
  let running = 0;
  let failures = 0;
  let waitUntil = Number.NEGATIVE_INFINITY;
  /** Undefined: no pause. In the past: one trial request may be made. */
  let pausedUntil: number | undefined;
  let pauseSeconds = FIRST_PAUSE_SECONDS;
  let isTrying = false;

  function pause(now: number): void {
    pausedUntil = now + (pauseSeconds * 1000) / pace;
    pauseSeconds = Math.min(2 * pauseSeconds, LONGEST_PAUSE_SECONDS);
  }

  return {
    freeAt(now) {
      if (running >= AT_ONCE || isTrying) return Number.POSITIVE_INFINITY;
      const at = Math.max(waitUntil, pausedUntil ?? Number.NEGATIVE_INFINITY);
      // A trial request runs alone.
      return pausedUntil !== undefined && at <= now && running > 0 ? Number.POSITIVE_INFINITY : at;
    },
    begin() {
      running++;
      isTrying = pausedUntil !== undefined;
    },
    end(now, hasFailed) {
      running--;
      const wasTrial = isTrying;
      isTrying = false;
      if (!hasFailed) {
        failures = 0;
        pausedUntil = undefined;
        pauseSeconds = FIRST_PAUSE_SECONDS;
        return;
      }
      failures++;
      // Requests that were running when the pause began give no new information.
      if (wasTrial || (pausedUntil === undefined && failures >= MAX_FAILURES)) pause(now);
    },
    undoBegin() {
      running--;
      isTrying = false;
    },
    waitFor(milliseconds, now) {
      waitUntil = Math.max(waitUntil, now + Math.min(milliseconds, LONGEST_ASKED_WAIT_MS));
    },
    get isPaused() {
      return pausedUntil !== undefined;
    },
  };
}

/** The limiters of all connectors: connectors of the same host share one. */
export function createHostLimiters(pace: number): (host: string) => HostLimiter {
  const hosts = new Map<string, HostLimiter>();
  return (name) => {
    const known = hosts.get(name) ?? createHostLimiter(pace);
    hosts.set(name, known);
    return known;
  };
}
