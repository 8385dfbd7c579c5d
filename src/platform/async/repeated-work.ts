import type { OnChange } from './change-signal.ts';

interface RepeatedWorkParts {
  /** Must not reject. @returns false if the work was not done, so that it is repeated after the pause */
  readonly run: () => Promise<boolean>;
  /** Milliseconds. */
  readonly pauseMs: number;
  /** Tells when there may be new work. Absent: nobody tells, and the work is repeated after each pause. */
  readonly onChange?: OnChange | undefined;
  /** Calls back after so many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
}

/** Work that is repeated, one run at a time, whenever there may be something new. */
interface RepeatedWork {
  /** Runs at once. */
  start(): void;
  /** Starts no more runs, and waits for the one in progress. */
  stop(): Promise<void>;
}

export function createRepeatedWork({ run, pauseMs, onChange, later }: RepeatedWorkParts): RepeatedWork {
  let running: Promise<void> | undefined;
  /** Since the last run began. */
  let isChanged = false;
  let isPausing = false;
  let isStopped = false;
  let stopListening = (): void => {};

  function runOnce(): void {
    if (isStopped || running) return;
    isChanged = false;
    running = run().then((isDone) => {
      running = undefined;
      if (isStopped) return;
      if (!isDone || !onChange) pause();
      else if (isChanged) runOnce();
    });
  }

  function pause(): void {
    if (isPausing) return;
    isPausing = true;
    later(() => {
      isPausing = false;
      runOnce();
    }, pauseMs);
  }

  return {
    start() {
      stopListening =
        onChange?.(() => {
          isChanged = true;
          runOnce();
        }) ?? stopListening;
      runOnce();
    },
    async stop() {
      isStopped = true;
      stopListening();
      await running;
    },
  };
}
