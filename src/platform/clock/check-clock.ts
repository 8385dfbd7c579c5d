import { DAY, formatTime, HOUR, MINUTE } from '../../domain/primitives/time.ts';

/** The clocks of the machine at one moment. Times are in milliseconds. */
export interface ClockReading {
  /** The wall clock. It can be set, and may be wrong. */
  readonly time: number;
  /** The monotonic clock. */
  readonly uptime: number;
  /** The boot that `uptime` counts from; null: unknown. */
  readonly bootId: string | null;
}

/** Why a clock is not trusted. */
export interface ClockDoubt {
  readonly time: number;
  /** The latest plausible time, without the tolerance. */
  readonly expected: number;
  /** The source of the expected time. */
  readonly by: 'the steady clock' | 'the last mark of the data folder' | 'the last record of the log';
}

type ClockVerdict =
  /** `because`: the clock is trusted without proof, which is logged. */
  { readonly doubt?: undefined; readonly because?: 'accepted' | 'long rest' } | { readonly doubt: ClockDoubt };

/** What is known about the time at a start. */
export interface ClockEvidence {
  /** When the clock was last trusted. */
  readonly marker: ClockReading | null;
  /** Time of the log's last record; null: the log is empty. */
  readonly lastRecordedAt: number | null;
  /** The operator has confirmed that this time is about right. */
  readonly acceptClock?: number | undefined;
}

/** How far a clock may be ahead before it is doubted, and how far the log may be ahead of the clock. */
export const CLOCK_TOLERANCE = 5 * MINUTE;
const LONG_REST = DAY;
const LONGEST_REST = 31 * DAY;
const ACCEPTED_WITHIN = HOUR;

const TRUSTED: ClockVerdict = {};

/** Checks the clock when a server starts. A clock that is behind does no harm, and is trusted. */
export function checkClockAtStart(
  clocks: ClockReading,
  { marker, lastRecordedAt, acceptClock }: ClockEvidence,
): ClockVerdict {
  const { time } = clocks;
  if (acceptClock !== undefined && Math.abs(time - acceptClock) <= ACCEPTED_WITHIN) return { because: 'accepted' };
  if (lastRecordedAt === null || time - lastRecordedAt <= LONG_REST) return TRUSTED;
  if (marker && isSameBoot(clocks, marker)) return checkRunningClock(clocks, marker);
  const expected = marker?.time ?? lastRecordedAt;
  if (time - expected <= LONGEST_REST) return { because: 'long rest' };
  return { doubt: { time, expected, by: marker ? 'the last mark of the data folder' : 'the last record of the log' } };
}

/** Checks the clock while the machine runs. @param trusted an earlier trusted reading of the same boot */
export function checkRunningClock({ time, uptime }: ClockReading, trusted: ClockReading): ClockVerdict {
  const expected = trusted.time + Math.round(uptime - trusted.uptime);
  return time - expected <= CLOCK_TOLERANCE ? TRUSTED : { doubt: { time, expected, by: 'the steady clock' } };
}

/**
 * The time that the clock should about show, by what was known at a start; undefined: nothing was known. It may be
 * behind by the time that the machine was off.
 */
export function expectedTimeAtStart(
  clocks: ClockReading,
  { marker, lastRecordedAt }: Pick<ClockEvidence, 'marker' | 'lastRecordedAt'>,
): Pick<ClockDoubt, 'expected' | 'by'> | undefined {
  if (marker) {
    const elapsed = isSameBoot(clocks, marker) ? Math.round(clocks.uptime - marker.uptime) : 0;
    return { expected: marker.time + elapsed, by: 'the last mark of the data folder' };
  }
  return lastRecordedAt === null ? undefined : { expected: lastRecordedAt, by: 'the last record of the log' };
}

/** Further ahead than this, money is taken only if the operator has confirmed the clock. */
export const UNCONFIRMED_FROM = DAY;

/** In some containers the monotonic clock starts anew with the container, while the boot id stays. */
const isSameBoot = (clocks: ClockReading, marker: ClockReading): boolean =>
  marker.bootId !== null && marker.bootId === clocks.bootId && marker.uptime <= clocks.uptime;

/** One line, for operators and for refused clients. */
export function describeUnconfirmed({ time, expected, by }: ClockDoubt): string {
  const says = formatTime(time);
  return (
    `No money is taken: the clock of the server says ${says}, more than a day ahead of ${by} (${formatTime(expected)}), ` +
    `and nobody has confirmed it. If it is right, the operator starts the server with ACCEPT_CLOCK=${says}`
  );
}

/** One line, for operators and for refused clients. */
export function describeDoubt({ time, expected, by }: ClockDoubt): string {
  const says = formatTime(time);
  const about = formatTime(expected);
  return (
    `The clock of the server is doubted: it says ${says}, and by ${by} it should be about ${about}. Nothing is written ` +
    `until it is right. If it is right as it is, the operator starts the server with ACCEPT_CLOCK=${says}`
  );
}
