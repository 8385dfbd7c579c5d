import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { createDelay } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { type ChangeCursor, cursorAfter, isAfterCursor } from '../../read-models/change-feed/change-cursor.ts';
import { type ChangeFilter, filterKey, matchesFilter } from '../../read-models/change-feed/change-filter.ts';
import { changeSize, type EncodedChange, encodeChanges } from '../../read-models/change-feed/encoded-change.ts';
import { MAPPED_RECORD_TYPES, type MapRecords } from '../../read-models/change-feed/record-mapper.ts';

interface ChangeHubParts {
  readonly feed: RecordFeed;
  /** For this hub alone: the hub calls it for one batch after another. */
  readonly mapChanges: MapRecords;
  readonly setTimer: SetTimer;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly onError: (error: unknown) => void;
  /** Memory for recent changes, for readers slightly behind; default 1 MiB. */
  readonly recentBytes?: number;
}

/** A stream that gets changes as they are recorded. */
interface ChangeReader {
  readonly filter: ChangeFilter;
  /** Gets the messages of further changes, in order, and the cursor after them. */
  receive(messages: Buffer, next: ChangeCursor): void;
  /** Nothing up to this cursor passes the filter. */
  skipTo(next: ChangeCursor): void;
  /** The hub has failed: nothing follows. */
  failed(): void;
}

/**
 * One subscription of the log for all change streams, from the first opening to the last end. Messages are encoded
 * once, and readers with equal filters share the bytes.
 */
export interface ChangeHub {
  /** Keeps the hub running; resolves when it has a position in the log. @returns releases the hub */
  acquire(): Promise<() => void>;
  /** Everything up to here was delivered to readers. */
  readonly position: bigint;
  /**
   * From now on the reader gets every change after its cursor; recent ones at once.
   * @returns leaves the hub; undefined if the cursor is too old: then read from the log up to `position` first
   */
  join(reader: ChangeReader, cursor: ChangeCursor): (() => void) | undefined;
  readonly isFollowing: boolean;
  readonly size: () => CacheSize;
  readonly follower: () => FollowerStatus;
  /** Resolves when the hub no longer uses the log. Readers are not informed. */
  close(): Promise<void>;
}

const BATCH = 500;
/** Buffered references to announced records. More than the commits of a bulk import. */
const BUFFER_LIMIT = 20_000;
/** A reader that joins gets these in one write: no more than may be unread. */
const RECENT_BYTES = 1024 * 1024;
/** The longest time for which a change waits to share a write, in milliseconds. */
const MAX_WAIT = 20;
/** After a write the hub rests for so many times the write's duration. */
const REST_FACTOR = 2;

interface JoinedReader {
  readonly reader: ChangeReader;
  /** The reader already has everything up to this cursor; undefined once it is passed. */
  ahead: ChangeCursor | undefined;
}

interface FilterGroup {
  readonly filter: ChangeFilter;
  readonly readers: Set<JoinedReader>;
}

/** The changes of one message of the feed. */
interface Batch {
  readonly changes: readonly EncodedChange[];
  readonly upTo: bigint;
  readonly bytes: number;
}

export function createChangeHub(parts: ChangeHubParts): ChangeHub {
  const { feed, mapChanges, setTimer, steadyNow, onError, recentBytes = RECENT_BYTES } = parts;
  const groups = new Map<string, FilterGroup>();
  const running = new Set<Promise<void>>();
  let holders = 0;
  let following: { readonly started: Promise<void>; readonly controller: AbortController } | undefined;
  let closed = false;
  let state: FollowerStatus['state'] = 'idle';
  /** Encoded, but not written yet. */
  let waiting: Batch[] = [];
  let cancelWrite: (() => void) | undefined;
  /** When the next write is allowed. */
  let restsUntil = 0;
  /** Written batches, the oldest first; they start after `recentFrom`. */
  let recent: Batch[] = [];
  let recentSize = 0;
  let recentFrom = 0n;
  /** Everything up to `encodedTo` is encoded, everything up to `writtenTo` is written. */
  let encodedTo = 0n;
  let writtenTo = 0n;

  function begin(end: bigint): void {
    recent = [];
    recentSize = 0;
    waiting = [];
    recentFrom = end;
    encodedTo = end;
    writtenTo = end;
    state = 'catching-up';
  }

  function start(): NonNullable<typeof following> {
    const controller = new AbortController();
    const { signal } = controller;
    const started = feed.endPositions().then((ends) => {
      if (signal.aborted) return;
      begin([...ends.values()].reduce<bigint>((latest, end) => (end !== null && end > latest ? end : latest), 0n));
    });
    const run = started
      .then(
        () => followFeed(signal),
        // Openings that await `started` reject with this error.
        () => {},
      )
      // A record that this version cannot decode ends the hub.
      .catch((error: unknown) => {
        if (signal.aborted) return;
        state = 'stopped';
        onError(error);
        following = undefined;
        for (const { reader } of [...groups.values()].flatMap(({ readers }) => [...readers])) reader.failed();
      })
      .finally(() => running.delete(run));
    running.add(run);
    return { started, controller };
  }

  function followFeed(signal: AbortSignal): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => MAPPED_RECORD_TYPES.has(type);
    const after = () => encodedTo as Position;
    const reading = { readers: 'all', after, isUrgent, setTimer, batchSize: BATCH, bufferLimit: BUFFER_LIMIT } as const;
    const options = { ...reading, types: MAPPED_RECORD_TYPES, signal, delay: createDelay(setTimer), onRetry: onError };
    return followRecordFeed(feed, options, async (message) => {
      if (signal.aborted) return;
      if (message.kind !== 'records') {
        state = message.kind === 'caught-up' ? 'live' : 'catching-up';
        return;
      }
      const changes = message.records.length > 0 ? encodeChanges(await mapChanges(message.records, everything)) : [];
      if (signal.aborted) return;
      encodedTo = message.position;
      queue({ changes, upTo: message.position, bytes: changes.reduce((sum, one) => sum + changeSize(one), 0) });
    });
  }

  function queue(batch: Batch): void {
    waiting.push(batch);
    if (batch.changes.length === 0 || cancelWrite) return;
    const rest = restsUntil - steadyNow();
    if (rest <= 0) write();
    else cancelWrite = setTimer(write, rest);
  }

  /**
   * Writes the waiting batches to all readers. Many small writes to many readers would take all of the time, so a rest
   * follows in which changes accumulate.
   */
  function write(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    if (waiting.length === 0) return;
    const begun = steadyNow();
    const batches = waiting;
    waiting = [];
    writtenTo = batches.at(-1)!.upTo;
    for (const batch of batches) remember(batch);
    const changes = batches.flatMap((batch) => batch.changes);
    const next = cursorAfter(writtenTo);
    for (const { filter, readers } of [...groups.values()]) {
      const messages = messagesFor(filter, changes);
      for (const joined of [...readers])
        deliver(joined, joined.ahead ? messagesFor(filter, changes, joined.ahead) : messages, next);
    }
    const ended = steadyNow();
    restsUntil = ended + Math.min(MAX_WAIT, (ended - begun) * REST_FACTOR);
  }

  function remember(batch: Batch): void {
    const last = recent.at(-1);
    // An empty batch only moves the position.
    if (batch.changes.length === 0 && last) recent[recent.length - 1] = { ...last, upTo: batch.upTo };
    else recent.push(batch);
    recentSize += batch.bytes;
    while (recentSize > recentBytes && recent.length > 1) {
      const oldest = recent.shift()!;
      recentSize -= oldest.bytes;
      recentFrom = oldest.upTo;
    }
  }

  function deliver(joined: JoinedReader, messages: Buffer | undefined, next: ChangeCursor): void {
    const { reader, ahead } = joined;
    if (ahead && ahead.position > next.position) return;
    joined.ahead = undefined;
    try {
      if (messages) reader.receive(messages, next);
      else reader.skipTo(next);
    } catch (error) {
      // A failing reader must not affect the others.
      onError(error);
    }
  }

  function stopFollowing(): void {
    following?.controller.abort();
    following = undefined;
    cancelWrite?.();
    cancelWrite = undefined;
    waiting = [];
    recent = [];
    recentSize = 0;
    state = 'idle';
  }

  return {
    async acquire() {
      if (closed) throw new Error('the change hub is closed');
      holders++;
      let isHeld = true;
      const release = () => {
        if (!isHeld) return;
        isHeld = false;
        holders--;
        if (holders === 0) stopFollowing();
      };
      following ??= start();
      try {
        await following.started;
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    get position() {
      return writtenTo;
    },
    join(reader, cursor) {
      // Waiting batches must be written first: the reader gets all recent ones now, and would get them twice.
      write();
      if (cursor.position < recentFrom || (cursor.position === recentFrom && cursor.index !== undefined))
        return undefined;
      const { filter } = reader;
      const joined: JoinedReader = { reader, ahead: cursor.position > writtenTo ? cursor : undefined };
      if (!joined.ahead) {
        const missed = recent.filter(({ upTo }) => upTo >= cursor.position).flatMap(({ changes }) => changes);
        deliver(joined, messagesFor(filter, missed, cursor), cursorAfter(writtenTo));
      }
      const name = filterKey(filter);
      const group = groups.get(name) ?? { filter, readers: new Set() };
      groups.set(name, group);
      group.readers.add(joined);
      return () => {
        group.readers.delete(joined);
        if (group.readers.size === 0 && groups.get(name) === group) groups.delete(name);
      };
    },
    get isFollowing() {
      return following !== undefined;
    },
    size: () => ({ bytes: recentSize, limit: recentBytes }),
    follower: () => ({ name: 'change-streams', position: following ? (encodedTo as Position) : null, state }),
    async close() {
      closed = true;
      stopFollowing();
      await Promise.all(running);
    },
  };
}

const everything = (): boolean => true;

/** Undefined if no change passes the filter. */
function messagesFor(
  filter: ChangeFilter,
  changes: readonly EncodedChange[],
  after?: ChangeCursor,
): Buffer | undefined {
  const some = changes.filter((change) => matchesFilter(filter, change) && (!after || isAfterCursor(after, change)));
  return some.length === 0 ? undefined : Buffer.concat(some.map(({ message }) => message));
}
