import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
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
  readonly reader: Pick<EventStoreReader, 'readSomeEvents' | 'readEventAt'>;
  /** Called with each event that a poll reads. */
  readonly onEvent: (event: AllStreamRecordedEvent) => void;
  /** Called with the position of the last record of the log; null: the log is empty. */
  readonly onEnd?: (last: Position | null) => void;
  /** Whether a subscription sees all events already. */
  readonly isFollowing: () => boolean;
  readonly elapsed?: () => number;
  readonly setTimer?: SetTimer;
}

/** The last record that was appended to a partition, and how many records since the last poll. */
interface Unseen {
  readonly position: Position;
  readonly records: number;
}

/**
 * If this process has seen nothing of the end of the log for this long, it polls before an append, because other
 * processes append too.
 */
const POLL_AFTER_MS = 1000;
/** How long appends are gathered before a poll in the background. An append that needs the times polls at once. */
const GATHER_MS = 25;
/**
 * The maximum number of events that a poll reads backwards. If more was appended meanwhile, the leader's clock keeps
 * the order.
 */
const MAX_EVENTS_PER_POLL = 2000;
/**
 * The maximum number of events in one read. If this process has appended more, the last record of each partition is
 * read by itself, instead of everything between them.
 */
const MAX_EVENTS_PER_READ = 200;
/** Other processes append meanwhile. */
const SPARE = 8;

/** One poll covers all appends that were made before it began, so many appends cost one read. */
export function createAppendTimes(parts: AppendTimesParts): AppendTimes {
  const {
    reader,
    onEvent,
    onEnd = () => {},
    isFollowing,
    elapsed = () => performance.now(),
    setTimer = realTimer,
  } = parts;
  /** By partition: what was appended and whose time is not known. */
  let unseen = new Map<string, Unseen>();
  /** What the current poll looks for. */
  let soughtByPoll: ReadonlyMap<string, Unseen> = new Map();
  let currentPoll: Promise<void> | undefined;
  let currentLook: Promise<void> | undefined;
  let isScheduled = false;
  let polledAt = Number.NEGATIVE_INFINITY;
  /** All events up to here have been seen. */
  let seenUpTo: Position | null = null;

  async function poll(): Promise<void> {
    const sought = unseen;
    unseen = new Map();
    soughtByPoll = sought;
    const all = [...sought.values()];
    const records = all.reduce((sum, one) => sum + one.records, 0);
    try {
      if (records > MAX_EVENTS_PER_READ) await readEach(all);
      else await readBackTo(firstOf(all), records + SPARE);
    } catch (error) {
      for (const [partition, position] of sought) if (!unseen.has(partition)) unseen.set(partition, position);
      throw error;
    } finally {
      soughtByPoll = new Map();
    }
  }

  async function readEach(sought: readonly Unseen[]): Promise<void> {
    const events = await Promise.all(sought.map(({ position }) => reader.readEventAt(position)));
    for (const event of events) if (event) onEvent(event);
  }

  /** Reads backwards from the end of the log to this position; null: its last event only. */
  async function readBackTo(first: Position | null, size: number): Promise<void> {
    let readTo: Position | null = null;
    for (let count = 0; count < MAX_EVENTS_PER_POLL; count += size) {
      const events = await reader.readSomeEvents('backwards', readTo, first === null ? 1 : size);
      if (readTo === null) onEnd(events[0] ? positionOfEvent(events[0]) : null);
      for (const event of events) onEvent(event);
      const last = events.at(-1);
      if (!last || first === null) break;
      readTo = positionOfEvent(last);
      if (!isBefore(first, readTo)) break;
    }
    polledAt = elapsed();
  }

  function lookAtEnd(): Promise<void> {
    currentLook ??= readBackTo(null, 1).finally(() => {
      currentLook = undefined;
    });
    return currentLook;
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
    setTimer(() => {
      isScheduled = false;
      // If this poll fails, the next append polls again.
      if (unseen.size > 0) pollOnce().catch(() => {});
    }, GATHER_MS);
  }

  return {
    noteAppended(partition, position, count) {
      // An event may be seen before its append is answered.
      if (!isBefore(seenUpTo, position)) return;
      const before = unseen.get(partition);
      const last = before && !isBefore(before.position, position) ? before.position : position;
      unseen.set(partition, { position: last, records: count + (before?.records ?? 0) });
      schedule();
    },
    async waitUntilKnown(partition) {
      // Another append may have begun the poll that seeks this partition.
      while (unseen.has(partition) || soughtByPoll.has(partition)) await pollOnce();
      if (elapsed() - polledAt > POLL_AFTER_MS) await lookAtEnd();
    },
    noteSeenUpTo(position) {
      seenUpTo = position;
      polledAt = elapsed();
      for (const [partition, own] of unseen) if (!isBefore(position, own.position)) unseen.delete(partition);
    },
  };
}

function firstOf(sought: readonly Unseen[]): Position | null {
  let first: Position | null = null;
  for (const { position } of sought) if (first === null || isBefore(position, first)) first = position;
  return first;
}
