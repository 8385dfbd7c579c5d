/** Requests of one host at once. */
const AT_ONCE = 4;
/** Failures in a row after which a host is left alone. */
const MOST_FAILURES = 5;
const FIRST_REST_SECONDS = 30;
const LONGEST_REST_SECONDS = 600;
const LONGEST_ASKED_WAIT_MS = 3_600_000;

/** How a host may be asked. Times are milliseconds of one clock, which is handed in. */
export interface HostLimiter {
  /** When a request may begin, as far as is known: not after `now` where one may; `Infinity` until one of those under
   *  way has ended. */
  freeAt(now: number): number;
  begin(): void;
  end(now: number, hasFailed: boolean): void;
  /** It was not sent after all. */
  undoBegin(): void;
  /** The host has asked for so many milliseconds of silence: at most an hour of them are kept. */
  pauseFor(milliseconds: number, now: number): void;
  /** It is left alone after failures in a row. */
  readonly isCircuitOpen: boolean;
}

/** @param pace every wait is divided by it, but for what the host itself asks for */
export function createHostLimiter(pace: number): HostLimiter {
  let underWay = 0;
  let failures = 0;
  let silentUntil = Number.NEGATIVE_INFINITY;
  /** Undefined: it is asked as usual. Past: one trial may be made. */
  let restUntil: number | undefined;
  let restSeconds = FIRST_REST_SECONDS;
  let isTrying = false;

  function rest(now: number): void {
    restUntil = now + (restSeconds * 1000) / pace;
    restSeconds = Math.min(2 * restSeconds, LONGEST_REST_SECONDS);
  }

  return {
    freeAt(now) {
      if (underWay >= AT_ONCE || isTrying) return Number.POSITIVE_INFINITY;
      const at = Math.max(silentUntil, restUntil ?? Number.NEGATIVE_INFINITY);
      // A trial stands alone.
      return restUntil !== undefined && at <= now && underWay > 0 ? Number.POSITIVE_INFINITY : at;
    },
    begin() {
      underWay++;
      isTrying = restUntil !== undefined;
    },
    end(now, hasFailed) {
      underWay--;
      const wasTrial = isTrying;
      isTrying = false;
      if (!hasFailed) {
        failures = 0;
        restUntil = undefined;
        restSeconds = FIRST_REST_SECONDS;
        return;
      }
      failures++;
      // Those that were under way when the rest began say nothing new.
      if (wasTrial || (restUntil === undefined && failures >= MOST_FAILURES)) rest(now);
    },
    undoBegin() {
      underWay--;
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

/** Those of all connectors: two that have one host share it. */
export function createHostLimiters(pace: number): (host: string) => HostLimiter {
  const hosts = new Map<string, HostLimiter>();
  return (name) => {
    const known = hosts.get(name) ?? createHostLimiter(pace);
    hosts.set(name, known);
    return known;
  };
}
