import type { CacheSize } from '../../domain/cache-size.ts';
import type { Position } from '../../domain/position.ts';
import type { LogRecord } from '../../domain/record.ts';
import { follow } from '../../event-log/follow.ts';
import type { Follower } from '../../event-log/follower.ts';
import type { RecordFeed } from '../../event-log/record-feed.ts';
import { delayOf } from '../../platform/time/delay-of.ts';
import type { SetTimer } from '../../platform/time/timer.ts';
import { type Change, changeBytes, changesOf } from '../../read-models/changes/change.ts';
import { type ChangeCursor, cursorBehind, isBehind } from '../../read-models/changes/change-cursor.ts';
import { type ChangeFilter, filterName, passes } from '../../read-models/changes/change-filter.ts';
import { TELLING_TYPES, type ToldOf } from '../../read-models/changes/told-of.ts';

export interface ChangeHubParts {
  readonly feed: RecordFeed;
  /** For the hub alone: it asks for one batch after another. */
  readonly toldOf: ToldOf;
  readonly setTimer: SetTimer;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** What went wrong. */
  readonly onError: (error: unknown) => void;
  /** How much of what was told last is kept for those who are a little behind; default 1 MiB. */
  readonly recentBytes?: number;
}

/** Who gets changes as they come. */
export interface ChangeReader {
  readonly filter: ChangeFilter;
  /** The messages of changes behind all that it has got, in order, and the cursor behind them. */
  take(messages: Buffer, behind: ChangeCursor): void;
  /** All up to here was nothing for it. */
  passed(behind: ChangeCursor): void;
  /** Nothing more can be told. */
  failed(): void;
}

/**
 * One subscription of the log for all wide streams, from the first one's opening to the last one's end. What it tells it
 * makes once; readers with one filter share the bytes.
 */
export interface ChangeHub {
  /** Keeps the hub at work; resolves when it has a place in the log. @returns ends that */
  hold(): Promise<() => void>;
  /** Up to it the hub has told what there is. */
  readonly place: bigint;
  /**
   * From here on a reader gets all that comes behind its cursor, and at once what has come already.
   * @returns what ends that; undefined where the cursor is too far back: up to `place` it is to be read from the log
   */
  join(reader: ChangeReader, cursor: ChangeCursor): (() => void) | undefined;
  readonly isFollowing: boolean;
  readonly size: () => CacheSize;
  readonly follower: () => Follower;
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
const PART_OF_TIME = 2;

interface Joined {
  readonly reader: ChangeReader;
  /** It has got what comes up to there already; undefined once that is passed. */
  ahead: ChangeCursor | undefined;
}

interface Group {
  readonly filter: ChangeFilter;
  readonly readers: Set<Joined>;
}

/** What one message of the feed has brought. */
interface Batch {
  readonly changes: readonly Change[];
  readonly upTo: bigint;
  readonly bytes: number;
}

export function createChangeHub(parts: ChangeHubParts): ChangeHub {
  const { feed, toldOf, setTimer, steadyNow, onError, recentBytes = RECENT_BYTES } = parts;
  const groups = new Map<string, Group>();
  const running = new Set<Promise<void>>();
  let holders = 0;
  let following: { readonly started: Promise<void>; readonly controller: AbortController } | undefined;
  let closed = false;
  let state: Follower['state'] = 'idle';
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
    const started = feed.ends().then((ends) => {
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
    const isUrgent = ({ type }: LogRecord) => TELLING_TYPES.has(type);
    const after = () => toldTo as Position;
    const reading = { readers: 'all', after, isUrgent, setTimer, batchSize: BATCH, bufferLimit: BUFFER_LIMIT } as const;
    const options = { ...reading, types: TELLING_TYPES, signal, delay: delayOf(setTimer), onRetry: onError };
    return follow(feed, options, async (message) => {
      if (signal.aborted) return;
      if (message.kind !== 'records') {
        state = message.kind === 'caught-up' ? 'live' : 'catching-up';
        return;
      }
      const changes = message.records.length > 0 ? changesOf(await toldOf(message.records, everything)) : [];
      if (signal.aborted) return;
      toldTo = message.position;
      queue({ changes, upTo: message.position, bytes: changes.reduce((sum, one) => sum + changeBytes(one), 0) });
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
    const behind = cursorBehind(place);
    for (const { filter, readers } of [...groups.values()]) {
      const messages = messagesFor(filter, changes);
      for (const joined of [...readers])
        deliver(joined, joined.ahead ? messagesFor(filter, changes, joined.ahead) : messages, behind);
    }
    const ended = steadyNow();
    restsUntil = ended + Math.min(LONGEST_WAIT, (ended - begun) * PART_OF_TIME);
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

  function deliver(joined: Joined, messages: Buffer | undefined, behind: ChangeCursor): void {
    const { reader, ahead } = joined;
    if (ahead && ahead.position > behind.position) return;
    joined.ahead = undefined;
    try {
      if (messages) reader.take(messages, behind);
      else reader.passed(behind);
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
    async hold() {
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
    get place() {
      return place;
    },
    join(reader, cursor) {
      // What waits comes to it with all that is recent, and would come again.
      write();
      if (cursor.position < recentFrom || (cursor.position === recentFrom && cursor.index !== undefined))
        return undefined;
      const { filter } = reader;
      const joined: Joined = { reader, ahead: cursor.position > place ? cursor : undefined };
      if (!joined.ahead) {
        const missed = recent.filter(({ upTo }) => upTo >= cursor.position).flatMap(({ changes }) => changes);
        deliver(joined, messagesFor(filter, missed, cursor), cursorBehind(place));
      }
      const name = filterName(filter);
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
function messagesFor(filter: ChangeFilter, changes: readonly Change[], after?: ChangeCursor): Buffer | undefined {
  const some = changes.filter((change) => passes(filter, change) && (!after || isBehind(after, change)));
  return some.length === 0 ? undefined : Buffer.concat(some.map(({ message }) => message));
}
