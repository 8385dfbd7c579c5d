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
  /** For the hub alone: it asks for one batch after another. */
  readonly mapChanges: MapRecords;
  readonly setTimer: SetTimer;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** What went wrong. */
  readonly onError: (error: unknown) => void;
  /** How much of what was told last is kept for those who are a little behind; default 1 MiB. */
  readonly recentBytes?: number;
}

/** Who gets changes as they come. */
interface ChangeReader {
  readonly filter: ChangeFilter;
  /** The messages of changes behind all that it has got, in order, and the cursor behind them. */
  receive(messages: Buffer, behind: ChangeCursor): void;
  /** All up to here was nothing for it. */
  skipTo(behind: ChangeCursor): void;
  /** Nothing more can be told. */
  failed(): void;
}

/**
 * One subscription of the log for all wide streams, from the first one's opening to the last one's end. What it tells it
 * makes once; readers with one filter share the bytes.
 */
export interface ChangeHub {
  /** Keeps the hub at work; resolves when it has a place in the log. @returns ends that */
  acquire(): Promise<() => void>;
  /** Up to it the hub has told what there is. */
  readonly position: bigint;
  /**
   * From here on a reader gets all that comes behind its cursor, and at once what has come already.
   * @returns what ends that; undefined where the cursor is too far back: up to `place` it is to be read from the log
   */
  join(reader: ChangeReader, cursor: ChangeCursor): (() => void) | undefined;
  readonly isFollowing: boolean;
  readonly size: () => CacheSize;
  readonly follower: () => FollowerStatus;
  /** Resolves when nothing here uses the log any more. Readers are told nothing. */
  close(): Promise<void>;
}

const BATCH = 500;
/** Of references to records that the log has announced anyway. More than the commits of a bulk import. */
const BUFFER_LIMIT = 20_000;
/** What joins gets it in one write: no more than may wait for a reader. */
const RECENT_BYTES = 1024 * 1024;
/** The longest that a change waits for others to share a write with, in milliseconds. */
const LONGEST_WAIT = 20;
/** Writing to everybody takes at most about this part of the time. */
const REST_FACTOR = 2;

interface JoinedReader {
  readonly reader: ChangeReader;
  /** It has got what comes up to there already; undefined once that is passed. */
  ahead: ChangeCursor | undefined;
}

interface FilterGroup {
  readonly filter: ChangeFilter;
  readonly readers: Set<JoinedReader>;
}

/** What one message of the feed has brought. */
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
  /** Told, and not yet written. */
  let waiting: Batch[] = [];
  let cancelWrite: (() => void) | undefined;
  /** When everybody may be written to again. */
  let restsUntil = 0;
  /** Written, the oldest first; what comes before it is behind `recentFrom`. */
  let recent: Batch[] = [];
  let recentSize = 0;
  let recentFrom = 0n;
  /** Up to it all is told; and up to it all is written. */
  let toldTo = 0n;
  let place = 0n;

  function begin(end: bigint): void {
    recent = [];
    recentSize = 0;
    waiting = [];
    recentFrom = end;
    toldTo = end;
    place = end;
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
        // The openings that wait for it reject with this error.
        () => {},
      )
      // A record that this code cannot read ends it.
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
    const after = () => toldTo as Position;
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
      toldTo = message.position;
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

  /** Writes what waits to everybody. Many small writes to many readers would take all of the time: so it then rests, in
   *  which more can gather. */
  function write(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    if (waiting.length === 0) return;
    const begun = steadyNow();
    const batches = waiting;
    waiting = [];
    place = batches.at(-1)!.upTo;
    for (const batch of batches) remember(batch);
    const changes = batches.flatMap((batch) => batch.changes);
    const behind = cursorAfter(place);
    for (const { filter, readers } of [...groups.values()]) {
      const messages = messagesFor(filter, changes);
      for (const joined of [...readers])
        deliver(joined, joined.ahead ? messagesFor(filter, changes, joined.ahead) : messages, behind);
    }
    const ended = steadyNow();
    restsUntil = ended + Math.min(LONGEST_WAIT, (ended - begun) * REST_FACTOR);
  }

  function remember(batch: Batch): void {
    const last = recent.at(-1);
    // What tells nothing only moves the place.
    if (batch.changes.length === 0 && last) recent[recent.length - 1] = { ...last, upTo: batch.upTo };
    else recent.push(batch);
    recentSize += batch.bytes;
    while (recentSize > recentBytes && recent.length > 1) {
      const oldest = recent.shift()!;
      recentSize -= oldest.bytes;
      recentFrom = oldest.upTo;
    }
  }

  function deliver(joined: JoinedReader, messages: Buffer | undefined, behind: ChangeCursor): void {
    const { reader, ahead } = joined;
    if (ahead && ahead.position > behind.position) return;
    joined.ahead = undefined;
    try {
      if (messages) reader.receive(messages, behind);
      else reader.skipTo(behind);
    } catch (error) {
      // One reader's trouble is not the others'.
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
      return place;
    },
    join(reader, cursor) {
      // What waits comes to it with all that is recent, and would come again.
      write();
      if (cursor.position < recentFrom || (cursor.position === recentFrom && cursor.index !== undefined))
        return undefined;
      const { filter } = reader;
      const joined: JoinedReader = { reader, ahead: cursor.position > place ? cursor : undefined };
      if (!joined.ahead) {
        const missed = recent.filter(({ upTo }) => upTo >= cursor.position).flatMap(({ changes }) => changes);
        deliver(joined, messagesFor(filter, missed, cursor), cursorAfter(place));
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
    follower: () => ({ name: 'change-streams', position: following ? (toldTo as Position) : null, state }),
    async close() {
      closed = true;
      stopFollowing();
      await Promise.all(running);
    },
  };
}

const everything = (): boolean => true;

/** Undefined where nothing is for this filter. */
function messagesFor(
  filter: ChangeFilter,
  changes: readonly EncodedChange[],
  after?: ChangeCursor,
): Buffer | undefined {
  const some = changes.filter((change) => matchesFilter(filter, change) && (!after || isAfterCursor(after, change)));
  return some.length === 0 ? undefined : Buffer.concat(some.map(({ message }) => message));
}
