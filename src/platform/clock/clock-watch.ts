import type { SetTimer } from '../async/timer.ts';
import { describeDoubt, describeUnconfirmed } from './check-clock.ts';
import type { ClockMarkerFile } from './clock-marker-file.ts';
import { toIsoTime } from './iso-time.ts';
import type { ServerClock } from './server-clock.ts';

type Tell = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface ClockWatchParts {
  readonly clock: Pick<
    ServerClock,
    'doubt' | 'unconfirmed' | 'isLogAhead' | 'lastRecordedAt' | 'now' | 'currentMarker' | 'runWaiting'
  >;
  readonly file: Pick<ClockMarkerFile, 'write'>;
  readonly setTimer: SetTimer;
  readonly logger: { readonly info: Tell; readonly warn: Tell; readonly error: Tell };
}

interface ClockWatch {
  /** Writes a last marker, if the clock is trusted. */
  stop(): void;
}

const CHECK_EVERY = 1000;
/** Checks between two log lines, and between two markers. Counted, since the clock itself may be wrong. */
const CHECKS_PER_MINUTE = 60;
/** Checks between two log lines about a clock that nobody has confirmed. */
const CHECKS_PER_HOUR = 3600;

/**
 * Watches the clock while the server runs: logs doubts, writes the marker, and runs the work that waits for the clock.
 */
export function watchClock({ clock, file, setTimer, logger }: ClockWatchParts): ClockWatch {
  let checksUntilLog = 0;
  let checksUntilMarker = 0;
  let checksUntilUnconfirmedLog = 0;
  let isDoubted = false;
  let isAhead = false;
  let hasMarkerFailed = false;
  let isFailing = false;

  function check(): void {
    const { doubt } = clock;
    if (doubt) {
      if (checksUntilLog-- <= 0) {
        const fields = { clock: toIsoTime(doubt.time), expected: toIsoTime(doubt.expected) };
        logger.error(fields, describeDoubt(doubt));
        checksUntilLog = CHECKS_PER_MINUTE - 1;
      }
    } else {
      if (isDoubted) logger.info({ clock: toIsoTime(clock.now()) }, 'the clock is believed again: all goes on');
      checksUntilLog = 0;
      logUnconfirmed();
      runWaitingWork();
      if (checksUntilMarker-- <= 0) {
        writeMarker();
        checksUntilMarker = CHECKS_PER_MINUTE - 1;
      }
    }
    isDoubted = doubt !== undefined;
    logAheadChange();
  }

  function logUnconfirmed(): void {
    const { unconfirmed } = clock;
    if (!unconfirmed) {
      checksUntilUnconfirmedLog = 0;
    } else if (checksUntilUnconfirmedLog-- <= 0) {
      const fields = { clock: toIsoTime(unconfirmed.time), expected: toIsoTime(unconfirmed.expected) };
      logger.warn(fields, describeUnconfirmed(unconfirmed));
      checksUntilUnconfirmedLog = CHECKS_PER_HOUR - 1;
    }
  }

  function runWaitingWork(): void {
    clock.runWaiting().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        // The work is retried each second, so log its failure once.
        if (!isFailing) logger.error({ err: error }, 'what has waited for the clock has failed; it is tried again');
        isFailing = true;
      },
    );
  }

  function logAheadChange(): void {
    const wasAhead = isAhead;
    isAhead = clock.isLogAhead;
    if (isAhead === wasAhead) return;
    const fields = { clock: toIsoTime(clock.now()), last_record: toIsoTime(clock.lastRecordedAt ?? 0) };
    if (isAhead) logger.warn(fields, 'the log is ahead of the clock: records keep the time of the last one until then');
    else logger.info(fields, 'the clock has caught up with the log');
  }

  function writeMarker(): void {
    const marker = clock.currentMarker();
    if (!marker) return;
    try {
      file.write(marker);
      hasMarkerFailed = false;
    } catch (error) {
      if (!hasMarkerFailed) logger.warn({ err: error }, 'the mark of the clock could not be kept');
      hasMarkerFailed = true;
    }
  }

  let cancel = (): void => {};
  function checkAndSchedule(): void {
    check();
    cancel = setTimer(checkAndSchedule, CHECK_EVERY);
  }
  checkAndSchedule();
  return {
    stop() {
      cancel();
      writeMarker();
    },
  };
}
