import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { EventLog } from '../port/event-log.ts';
import type { RecordFeed } from './record-feed.ts';

interface FeedEndPositionsParts {
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  /** The feed's partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
  /** Whether it is known that the feed cannot be asked. */
  readonly isUnavailable: () => boolean;
}

/** Records that are read of the log at once. Where more were appended, the rest is found the next time. */
const PAGE = 1000;

/**
 * Where the partitions of a feed end, also while the feed is away: then by what was appended to the log since it was there.
 * @returns what rejects with Unavailable as long as the feed has never been there
 */
export function createFeedEndPositions({
  feed,
  log,
  partitionOf,
  isUnavailable,
}: FeedEndPositionsParts): RecordFeed['endPositions'] {
  let known: Map<string, Position | null> | undefined;
  /** Everything up to here is in what is known. */
  let to: Position | null = null;

  async function ask(): Promise<Map<string, Position | null>> {
    // Before the ends, which then lack nothing up to it.
    const head = await log.head();
    known = new Map(await feed.endPositions());
    to = head;
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
    for (const { meta, position } of await log.readAll(to, PAGE)) {
      const partition = partitionOf(meta.partition);
      if (isBefore(known.get(partition) ?? null, position)) known.set(partition, position);
      to = position;
    }
    return new Map(known);
  };
}
