import type { LogRecord } from '../domain/record.ts';
import type { SetTimer } from '../platform/time/timer.ts';

export interface AlarmOptions {
  /** Whether somebody waits for this record. Absent: for all. Others wait for company. */
  readonly isUrgent?: ((record: LogRecord) => boolean) | undefined;
  /** So many together wait no longer; default 64: so many are folded and committed within some milliseconds, in which
   *  nothing else runs. */
  readonly enough?: number | undefined;
  /** The longest that a record waits for company, in milliseconds; default 25. */
  readonly patience?: number | undefined;
  /** The longest sleep, in milliseconds. */
  readonly longest: number;
  readonly setTimer: SetTimer;
}

/** Wakes a reader that has nothing to do: when it is worth its while. */
export interface Alarm {
  /** Until somebody rings, or it has lasted long enough. One at a time. */
  sleep(): Promise<void>;
  /** These have come, and `waiting` of them and earlier ones are there in all. Who is awake does not mind. */
  announced(records: readonly LogRecord[], waiting: number): void;
  /** Wakes at once. */
  ring(): void;
}

export function createAlarm({ isUrgent, enough = 64, patience = 25, longest, setTimer }: AlarmOptions): Alarm {
  let ring = () => {};
  let ringSoon = () => {};
  return {
    sleep: () =>
      new Promise((resolve) => {
        const cancelLongest = setTimer(() => ring(), longest);
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
    announced(records, waiting) {
      if (isUrgent === undefined || waiting >= enough || records.some(isUrgent)) ring();
      else ringSoon();
    },
    ring: () => ring(),
  };
}
