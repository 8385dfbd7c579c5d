import { createDurationTally, type DurationTally } from '../platform/time/duration-tally.ts';

/** What a log has taken since it was opened. */
export interface AppendFigures {
  /** Commits that wrote records. */
  readonly groups: number;
  readonly records: number;
  /** How long the disk took for one wait. */
  readonly flushes: DurationTally;
}

export interface CountedAppends extends AppendFigures {
  committed(records: number): void;
  /** The same wait, counted where it succeeds. */
  timed(wait: () => Promise<void>): () => Promise<void>;
}

export function countAppends(): CountedAppends {
  const flushes = createDurationTally();
  let groups = 0;
  let records = 0;
  return {
    get groups() {
      return groups;
    },
    get records() {
      return records;
    },
    flushes,
    committed(count) {
      groups++;
      records += count;
    },
    timed: (wait) => async () => {
      const begun = performance.now();
      await wait();
      flushes.add(performance.now() - begun);
    },
  };
}
