/** Maximum number of parallel requests to one host. */
const AT_ONCE = 4;
/** Number of consecutive failures after which requests to a host pause. */
const MAX_FAILURES = 5;
const FIRST_REST_SECONDS = 30;
const LONGEST_REST_SECONDS = 600;
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
  /** The host asks for a pause of so many milliseconds; it is limited to an hour. */
  pauseFor(milliseconds: number, now: number): void;
  /** Requests pause after consecutive failures. */
  readonly isCircuitOpen: boolean;
}

/** @param pace divides every wait except the pauses that the host itself asks for */
export function createHostLimiter(pace: number): HostLimiter {
  let running = 0;
  let failures = 0;
  let silentUntil = Number.NEGATIVE_INFINITY;
  /** Undefined: no pause. In the past: one trial request may be made. */
  let restUntil: number | undefined;
  let restSeconds = FIRST_REST_SECONDS;
  let isTrying = false;

  function rest(now: number): void {
    restUntil = now + (restSeconds * 1000) / pace;
    restSeconds = Math.min(2 * restSeconds, LONGEST_REST_SECONDS);
  }

  return {
    freeAt(now) {
      if (running >= AT_ONCE || isTrying) return Number.POSITIVE_INFINITY;
      const at = Math.max(silentUntil, restUntil ?? Number.NEGATIVE_INFINITY);
      // A trial request runs alone.
      return restUntil !== undefined && at <= now && running > 0 ? Number.POSITIVE_INFINITY : at;
    },
    begin() {
      running++;
      isTrying = restUntil !== undefined;
    },
    end(now, hasFailed) {
      running--;
      const wasTrial = isTrying;
      isTrying = false;
      if (!hasFailed) {
        failures = 0;
        restUntil = undefined;
        restSeconds = FIRST_REST_SECONDS;
        return;
      }
      failures++;
      // Requests that were running when the pause began give no new information.
      if (wasTrial || (restUntil === undefined && failures >= MAX_FAILURES)) rest(now);
    },
    undoBegin() {
      running--;
      isTrying = false;
    },
    pauseFor(milliseconds, now) {
      silentUntil = Math.max(silentUntil, now + Math.min(milliseconds, LONGEST_ASKED_WAIT_MS));
    },
    get isCircuitOpen() {
      return restUntil !== undefined;
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
