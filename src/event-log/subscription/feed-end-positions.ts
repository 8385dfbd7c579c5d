import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { EventLog } from '../port/event-log.ts';
import type { RecordFeed } from './record-feed.ts';

interface FeedEndPositionsParts {
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  /** The feed's partition for records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  /** Whether the feed is known to be away. */
  readonly isUnavailable: () => boolean;
}

/** The number of records in one read of the log. If more were appended, the next call reads the rest. */
const PAGE = 1000;

/**
 * Returns the end positions of a feed's partitions. While the feed is away, they are computed from the records that
 * were appended to the log meanwhile.
 * @returns a function that rejects with UnavailableError until the feed has answered once
 */
export function createFeedEndPositions({
  feed,
  log,
  partitionOf,
  isUnavailable,
}: FeedEndPositionsParts): RecordFeed['endPositions'] {
  let known: Map<string, Position | null> | undefined;
  /** `known` covers all records up to here. */
  let coveredUpTo: Position | null = null;

  async function ask(): Promise<Map<string, Position | null>> {
    // Read the head before the ends, so that the ends cover all records up to it.
    const head = await log.head();
    known = new Map(await feed.endPositions());
    coveredUpTo = head;
    return new Map(known);
  }

  return async () => {
    if (!known) return ask();
    if (!isUnavailable()) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
      }
    }
    for (const { meta, position } of await log.readAll(coveredUpTo, PAGE)) {
      const partition = partitionOf(meta.partition);
      if (isBefore(known.get(partition) ?? null, position)) known.set(partition, position);
      coveredUpTo = position;
    }
    return new Map(known);
  };
}
