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
} from './check-clock.ts';
import type { WriteGate } from './write-gate.ts';

interface ServerClockParts extends ClockEvidence {
  /** The clock on the wall, in milliseconds. */
  readonly now: () => number;
  readonly bootClock: BootClock;
  /** Told once, where a clock is believed that nothing proves. */
  readonly logger: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * The time, and whether it can be believed. A record that gets a time of years ahead keeps all that come after it there,
 * and no restart heals it: so nothing is written while the clock is doubted.
 */
export interface ServerClock extends WriteGate {
  /** Milliseconds. Where the clock has leapt while the server ran, this goes on by the steady clock. */
  now(): number;
  /** The time for a record. @throws Unavailable while the clock is doubted */
  stamp(): number;
  /** Why the clock is not believed at this moment. */
  readonly doubt: ClockDoubt | undefined;
  /** The log's last record lies more than 5 minutes ahead of the clock. */
  readonly isLogAhead: boolean;
  /** When the last record was recorded, as far as this clock knows; milliseconds. */
  readonly lastRecordedAt: number | null;
  /** This moment, for the folder to remember; undefined while the clock is doubted. */
  currentMarker(): ClockReading | undefined;
  /**
   * Does something that writes, and that must be done before anything else is written. Where the clock is doubted it
   * waits: `look` does it when the clock is right, and until then the gate stays closed.
   */
  whenTrusted(work: () => Promise<void>): Promise<void>;
  /** Does what has waited, where the clock is right by now. Rejects with what fails of it: that is tried again. */
  runWaiting(): Promise<void>;
  /** The clock was set back by more than 5 minutes. */
  onSetBack(listener: () => void): void;
}

/**
 * A verdict holds as long as the clock on the wall goes on by less than this, in milliseconds: a leap shows at once, and
 * the steady clock, which costs a call of the system, is not asked for each record.
 */
const HOLDS_FOR = 250;

export function createServerClock(parts: ServerClockParts): ServerClock {
  const { now, bootClock, logger } = parts;
  const waiting: (() => Promise<void>)[] = [];
  const setBackListeners: (() => void)[] = [];
  /** When the clock was first believed. */
  let believed: ClockReading | undefined;
  let believedAt = Number.NaN;
  let judgedAt = Number.NEGATIVE_INFINITY;
  let lastRecordedAt = parts.lastRecordedAt;
  let looking: Promise<void> | undefined;
  // It speaks for the clock of the start alone: were it asked again later, a clock could leap there.
  let { acceptClock } = parts;

  const clocksAt = (time: number): ClockReading => ({ time, uptime: bootClock.uptime(), bootId: bootClock.bootId });

  /** @param time of the clock on the wall, at this moment */
  function judge(time: number): ClockDoubt | undefined {
    if (time >= believedAt && time - believedAt < HOLDS_FOR) return undefined;
    const isSetBack = time < judgedAt - CLOCK_TOLERANCE;
    judgedAt = time;
    const clocks = clocksAt(time);
    const verdict = believed
      ? checkRunningClock(clocks, believed)
      : checkClockAtStart(clocks, { ...parts, acceptClock });
    acceptClock = undefined;
    if (verdict.doubt) {
      believedAt = Number.NaN;
      return verdict.doubt;
    }
    believed ??= clocks;
    believedAt = time;
    if (verdict.because) tell(verdict.because, time);
    if (isSetBack) for (const listener of setBackListeners) listener();
    return undefined;
  }

  function tell(because: 'accepted' | 'long rest', time: number): void {
    const lastRecord = lastRecordedAt === null ? null : new Date(lastRecordedAt).toISOString();
    const fields = { clock: new Date(time).toISOString(), last_record: lastRecord };
    if (because === 'accepted') logger.warn(fields, 'the clock is taken as it is, as ACCEPT_CLOCK says');
    else
      logger.warn(
        fields,
        'the clock is more than a day ahead of the last record, and nothing tells whether it is right',
      );
  }

  const refusal = (doubt: ClockDoubt) => new UnavailableError(describeDoubt(doubt));

  async function doWaiting(): Promise<void> {
    for (let work = waiting[0]; work !== undefined && judge(now()) === undefined; work = waiting[0]) {
      await work();
      waiting.shift();
    }
  }

  judge(now());

  function clockNow(): number {
    const time = now();
    const doubt = judge(time);
    return doubt && believed ? doubt.expected : time;
  }

  const isOpen = () => judge(now()) === undefined && waiting.length === 0;

  return {
    now: clockNow,
    stamp() {
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
    assertOpen() {
      const doubt = judge(now());
      if (doubt) throw refusal(doubt);
      if (waiting.length > 0)
        throw new UnavailableError('The server is getting ready to write. Try again in a moment.', 1);
    },
    get isLogAhead() {
      return lastRecordedAt !== null && lastRecordedAt - clockNow() > CLOCK_TOLERANCE;
    },
    get lastRecordedAt() {
      return lastRecordedAt;
    },
    currentMarker() {
      const time = now();
      return judge(time) ? undefined : clocksAt(time);
    },
    async whenTrusted(work) {
      if (isOpen()) await work();
      else waiting.push(work);
    },
    runWaiting() {
      looking ??= doWaiting().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    onSetBack: (listener) => void setBackListeners.push(listener),
  };
}
