import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';

/**
 * Records that were announced and not yet delivered, in order of position, at most `limit`.
 * When more come it drops them all: they are in the log, and will be read from there.
 */
interface LiveBuffer {
  readonly size: number;
  /**
   * @param previous position of the record before the first of these (null: they begin the log); absent: unknown
   * @returns false when it had to drop
   */
  push(records: readonly LogRecord[], previous?: Position | null): boolean;
  /** Forgets records up to `position`, then takes the run that follows it with no record between, at most `count`. */
  takeNext(position: Position | null, count: number): LogRecord[];
  clear(): void;
}

export function createLiveBuffer(limit: number): LiveBuffer {
  let buffered: LogRecord[] = [];
  /** For each of them, what comes before it in the log. Positions may have gaps: only by this is it known to be next. */
  let befores: (Position | null | undefined)[] = [];
  let last: Position | null = null;

  function clear(): void {
    buffered = [];
    befores = [];
  }

  /** Nothing lies between `position` and the record at this place of the buffer. */
  function follows(position: Position | null, place: number): boolean {
    const before = befores[place];
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
        // Announced twice, or late. What is lost by this is a gap, and gaps are read from the log.
        if (isBefore(last, position)) {
          if (buffered.length >= limit) {
            clear();
            return false;
          }
          buffered.push(record);
          befores.push(before);
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
      befores = befores.slice(to);
      return taken;
    },
    clear,
  };
}
