import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { positionOfEvent } from './eventstore-events.ts';
import type { EventStoreReader } from './eventstore-reader.ts';

/** Looks for the times at which this process's own appends were recorded: the engine does not tell whoever appends. */
export interface AppendTimes {
  /** So many records of this partition, the last of them at this position, were appended. */
  noteAppended(partition: string, position: Position, count: number): void;
  /** Resolves when the times of what was appended to the partition are known, and those at the end of the log. */
  waitUntilKnown(partition: string): Promise<void>;
  /** This event was seen, in the order of the log, with all before it. */
  noteSeenUpTo(position: Position): void;
}

interface AppendTimesParts {
  readonly reader: EventStoreReader;
  /** Is told each event that is looked at. */
  readonly onEvent: (event: AllStreamRecordedEvent) => void;
  /** Whether all events come by anyhow. */
  readonly isFollowing: () => boolean;
  readonly elapsed?: () => number;
}

/** Whoever has seen nothing of the end of the log for so long looks at it before an append: others append, too. */
const LOOK_AFTER_MS = 1000;
/** No further back than so many events: who writes so much meanwhile has the leader's clock to thank for the order. */
const FURTHEST = 2000;
/** Of one read, where so many were appended; others append meanwhile. */
const PIECE = 200;
const SPARE = 8;

/** One look covers all that was appended until it begins, so that many appends cost one read. */
export function createAppendTimes(parts: AppendTimesParts): AppendTimes {
  const { reader, onEvent, isFollowing, elapsed = () => performance.now() } = parts;
  /** By partition, the last position whose time is not known. */
  let unseen = new Map<string, Position>();
  let unseenRecords = 0;
  /** Those that the look under way looks for. */
  let soughtNow: ReadonlyMap<string, Position> = new Map();
  let looking: Promise<void> | undefined;
  let isScheduled = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Up to it all has been seen. */
  let passedTo: Position | null = null;

  async function look(): Promise<void> {
    const sought = unseen;
    const size = Math.min(unseenRecords + SPARE, PIECE);
    unseen = new Map();
    unseenRecords = 0;
    soughtNow = sought;
    let first: Position | null = null;
    for (const position of sought.values()) if (first === null || isBefore(position, first)) first = position;
    try {
      let place: Position | null = null;
      for (let count = 0; count < FURTHEST; count += size) {
        const events = await reader.readSomeEvents('backwards', place, first === null ? 1 : size);
        for (const event of events) onEvent(event);
        const last = events.at(-1);
        if (!last || first === null) break;
        place = positionOfEvent(last);
        if (!isBefore(first, place)) break;
      }
      lookedAt = elapsed();
    } catch (error) {
      for (const [partition, position] of sought) if (!unseen.has(partition)) unseen.set(partition, position);
      throw error;
    } finally {
      soughtNow = new Map();
    }
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /** In the background, so that the next append need not wait. */
  function schedule(): void {
    if (isScheduled || isFollowing()) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      // The next append looks for itself.
      if (unseen.size > 0) lookOnce().catch(() => {});
    });
  }

  return {
    noteAppended(partition, position, count) {
      // Events may come by before their append is answered.
      if (!isBefore(passedTo, position)) return;
      const before = unseen.get(partition) ?? null;
      if (isBefore(before, position)) unseen.set(partition, position);
      unseenRecords += count;
      schedule();
    },
    async waitUntilKnown(partition) {
      if (soughtNow.has(partition)) await looking;
      while (unseen.has(partition) || elapsed() - lookedAt > LOOK_AFTER_MS) await lookOnce();
    },
    noteSeenUpTo(position) {
      passedTo = position;
      lookedAt = elapsed();
      for (const [partition, own] of unseen) if (!isBefore(position, own)) unseen.delete(partition);
    },
  };
}
