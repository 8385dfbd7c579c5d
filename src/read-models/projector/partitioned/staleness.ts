import { isBefore, type PartitionPositions, type Position } from '../../../domain/event-sourcing/position.ts';

/** Where the log ends, by partition. */
export type LogEnds = ReadonlyMap<string, Position | null>;

/** How old the documents are that can be read: since when something has been missing in them. */
interface Staleness {
  /**
   * @param at when the ends were looked up, in milliseconds of a clock that never goes back
   * @param places where each projection stood after that, for the partitions that it has
   */
  recordPoll(at: number, ends: LogEnds, places: readonly ProjectionPositions[]): void;
  /** Milliseconds; 0: nothing was missing at the last look. */
  age(now: number): number;
}

export interface ProjectionPositions {
  /** Partitions of the log that the projection is folded from. */
  readonly partitions: Iterable<string>;
  readonly at: PartitionPositions | undefined;
}

/** Looks that are remembered. Of more, every second one is forgotten: then ages are told a little too small. */
const MAX_REMEMBERED_POLLS = 64;

/**
 * The age is that of the first look at which something stood in the log that is missing until now. So it is never told
 * too great, whatever clocks recorded the facts, and nothing that was never written makes documents old.
 */
export function createStaleness(): Staleness {
  let unseen: { readonly at: number; readonly ends: LogEnds }[] = [];

  return {
    recordPoll(at, ends, places) {
      const isShown = (wanted: LogEnds) =>
        places.every(({ partitions, at: own }) =>
          [...partitions].every((partition) => !isBefore(own?.get(partition) ?? null, wanted.get(partition) ?? null)),
        );
      unseen.push({ at, ends });
      // What a look saw, later ones saw too.
      while (unseen.length > 0 && isShown(unseen[0]!.ends)) unseen.shift();
      if (unseen.length > MAX_REMEMBERED_POLLS) unseen = unseen.filter((_, place) => place % 2 === 0);
    },
    age: (now) => (unseen.length === 0 ? 0 : now - unseen[0]!.at),
  };
}
