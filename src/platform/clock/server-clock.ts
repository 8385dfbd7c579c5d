import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { BootClock } from './boot-clock.ts';
import {
  CLOCK_TOLERANCE,
  type ClockDoubt,
  type ClockEvidence,
  type ClockReading,
  checkClockAtStart,
  checkRunningClock,
  describeDoubt,
  describeUnconfirmed,
  expectedTimeAtStart,
  UNCONFIRMED_FROM,
} from './check-clock.ts';
import { toIsoTime } from './iso-time.ts';
import { alwaysOpenGate, createWaitingWrites, type GuardedGate, type WriteGate } from './write-gate.ts';

interface ServerClockParts extends ClockEvidence {
  /** The wall clock, in milliseconds. */
  readonly now: () => number;
  readonly bootClock: BootClock;
  /** Gets a warning when a clock is trusted without proof. */
  readonly logger: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** Whether this server may write at all, whatever its clock shows; absent: always. */
  readonly guard?: WriteGate | undefined;
}

/**
 * The time, and whether it can be trusted. A record with a time years ahead would force the same time on all later
 * records, and no restart would repair this. So nothing is written while the clock is doubted.
 */
export interface ServerClock extends GuardedGate {
  /** Milliseconds. If the wall clock has jumped while the server ran, this continues with the monotonic clock. */
  now(): number;
  /** The time for a record. @throws UnavailableError while the clock is doubted */
  stamp(): number;
  /** Why the clock is not trusted at this moment. */
  readonly doubt: ClockDoubt | undefined;
  /** Why nobody knows whether the clock is right, although it is trusted for records. */
  readonly unconfirmed: ClockDoubt | undefined;
  /** Whether money may be taken: a wrong month would be paid for. It is also closed while the clock is not confirmed. */
  readonly moneyGate: WriteGate;
  /** The log's last record is more than 5 minutes ahead of the clock. */
  readonly isLogAhead: boolean;
  /** Time of the last record, as far as this clock knows; milliseconds. */
  readonly lastRecordedAt: number | null;
  /**
   * The reading to be stored in the folder: the current one, or while the clock is not confirmed the one before.
   * Undefined while the clock is doubted.
   */
  currentMarker(): ClockReading | undefined;
  /**
   * Runs work that must write before anything else is written. While the clock is doubted, the work waits for
   * `runWaiting`, and the gate stays closed.
   */
  whenTrusted(work: () => Promise<void>): Promise<void>;
  /** Runs the waiting work, if the clock is trusted by now. Rejects with its error; the work is then retried. */
  runWaiting(): Promise<void>;
  /** Called when the clock was set back by more than 5 minutes. */
  onSetBack(listener: () => void): void;
}

/**
 * A verdict holds while the wall clock advances by less than this, in milliseconds. A jump is noticed at once, but not
 * every record needs a system call for the monotonic clock.
 */
const HOLDS_FOR = 250;

export function createServerClock(parts: ServerClockParts): ServerClock {
  const { now, bootClock, logger, guard = alwaysOpenGate } = parts;
  const waiting = createWaitingWrites(() => guard.isOpen && judge(now()) === undefined);
  const setBackListeners: (() => void)[] = [];
  /** When the clock was first trusted. */
  let trusted: ClockReading | undefined;
  /** What the clock must not be far ahead of; undefined: nothing was known, or the operator has confirmed the clock. */
  let basis: (Pick<ClockDoubt, 'expected' | 'by'> & { readonly uptime: number }) | undefined;
  let trustedAt = Number.NaN;
  let judgedAt = Number.NEGATIVE_INFINITY;
  let lastRecordedAt = parts.lastRecordedAt;
  // Confirms the clock at the start only. Used again later, it would allow a jump to that time.
  let { acceptClock } = parts;

  const clocksAt = (time: number): ClockReading => ({ time, uptime: bootClock.uptime(), bootId: bootClock.bootId });

  /** @param time of the wall clock now */
  function judge(time: number): ClockDoubt | undefined {
    if (time >= trustedAt && time - trustedAt < HOLDS_FOR) return undefined;
    const isSetBack = time < judgedAt - CLOCK_TOLERANCE;
    judgedAt = time;
    const clocks = clocksAt(time);
    const verdict = trusted ? checkRunningClock(clocks, trusted) : checkClockAtStart(clocks, { ...parts, acceptClock });
    acceptClock = undefined;
    if (verdict.doubt) {
      trustedAt = Number.NaN;
      return verdict.doubt;
    }
    if (!trusted) {
      const known = verdict.because === 'accepted' ? undefined : expectedTimeAtStart(clocks, parts);
      basis = known && { ...known, uptime: clocks.uptime };
      trusted = clocks;
    }
    trustedAt = time;
    if (verdict.because) warn(verdict.because, time);
    if (isSetBack) for (const listener of setBackListeners) listener();
    return undefined;
  }

  function warn(because: 'accepted' | 'long rest', time: number): void {
    const lastRecord = lastRecordedAt === null ? null : toIsoTime(lastRecordedAt);
    const fields = { clock: toIsoTime(time), last_record: lastRecord };
    if (because === 'accepted') logger.warn(fields, 'the clock is taken as it is, as ACCEPT_CLOCK says');
    else
      logger.warn(
        fields,
        'the clock is more than a day ahead of the last record, and nothing tells whether it is right',
      );
  }

  function findUnconfirmed(): ClockDoubt | undefined {
    const time = now();
    if (!basis || time - basis.expected <= UNCONFIRMED_FROM) return undefined;
    const expected = basis.expected + Math.round(bootClock.uptime() - basis.uptime);
    return time - expected > UNCONFIRMED_FROM ? { time, expected, by: basis.by } : undefined;
  }

  /** Stored while the clock is not confirmed, so that the next start does not confirm it. */
  const markerBefore = (): ClockReading | undefined =>
    parts.marker ?? (basis && { time: basis.expected, uptime: 0, bootId: null });

  const refusal = (doubt: ClockDoubt) => new UnavailableError(describeDoubt(doubt));

  judge(now());

  function clockNow(): number {
    const time = now();
    const doubt = judge(time);
    return doubt && trusted ? doubt.expected : time;
  }

  const isOpen = () => guard.isOpen && judge(now()) === undefined && waiting.isEmpty;

  function assertOpen(): void {
    guard.assertOpen();
    const doubt = judge(now());
    if (doubt) throw refusal(doubt);
    waiting.assertEmpty();
  }

  return {
    now: clockNow,
    guard: parts.guard,
    stamp() {
      guard.assertOpen();
      const time = now();
      const doubt = judge(time);
      if (doubt) throw refusal(doubt);
      if (lastRecordedAt === null || time > lastRecordedAt) lastRecordedAt = time;
      return time;
    },
    get doubt() {
      return judge(now());
    },
    get isOpen() {
      return isOpen();
    },
    assertOpen,
    get unconfirmed() {
      return findUnconfirmed();
    },
    moneyGate: {
      get isOpen() {
        return isOpen() && !findUnconfirmed();
      },
      assertOpen() {
        assertOpen();
        const unconfirmed = findUnconfirmed();
        if (unconfirmed) throw new UnavailableError(describeUnconfirmed(unconfirmed));
      },
    },
    get isLogAhead() {
      return lastRecordedAt !== null && lastRecordedAt - clockNow() > CLOCK_TOLERANCE;
    },
    get lastRecordedAt() {
      return lastRecordedAt;
    },
    currentMarker() {
      const time = now();
      if (judge(time)) return undefined;
      return findUnconfirmed() ? markerBefore() : clocksAt(time);
    },
    async whenTrusted(work) {
      if (isOpen()) await work();
      else waiting.add(work);
    },
    runWaiting: waiting.run,
    onSetBack: (listener) => void setBackListeners.push(listener),
  };
}
