import { DAY, formatTime, HOUR, MINUTE } from '../../domain/primitives/time.ts';

/** What the clocks of the machine said at one moment. Times are milliseconds. */
export interface ClockReading {
  /** The clock on the wall: it can be set, and be wrong. */
  readonly time: number;
  /** The steady clock. */
  readonly uptime: number;
  /** The run of the machine that `uptime` counts from; null: not known. */
  readonly bootId: string | null;
}

/** Why a clock is not believed. */
export interface ClockDoubt {
  readonly time: number;
  /** What it should say at the most, but for the tolerance. */
  readonly expected: number;
  /** What that follows from. */
  readonly by: 'the steady clock' | 'the last mark of the data folder' | 'the last record of the log';
}

type ClockVerdict =
  /** `because`: it is told, for nothing proves it. */
  { readonly doubt?: undefined; readonly because?: 'accepted' | 'long rest' } | { readonly doubt: ClockDoubt };

/** What a start knows of the time. */
export interface ClockEvidence {
  /** When the clock was believed last. */
  readonly marker: ClockReading | null;
  /** Time of the log's last record; null: the log is empty. */
  readonly lastRecordedAt: number | null;
  /** The operator has said that about this time is right. */
  readonly acceptClock?: number | undefined;
}

/** So far a clock may lead before it is doubted, and the log before it counts as ahead. */
export const CLOCK_TOLERANCE = 5 * MINUTE;
const LONG_REST = DAY;
const LONGEST_REST = 31 * DAY;
const ACCEPTED_WITHIN = HOUR;

const TRUSTED: ClockVerdict = {};

/** The clock of a server that starts. One that is behind does no harm, and is believed. */
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

/** The same while the machine runs on. @param believed an earlier moment of the same run of the machine */
export function checkRunningClock({ time, uptime }: ClockReading, believed: ClockReading): ClockVerdict {
  const expected = believed.time + Math.round(uptime - believed.uptime);
  return time - expected <= CLOCK_TOLERANCE ? TRUSTED : { doubt: { time, expected, by: 'the steady clock' } };
}

/** In some containers the steady clock begins anew with the container, though the machine runs on. */
const isSameBoot = (clocks: ClockReading, mark: ClockReading): boolean =>
  mark.bootId !== null && mark.bootId === clocks.bootId && mark.uptime <= clocks.uptime;

/** One line, for operators and for clients that are refused. */
export function describeDoubt({ time, expected, by }: ClockDoubt): string {
  const says = formatTime(time);
  const about = formatTime(expected);
  return (
    `The clock of the server is doubted: it says ${says}, and by ${by} it should be about ${about}. Nothing is written ` +
    `until it is right. If it is right as it is, the operator starts the server with ACCEPT_CLOCK=${says}`
  );
}
