import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { ServerClock } from './server-clock.ts';

/** So far the process's own clock may be off before the server is degraded, and before it stops answering; in
 *  milliseconds. */
const DEGRADED_FROM = 2000;
const REFUSED_FROM = 30_000;
const LOG_AHEAD_FROM = 5 * 60_000;

interface ClusterClockParts {
  /** The clock on the wall, in milliseconds. */
  readonly now: () => number;
}

/** The clock of one of many processes. None of them is asked by the others: it is compared with the registry's. */
export interface ClusterClock extends ServerClock {
  /** So many milliseconds this clock is ahead of the registry's; undefined before it was compared. */
  readonly ahead: number | undefined;
  /** More than two seconds off. */
  readonly isOff: boolean;
  /** Why nothing is answered: it is more than half a minute off. */
  readonly refusal: UnavailableError | undefined;
  /** It was compared. */
  setOffset(ahead: number): void;
}

export function createClusterClock({ now }: ClusterClockParts): ClusterClock {
  const waiting: (() => Promise<void>)[] = [];
  let ahead: number | undefined;
  let lastRecordedAt: number | null = null;
  let looking: Promise<void> | undefined;

  const off = (): number => Math.abs(ahead ?? 0);

  function refusal(): UnavailableError | undefined {
    if (off() <= REFUSED_FROM) return undefined;
    return new UnavailableError("The server's clock is wrong. Try again when it was set.");
  }

  async function doWaiting(): Promise<void> {
    for (let work = waiting[0]; work !== undefined && !refusal(); work = waiting[0]) {
      await work();
      waiting.shift();
    }
  }

  function assertRight(): void {
    const refused = refusal();
    if (refused) throw refused;
  }

  return {
    now,
    stamp() {
      assertRight();
      const time = now();
      if (lastRecordedAt === null || time > lastRecordedAt) lastRecordedAt = time;
      return time;
    },
    // Other clocks than its own say what is wrong with it: see `isOff`.
    doubt: undefined,
    get isOpen() {
      return !refusal() && waiting.length === 0;
    },
    assertOpen() {
      assertRight();
      if (waiting.length > 0)
        throw new UnavailableError('The server is getting ready to write. Try again in a moment.', 1);
    },
    get isLogAhead() {
      return lastRecordedAt !== null && lastRecordedAt - now() > LOG_AHEAD_FROM;
    },
    get lastRecordedAt() {
      return lastRecordedAt;
    },
    currentMarker: () => undefined,
    async whenTrusted(work) {
      if (refusal()) waiting.push(work);
      else await work();
    },
    runWaiting() {
      looking ??= doWaiting().finally(() => {
        looking = undefined;
      });
      return looking;
    },
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
}
