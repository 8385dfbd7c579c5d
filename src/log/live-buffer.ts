import type { LogRecord } from '../domain/record.ts';

/**
 * Records that were announced and not yet delivered, in order of position, at most `limit`.
 * When more come it drops them all: they are in the log, and will be read from there.
 */
export interface LiveBuffer {
  readonly size: number;
  /** False when it had to drop. */
  push(records: readonly LogRecord[]): boolean;
  /** Forgets records up to `position`, then takes the run that follows it with no position between, at most `count`. */
  takeNext(position: bigint | null, count: number): LogRecord[];
  clear(): void;
}

export function createLiveBuffer(limit: number): LiveBuffer {
  let buffered: LogRecord[] = [];
  let last: bigint | null = null;
  return {
    get size() {
      return buffered.length;
    },
    push(records) {
      for (const record of records) {
        // Announced twice, or late. What is lost by this is a gap, and gaps are read from the log.
        if (last !== null && record.position <= last) continue;
        if (buffered.length >= limit) {
          buffered = [];
          return false;
        }
        buffered.push(record);
        last = record.position;
      }
      return true;
    },
    takeNext(position, count) {
      if (position === null || buffered.length === 0) return [];
      let from = 0;
      while (from < buffered.length && buffered[from]!.position <= position) from++;
      let to = from;
      while (to < buffered.length && to - from < count && buffered[to]!.position === position + BigInt(to - from + 1)) {
        to++;
      }
      const taken = buffered.slice(from, to);
      buffered = buffered.slice(to);
      return taken;
    },
    clear() {
      buffered = [];
    },
  };
}
