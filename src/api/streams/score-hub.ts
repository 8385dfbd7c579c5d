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
import { type ScoreReader, WatchedEvent, type WatchedFrame } from './watched-event.ts';

export interface ScoreHubParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly feed: RecordFeed;
  readonly store: Pick<DocumentReader, 'get'>;
  readonly setTimer: SetTimer;
  /** For all errors but those of openings, which reject. */
  readonly onError: (error: unknown) => void;
  readonly render?: (document: EventDocument) => ScoreSnapshot;
  /** Records in one read; default 500. */
  readonly batchSize?: number;
  /** Announced records that are buffered; default 20 000. */
  readonly bufferLimit?: number;
}

/** A watched event, for one stream. If it is merged into another event, the subscription goes on with that one. */
export interface EventSubscription {
  readonly eventId: number;
  readonly sport: string;
  /**
   * The current score. Every later change goes to `reader`, in order and once. Throws if the event can no longer be
   * followed.
   */
  join(reader: ScoreReader): WatchedFrame;
  /** Ends the subscription. Repetition has no effect. */
  release(): void;
}

/**
 * One subscription of the log for all open score streams, from the first opening to the last end. It holds the
 * documents of watched events only, and does not depend on the projections: they may run in another process, and lag.
 */
export interface ScoreHub {
  /** Undefined if there is no such event. Rejects with an error of the log or the store. */
  subscribe(eventId: number): Promise<EventSubscription | undefined>;
  readonly watchedEvents: number;
  readonly isFollowing: boolean;
  readonly follower: () => FollowerStatus;
  /** Resolves when the hub no longer uses the log. Readers are not informed. */
  close(): Promise<void>;
}

const BATCH = 500;
/** Buffered references to announced records. More than the commits of a bulk import. */
const BUFFER_LIMIT = 20_000;
const TYPES: ReadonlySet<string> = new Set([...events.types, 'EventRestated']);

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
  /** By partition: of other records nothing else is examined. */
  const watched = new Map<string, WatchedEvent>();
  const running = new Set<Promise<void>>();
  let following: { readonly started: Promise<unknown>; readonly controller: AbortController } | undefined;
  let closed = false;
  /** The last position seen by the current or previous subscription. */
  let position: Position | null = null;
  let state: FollowerStatus['state'] = 'idle';

  /** Follows every record after the feed's current end. */
  function start(): NonNullable<typeof following> {
    const controller = new AbortController();
    const started = feed.endPositions();
    const run = started
      .then(
        (ends) => followFeed(ends, controller.signal),
        // Openings that await `started` reject with this error.
        () => {},
      )
      // A record that this version cannot decode ends the hub.
      .catch((error: unknown) => {
        if (!controller.signal.aborted) state = 'stopped';
        onError(error);
      })
      .finally(() => running.delete(run));
    running.add(run);
    return { started, controller };
  }

  /** After a failure it continues after the last position, so that nothing is skipped and streams stay open. */
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
      for (const record of message.records) watched.get(record.meta.partition)?.receive(record);
    });
  }

  function drop(event: WatchedEvent): void {
    if (watched.get(event.partition) === event) watched.delete(event.partition);
    if (watched.size > 0) return;
    following?.controller.abort();
    following = undefined;
    state = 'idle';
  }

  function release(event: WatchedEvent): void {
    event.holderCount--;
    if (event.holderCount === 0) drop(event);
  }

  async function hold(eventId: number): Promise<WatchedEvent | undefined> {
    if (closed) throw new Error('the score hub is closed');
    const fresh = new WatchedEvent(eventId, { log, store, render, onError });
    const event = watched.get(fresh.partition) ?? fresh;
    // Watch before reading: a record committed after the read must find the event watched.
    watched.set(event.partition, event);
    event.holderCount++;
    following ??= start();
    let isKnown = false;
    try {
      isKnown = await event.open(following.started);
    } finally {
      if (!isKnown) {
        // The next opening must read again, even while others still wait for this one. But an event with readers stays:
        // the failed read of a later opening does not concern them, and without the event they would get no more
        // changes.
        if (!event.isLoaded) drop(event);
        release(event);
      }
    }
    if (isKnown) return event;
    // The result belongs to an earlier opening, when the event may not have existed yet.
    return event === fresh ? undefined : hold(eventId);
  }

  async function subscribe(eventId: number): Promise<EventSubscription | undefined> {
    const event = await hold(eventId);
    const meaning = () => log.replacements.meaningOf('event', eventId);
    return event && createEventSubscription(event, { meaning, hold, release, onError });
  }

  return {
    get watchedEvents() {
      return watched.size;
    },
    get isFollowing() {
      return following !== undefined;
    },
    follower: () => ({ name: 'score-streams', position, state }),
    subscribe,
    async close() {
      closed = true;
      following?.controller.abort();
      following = undefined;
      await Promise.all(running);
    },
  };
}

interface SubscriptionParts {
  /** The id of the event that the client means. */
  readonly meaning: () => number;
  /** @see ScoreHub.subscribe */
  readonly hold: (eventId: number) => Promise<WatchedEvent | undefined>;
  readonly release: (event: WatchedEvent) => void;
  readonly onError: (error: unknown) => void;
}

function createEventSubscription(
  first: WatchedEvent,
  { meaning, hold, release, onError }: SubscriptionParts,
): EventSubscription {
  const { eventId } = first;
  let event = first;
  let reader: ScoreReader | undefined;
  let shown: string | undefined;
  let released = false;

  const joined: ScoreReader = {
    changed(frame) {
      if (released || frame.fingerprint === shown) return;
      shown = frame.fingerprint;
      reader!.changed(frame);
    },
    failed: () => reader!.failed(),
    restated() {
      if (meaning() === event.eventId) return;
      event.readers.delete(joined);
      void goOn().catch((error: unknown) => {
        onError(error);
        reader!.failed();
      });
    },
  };

  /** With the event that the client means by now. */
  async function goOn(): Promise<void> {
    while (!released && meaning() !== event.eventId) {
      const next = await hold(meaning());
      if (!next) throw new Error(`event ${eventId} means one that cannot be followed`);
      if (released) {
        release(next);
        return;
      }
      release(event);
      event = next;
    }
    if (!released) joined.changed(event.join(joined));
  }

  return {
    eventId,
    get sport() {
      return event.sport;
    },
    join(joining) {
      reader = joining;
      const frame = event.join(joined);
      shown = frame.fingerprint;
      return frame;
    },
    release() {
      if (released) return;
      released = true;
      event.readers.delete(joined);
      release(event);
    },
  };
}
