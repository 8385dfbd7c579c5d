import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';

/**
 * Announced records that are not delivered yet, in order of position, at most `limit`. On overflow the buffer drops
 * them all; they are then read from the log.
 */
interface LiveBuffer {
  readonly size: number;
  /**
   * @param previous position of the record before the first of these; null: they begin the log; absent: unknown
   * @returns false if the buffer overflowed
   */
  push(records: readonly LogRecord[], previous?: Position | null): boolean;
  /** Drops the records up to `position`, then takes at most `count` records that follow it without a gap. */
  takeNext(position: Position | null, count: number): LogRecord[];
  clear(): void;
}

export function createLiveBuffer(limit: number): LiveBuffer {
  let buffered: LogRecord[] = [];
  /**
   * For each buffered record, the position before it in the log. Positions may have gaps, so only this shows that a
   * record is the next one.
   */
  let previousPositions: (Position | null | undefined)[] = [];
  let last: Position | null = null;

  function clear(): void {
    buffered = [];
    previousPositions = [];
  }

  /** Whether no record lies between `position` and the buffered record at `index`. */
  function follows(position: Position | null, index: number): boolean {
    const before = previousPositions[index];
    return before !== undefined && !isBefore(position, before);
  }

  return {
    get size() {
      return buffered.length;
    },
    push(records, previous) {
      let before = previous;
      for (const record of records) {
        const { position } = record;
        // Skip a record that was announced twice or late. A skipped record is a gap, and gaps are read from the log.
        if (isBefore(last, position)) {
          if (buffered.length >= limit) {
            clear();
            return false;
          }
          buffered.push(record);
          previousPositions.push(before);
          last = position;
        }
        before = position;
      }
      return true;
    },
    takeNext(position, count) {
      let from = 0;
      while (from < buffered.length && !isBefore(position, buffered[from]!.position)) from++;
      let to = from;
      for (let at = position; to < buffered.length && to - from < count && follows(at, to); to++) {
        at = buffered[to]!.position;
      }
      if (to === 0) return [];
      const taken = buffered.slice(from, to);
      buffered = buffered.slice(to);
      previousPositions = previousPositions.slice(to);
      return taken;
    },
    clear,
  };
}
