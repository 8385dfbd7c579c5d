import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { ServerClock } from './server-clock.ts';
import { createWaitingWrites } from './write-gate.ts';

/**
 * How far the process's clock may be off before the server is degraded, and before it stops answering; in milliseconds.
 */
const DEGRADED_FROM = 2000;
const REFUSED_FROM = 30_000;
const LOG_AHEAD_FROM = 5 * 60_000;

interface ClusterClockParts {
  /** The wall clock, in milliseconds. */
  readonly now: () => number;
}

/**
 * The clock of one of several processes. It is compared with the clock of the registry, not with those of the other
 * processes.
 */
export interface ClusterClock extends ServerClock {
  /** By how many milliseconds this clock is ahead of the registry's; undefined: not compared yet. */
  readonly ahead: number | undefined;
  /** More than two seconds off. */
  readonly isOff: boolean;
  /** Why requests are refused: the clock is more than half a minute off. */
  readonly refusal: UnavailableError | undefined;
  /** Stores the result of a comparison. */
  setOffset(ahead: number): void;
}

export function createClusterClock({ now }: ClusterClockParts): ClusterClock {
  const waiting = createWaitingWrites(() => !refusal());
  let ahead: number | undefined;
  let lastRecordedAt: number | null = null;

  const off = (): number => Math.abs(ahead ?? 0);

  function refusal(): UnavailableError | undefined {
    if (off() <= REFUSED_FROM) return undefined;
    return new UnavailableError("The server's clock is wrong. Try again when it was set.");
  }

  function assertRight(): void {
    const refused = refusal();
    if (refused) throw refused;
  }

  const clock: ClusterClock = {
    now,
    stamp() {
      assertRight();
      const time = now();
      if (lastRecordedAt === null || time > lastRecordedAt) lastRecordedAt = time;
      return time;
    },
    // In a cluster the clock is compared with PostgreSQL's: `isOff` and the refusal say what this would.
    doubt: undefined,
    unconfirmed: undefined,
    get moneyGate() {
      return clock;
    },
    get isOpen() {
      return !refusal() && waiting.isEmpty;
    },
    assertOpen() {
      assertRight();
      waiting.assertEmpty();
    },
    get isLogAhead() {
      return lastRecordedAt !== null && lastRecordedAt - now() > LOG_AHEAD_FROM;
    },
    get lastRecordedAt() {
      return lastRecordedAt;
    },
    currentMarker: () => undefined,
    async whenTrusted(work) {
      if (refusal()) waiting.add(work);
      else await work();
    },
    runWaiting: waiting.run,
    onSetBack() {},
    get ahead() {
      return ahead;
    },
    get isOff() {
      return off() > DEGRADED_FROM;
    },
    get refusal() {
      return refusal();
    },
    setOffset(milliseconds) {
      ahead = milliseconds;
    },
  };
  return clock;
}
