import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { positionOfEvent } from './eventstore-events.ts';
import type { EventStoreReader } from './eventstore-reader.ts';

/** Finds out when this process's own appends were recorded. The engine does not return the time of an append. */
export interface AppendTimes {
  /** `count` records of this partition were appended. The last one has this position. */
  noteAppended(partition: string, position: Position, count: number): void;
  /**
   * Resolves when the recorded times of all appends to the partition are known, and the times at the end of the log.
   */
  waitUntilKnown(partition: string): Promise<void>;
  /** All events up to this position were seen, in the order of the log. */
  noteSeenUpTo(position: Position): void;
}

interface AppendTimesParts {
  readonly reader: EventStoreReader;
  /** Called with each event that a poll reads. */
  readonly onEvent: (event: AllStreamRecordedEvent) => void;
  /** Whether a subscription sees all events already. */
  readonly isFollowing: () => boolean;
  readonly elapsed?: () => number;
}

/**
 * If this process has seen nothing of the end of the log for this long, it polls before an append, because other
 * processes append too.
 */
const POLL_AFTER_MS = 1000;
/**
 * The maximum number of events that a poll reads backwards. If more was appended meanwhile, the leader's clock keeps
 * the order.
 */
const MAX_EVENTS_PER_POLL = 2000;
/** The maximum number of events in one read. Other processes append meanwhile, hence SPARE. */
const MAX_EVENTS_PER_READ = 200;
const SPARE = 8;

/** One poll covers all appends that were made before it began, so many appends cost one read. */
export function createAppendTimes(parts: AppendTimesParts): AppendTimes {
  const { reader, onEvent, isFollowing, elapsed = () => performance.now() } = parts;
  /** By partition: the last position whose time is not known. */
  let unseen = new Map<string, Position>();
  let unseenRecords = 0;
  /** The positions that the current poll looks for. */
  let soughtByPoll: ReadonlyMap<string, Position> = new Map();
  let currentPoll: Promise<void> | undefined;
  let isScheduled = false;
  let polledAt = Number.NEGATIVE_INFINITY;
  /** All events up to here have been seen. */
  let seenUpTo: Position | null = null;

  async function poll(): Promise<void> {
    const sought = unseen;
    const size = Math.min(unseenRecords + SPARE, MAX_EVENTS_PER_READ);
    unseen = new Map();
    unseenRecords = 0;
    soughtByPoll = sought;
    let first: Position | null = null;
    for (const position of sought.values()) if (first === null || isBefore(position, first)) first = position;
    try {
      let readTo: Position | null = null;
      for (let count = 0; count < MAX_EVENTS_PER_POLL; count += size) {
        const events = await reader.readSomeEvents('backwards', readTo, first === null ? 1 : size);
        for (const event of events) onEvent(event);
        const last = events.at(-1);
        if (!last || first === null) break;
        readTo = positionOfEvent(last);
        if (!isBefore(first, readTo)) break;
      }
      polledAt = elapsed();
    } catch (error) {
      for (const [partition, position] of sought) if (!unseen.has(partition)) unseen.set(partition, position);
      throw error;
    } finally {
      soughtByPoll = new Map();
    }
  }

  function pollOnce(): Promise<void> {
    currentPoll ??= poll().finally(() => {
      currentPoll = undefined;
    });
    return currentPoll;
  }

  /** Polls in the background, so that the next append need not wait. */
  function schedule(): void {
    if (isScheduled || isFollowing()) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      // If this poll fails, the next append polls again.
      if (unseen.size > 0) pollOnce().catch(() => {});
    });
  }

  return {
    noteAppended(partition, position, count) {
      // An event may be seen before its append is answered.
      if (!isBefore(seenUpTo, position)) return;
      const before = unseen.get(partition) ?? null;
      if (isBefore(before, position)) unseen.set(partition, position);
      unseenRecords += count;
      schedule();
    },
    async waitUntilKnown(partition) {
      if (soughtByPoll.has(partition)) await currentPoll;
      while (unseen.has(partition) || elapsed() - polledAt > POLL_AFTER_MS) await pollOnce();
    },
    noteSeenUpTo(position) {
      seenUpTo = position;
      polledAt = elapsed();
      for (const [partition, own] of unseen) if (!isBefore(position, own)) unseen.delete(partition);
    },
  };
}
