import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { SetTimer } from '../../platform/async/timer.ts';

export interface WakeSignalOptions {
  /** Whether somebody waits for this record. Absent: for all. Others wait for company. */
  readonly isUrgent?: ((record: LogRecord) => boolean) | undefined;
  /** So many together wait no longer; default 64: so many are folded and committed within some milliseconds, in which
   *  nothing else runs. */
  readonly enough?: number | undefined;
  /** The longest that a record waits for company, in milliseconds; default 25. */
  readonly patience?: number | undefined;
  /** The longest sleep, in milliseconds. */
  readonly maxSleepMs: number;
  readonly setTimer: SetTimer;
}

/** Wakes a reader that has nothing to do: when it is worth its while. */
interface WakeSignal {
  /** Until somebody rings, or it has lasted long enough. One at a time. */
  waitForWake(): Promise<void>;
  /** These have come, and `waiting` of them and earlier ones are there in all. Who is awake does not mind. */
  notifyRecords(records: readonly LogRecord[], waiting: number): void;
  /** Wakes at once. */
  wake(): void;
}

export function createWakeSignal({
  isUrgent,
  enough = 64,
  patience = 25,
  maxSleepMs,
  setTimer,
}: WakeSignalOptions): WakeSignal {
  let ring = () => {};
  let ringSoon = () => {};
  return {
    waitForWake: () =>
      new Promise((resolve) => {
        const cancelLongest = setTimer(() => ring(), maxSleepMs);
        let cancelSoon: (() => void) | undefined;
        ringSoon = () => {
          cancelSoon ??= setTimer(() => ring(), patience);
        };
        ring = () => {
          ring = () => {};
          ringSoon = () => {};
          cancelLongest();
          cancelSoon?.();
          resolve();
        };
      }),
    notifyRecords(records, waiting) {
      if (isUrgent === undefined || waiting >= enough || records.some(isUrgent)) ring();
      else ringSoon();
    },
    wake: () => ring(),
  };
}
