import { createDurationHistogram, type DurationHistogram } from '../../platform/async/duration-histogram.ts';

/** Counts of what a log has written since it was opened. */
export interface AppendStats {
  /** Commits that wrote records. */
  readonly commits: number;
  readonly records: number;
  /** How long each flush to disk took. */
  readonly flushDurations: DurationHistogram;
}

interface AppendStatsRecorder extends AppendStats {
  recordCommit(records: number): void;
  /** Returns the same flush, which also records the duration of each success. */
  timeFlush(wait: () => Promise<void>): () => Promise<void>;
}

export function createAppendStats(): AppendStatsRecorder {
  const flushDurations = createDurationHistogram();
  let groups = 0;
  let records = 0;
  return {
    get commits() {
      return groups;
    },
    get records() {
      return records;
    },
    flushDurations,
    recordCommit(count) {
      groups++;
      records += count;
    },
    timeFlush: (wait) => async () => {
      const begun = performance.now();
      await wait();
      flushDurations.add(performance.now() - begun);
    },
  };
}
