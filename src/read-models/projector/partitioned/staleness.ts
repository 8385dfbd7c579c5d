import { isBefore, type PartitionPositions, type Position } from '../../../domain/event-sourcing/position.ts';

/** End of the log by partition. */
export type LogEnds = ReadonlyMap<string, Position | null>;

/** The age of the readable documents: since when something has been missing in them. */
interface Staleness {
  /**
   * @param at when the ends were read, in milliseconds of a monotonic clock
   * @param positions positions of each projection in its partitions, read after the ends
   */
  recordPoll(at: number, ends: LogEnds, positions: readonly ProjectionPositions[]): void;
  /** Milliseconds; 0 if nothing was missing at the last poll. */
  age(now: number): number;
}

export interface ProjectionPositions {
  /** Partitions of the log that the projection is folded from. */
  readonly partitions: Iterable<string>;
  readonly at: PartitionPositions | undefined;
}

/** Number of remembered polls. Beyond it every second poll is forgotten, and reported ages are a little too small. */
const MAX_REMEMBERED_POLLS = 64;

/** The age counts from the first poll that saw a log end which is still missing in the documents. So it is never too
 *  large, whichever clocks recorded the events. A position that no record has does not make documents old. */
export function createStaleness(): Staleness {
  let missingPolls: { readonly at: number; readonly ends: LogEnds }[] = [];

  return {
    recordPoll(at, ends, positions) {
      const isShown = (wanted: LogEnds) =>
        positions.every(({ partitions, at: own }) =>
          [...partitions].every((partition) => !isBefore(own?.get(partition) ?? null, wanted.get(partition) ?? null)),
        );
      missingPolls.push({ at, ends });
      // Later polls saw everything that an earlier one saw.
      while (missingPolls.length > 0 && isShown(missingPolls[0]!.ends)) missingPolls.shift();
      if (missingPolls.length > MAX_REMEMBERED_POLLS) missingPolls = missingPolls.filter((_, index) => index % 2 === 0);
    },
    age: (now) => (missingPolls.length === 0 ? 0 : now - missingPolls[0]!.at),
  };
}
