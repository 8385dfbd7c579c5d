/** Between the beginnings of two backups, at most. */
const EVERY_MS = 3000;
/**
 * What is committed just after one has begun is safe when the next one has ended. That is to be sooner than the five
 * seconds that may be lost, with some room for a process that gets its turn late.
 */
const SAFE_MS = 4500;
/** The next one may take so many times as long as the longest of the last ones. */
const SLOWER = 2;
const REMEMBERED = 5;
/** After the first try that failed; each further one doubles it. */
const AGAIN_MS = 1000;
const AGAIN_AT_MOST_MS = 5000;

/** When a backup is due. All times are milliseconds. */
export interface CaptureSchedule {
  /** One has gone well. @param took from its beginning to its end */
  done(took: number): void;
  /** One has failed. @returns how long to wait before the next try */
  failed(): number;
  /** From the beginning of the last one to that of the next: less where they have been slow. */
  interval(): number;
}

export function createCaptureSchedule(): CaptureSchedule {
  let took: readonly number[] = [];
  let failures = 0;
  return {
    done(milliseconds) {
      took = [...took.slice(1 - REMEMBERED), milliseconds];
      failures = 0;
    },
    failed: () => Math.min(AGAIN_AT_MOST_MS, AGAIN_MS * 2 ** failures++),
    interval: () => Math.max(0, Math.min(EVERY_MS, SAFE_MS - SLOWER * Math.max(0, ...took))),
  };
}
