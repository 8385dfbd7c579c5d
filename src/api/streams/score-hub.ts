import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { createDelay } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ScoreSnapshot } from '../../read-models/rendering/event-schemas.ts';
import { renderScoreSnapshot } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { type ScoreFrame, type ScoreReader, WatchedEvent } from './watched-event.ts';

export interface ScoreHubParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly feed: RecordFeed;
  readonly store: Pick<DocumentReader, 'get'>;
  readonly setTimer: SetTimer;
  /** What went wrong beside the openings, which reject. */
  readonly onError: (error: unknown) => void;
  readonly render?: (document: EventDocument) => ScoreSnapshot;
  /** Records of one read; default 500. */
  readonly batchSize?: number;
  /** Announced records that are kept until they are looked at; default 20 000. */
  readonly bufferLimit?: number;
}

/** An event that is kept at hand for one stream. */
export interface EventSubscription {
  readonly eventId: number;
  readonly sport: string;
  /** How the event stands; every change from then on goes to `reader`, in order and once. Throws where it cannot be
   *  followed any more. */
  join(reader: ScoreReader): ScoreFrame;
  /** The stream is over. A second time does nothing. */
  release(): void;
}

/**
 * One subscription of the log for all open streams, from the first one's opening to the last one's end. It holds the
 * documents of the watched events only, and depends on no projector: this may run in another process, and lag.
 */
export interface ScoreHub {
  /** Undefined where there is no such event. Rejects with an error of the log or the store. */
  subscribe(eventId: number): Promise<EventSubscription | undefined>;
  readonly watchedEvents: number;
  readonly isFollowing: boolean;
  readonly follower: () => FollowerStatus;
  /** Resolves when nothing here uses the log any more. Readers are told nothing. */
  close(): Promise<void>;
}

const BATCH = 500;
/** Of references to records that the log has announced anyway. More than the commits of a bulk import. */
const BUFFER_LIMIT = 20_000;
const TYPES: ReadonlySet<string> = new Set(events.types);

export function createScoreHub(parts: ScoreHubParts): ScoreHub {
  const {
    log,
    feed,
    store,
    setTimer,
    onError,
    render = renderScoreSnapshot,
    batchSize = BATCH,
    bufferLimit = BUFFER_LIMIT,
  } = parts;
  /** By the name of the stream: of a record that nobody watches nothing else is looked at. */
  const watched = new Map<string, WatchedEvent>();
  const running = new Set<Promise<void>>();
  let following: { readonly started: Promise<unknown>; readonly controller: AbortController } | undefined;
  let closed = false;
  /** Up to it the subscription of now, or the last one, has looked at the log. */
  let position: Position | null = null;
  let state: FollowerStatus['state'] = 'idle';

  /** Sees every record after the feed's present end. */
  function start(): NonNullable<typeof following> {
    const controller = new AbortController();
    const started = feed.endPositions();
    const run = started
      .then(
        (ends) => followFeed(ends, controller.signal),
        // The openings that wait for it reject with this error.
        () => {},
      )
      // A record that this code cannot read ends it.
      .catch((error: unknown) => {
        if (!controller.signal.aborted) state = 'stopped';
        onError(error);
      })
      .finally(() => running.delete(run));
    running.add(run);
    return { started, controller };
  }

  /** After a failure it goes on behind the last position that was seen, which skips nothing: the streams stay open. */
  function followFeed(ends: ReadonlyMap<string, Position | null>, signal: AbortSignal): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => TYPES.has(type);
    const after = (partition: string) => ends.get(partition) ?? null;
    if (!signal.aborted) {
      for (const end of ends.values()) position = end;
      state = 'catching-up';
    }
    const reading = { readers: 'all', after, types: TYPES, isUrgent, setTimer, batchSize, bufferLimit } as const;
    const following = { ...reading, signal, delay: createDelay(setTimer), onRetry: onError };
    return followRecordFeed(feed, following, (message) => {
      if (signal.aborted) return;
      position = message.position;
      if (message.kind !== 'records') {
        state = message.kind === 'caught-up' ? 'live' : 'catching-up';
        return;
      }
      for (const record of message.records) watched.get(record.stream)?.receive(record);
    });
  }

  function drop(event: WatchedEvent): void {
    if (watched.get(event.stream) === event) watched.delete(event.stream);
    if (watched.size > 0) return;
    following?.controller.abort();
    following = undefined;
    state = 'idle';
  }

  function release(event: WatchedEvent): void {
    event.holderCount--;
    if (event.holderCount === 0) drop(event);
  }

  async function hold(eventId: number): Promise<EventSubscription | undefined> {
    if (closed) throw new Error('the score hub is closed');
    const fresh = new WatchedEvent(eventId, { log, store, render, onError });
    const event = watched.get(fresh.stream) ?? fresh;
    // Before anything is read: what is committed after the read must find the event watched.
    watched.set(event.stream, event);
    event.holderCount++;
    following ??= start();
    let isKnown = false;
    try {
      isKnown = await event.open(following.started);
    } finally {
      if (!isKnown) {
        // The next opening looks again, also while others still wait for this one. One that readers follow stays: a
        // failed read of the opening that came last is none of theirs, and they would get no change any more.
        if (!event.isLoaded) drop(event);
        release(event);
      }
    }
    if (isKnown) return createEventSubscription(event, eventId, () => release(event));
    // Another one had asked before, when there may have been no such event yet.
    return event === fresh ? undefined : hold(eventId);
  }

  return {
    get watchedEvents() {
      return watched.size;
    },
    get isFollowing() {
      return following !== undefined;
    },
    follower: () => ({ name: 'score-streams', position, state }),
    subscribe: hold,
    async close() {
      closed = true;
      following?.controller.abort();
      following = undefined;
      await Promise.all(running);
    },
  };
}

function createEventSubscription(event: WatchedEvent, eventId: number, onRelease: () => void): EventSubscription {
  let reader: ScoreReader | undefined;
  let released = false;
  return {
    eventId,
    get sport() {
      return event.sport;
    },
    join(joining) {
      const frame = event.join(joining);
      reader = joining;
      return frame;
    },
    release() {
      if (released) return;
      released = true;
      if (reader) event.readers.delete(reader);
      onRelease();
    },
  };
}
