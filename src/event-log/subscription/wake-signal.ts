import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { SetTimer } from '../../platform/async/timer.ts';

export interface WakeSignalOptions {
  /** Whether this record must be processed at once. Absent: all are urgent. Other records wait for a batch. */
  readonly isUrgent?: ((record: LogRecord) => boolean) | undefined;
  /**
   * A batch of this many records does not wait; default 64: folding and committing them takes some milliseconds, during
   * which nothing else runs.
   */
  readonly enough?: number | undefined;
  /** The maximum time that a record waits for a batch, in milliseconds; default 25. */
  readonly patience?: number | undefined;
  /** The maximum sleep, in milliseconds; undefined: as long as nobody wakes the reader. */
  readonly maxSleepMs: number | undefined;
  readonly setTimer: SetTimer;
}

/** Wakes a sleeping reader when there is enough work for it. */
interface WakeSignal {
  /** Resolves on a wake, or after the maximum sleep. Only one call may wait at a time. */
  waitForWake(): Promise<void>;
  /** New records have come; `waiting` records are there in all. Does nothing if the reader is awake. */
  notifyRecords(records: readonly LogRecord[], waiting: number): void;
  /** Wakes the reader at once. */
  wake(): void;
}

export function createWakeSignal({
  isUrgent,
  enough = 64,
  patience = 25,
  maxSleepMs,
  setTimer,
}: WakeSignalOptions): WakeSignal {
  let wakeNow = () => {};
  let wakeSoon = () => {};
  return {
    waitForWake: () =>
      new Promise((resolve) => {
        const cancelLongest = maxSleepMs === undefined ? undefined : setTimer(() => wakeNow(), maxSleepMs);
        let cancelSoon: (() => void) | undefined;
        wakeSoon = () => {
          cancelSoon ??= setTimer(() => wakeNow(), patience);
        };
        wakeNow = () => {
          wakeNow = () => {};
          wakeSoon = () => {};
          cancelLongest?.();
          cancelSoon?.();
          resolve();
        };
      }),
    notifyRecords(records, waiting) {
      if (isUrgent === undefined || waiting >= enough || records.some(isUrgent)) wakeNow();
      else wakeSoon();
    },
    wake: () => wakeNow(),
  };
}
