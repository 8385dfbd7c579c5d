import type { AllStreamRecordedEvent, AllStreamSubscription } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CommitListener } from '../port/event-log.ts';
import { type CommitListeners, createCommitListeners } from '../storage/commit-listeners.ts';
import { isWrongPlace } from './event-log-unavailable.ts';
import { DeadlineExceeded, type EventStoreConnection, withDeadline } from './eventstore-connection.ts';
import { isRecordEvent, positionOfEvent } from './eventstore-events.ts';
import type { EventStoreReader } from './eventstore-reader.ts';
import type { LogIdentity } from './log-identity.ts';

/**
 * Notifies listeners of all records that any process appends. Asks the engine for nothing while there is no listener.
 */
interface EventStoreNotifications {
  /** Whether every new event is seen. */
  readonly isLive: boolean;
  addListener(listener: CommitListener): () => void;
  /** Resolves when all later appends will be seen, or when there is no listener, or after a time limit. */
  waitUntilLive(): Promise<void>;
  /**
   * Resolves when listeners were notified of the record at this position, or when there is no listener, or after a time
   * limit.
   */
  waitUntilNotified(position: Position): Promise<void>;
  /** A record at this position was read. A subscription that stays silent about it is left for another one. */
  noteRead(position: Position): void;
  close(): void;
}

interface EventStoreNotificationsParts {
  readonly connection: EventStoreConnection;
  readonly reader: EventStoreReader;
  readonly identity: Pick<LogIdentity, 'doubt' | 'assure'>;
  readonly decode: (event: AllStreamRecordedEvent) => LogRecord;
  /** Called with every event, before the listeners. */
  readonly onEvent: (event: AllStreamRecordedEvent) => void;
}

/** How long an append waits for its notification. Notifications are a hint, not a promise. */
const MAX_WAIT_MS = 500;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

/**
 * A subscription can end at any time: the engine drops slow readers, or the leader changes. Then a new subscription
 * begins after the last event that was notified.
 */
export function createEventStoreNotifications(parts: EventStoreNotificationsParts): EventStoreNotifications {
  const { connection, reader, identity, decode, onEvent } = parts;
  const listeners: CommitListeners = createCommitListeners();
  /** The callers that wait for the notification of a position. */
  const waiting = new Set<{ readonly position: Position; readonly resolve: () => void }>();
  let count = 0;
  let run: Run | undefined;
  /** Whether a record that was read is waited for. */
  let isWatching = false;

  interface Run {
    isOver: boolean;
    isLive: boolean;
    lastPosition: Position | null | undefined;
    subscription: AllStreamSubscription | undefined;
    /** How many events the subscriptions have brought. */
    events: number;
    /** Leaves the subscription of now, so that another one begins. */
    leave: () => void;
    /** Resolves when the run is live for the first time, or after a time limit. */
    readonly begun: Promise<void>;
    readonly stop: () => void;
  }

  function start(): Run {
    let markLive = (): void => {};
    let wake = (): void => {};
    const live = new Promise<void>((resolve) => {
      markLive = resolve;
    });
    const begun = withDeadline(live, MAX_WAIT_MS).catch(() => {});
    const started: Run = {
      isOver: false,
      isLive: false,
      lastPosition: undefined,
      subscription: undefined,
      events: 0,
      leave: () => {},
      begun,
      stop() {
        started.isOver = true;
        started.leave();
        endSubscription(started);
        markLive();
        wake();
      },
    };
    const pause = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    void follow(started, markLive, pause);
    return started;
  }

  async function follow(own: Run, markLive: () => void, pause: (milliseconds: number) => Promise<void>): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !own.isOver; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
      const eventsBefore = own.events;
      let confirmedAt = Number.POSITIVE_INFINITY;
      try {
        await identity.assure();
        if (own.lastPosition === undefined) {
          const [head] = await reader.readSomeEvents('backwards', null, 1);
          own.lastPosition = head ? positionOfEvent(head) : null;
        }
        if (own.isOver) return;
        await subscribe(own, () => {
          confirmedAt = performance.now();
          own.isLive = true;
          markLive();
        });
      } catch (error) {
        if (isWrongPlace(error)) leaveWrongPlace(own);
        else if (!own.isOver) connection.failed('subscribe', error);
      }
      if (!own.isOver) identity.doubt();
      endSubscription(own);
      resolveWaiting();
      // A confirmation alone does not make the next pause short: newer engines confirm before they read the place.
      if (own.events > eventsBefore || performance.now() - confirmedAt > MAX_PAUSE_MS) wait = FIRST_PAUSE_MS;
      if (!own.isOver) await pause(wait);
    }
  }

  /** The engine has no event at the place. If the log is the same one all the same, its end is a place that is known. */
  function leaveWrongPlace(own: Run): void {
    connection.warn(
      `event-log: no record begins at position ${own.lastPosition}, behind which new records were listened for; ` +
        'they are listened for from the end of the log, and readers read what lies between',
    );
    own.lastPosition = undefined;
  }

  /** Resolves or rejects when the subscription ends. */
  async function subscribe(own: Run, confirmed: () => void): Promise<void> {
    connection.countRequest();
    const lastPosition = own.lastPosition === null ? null : await reader.findCommitPosition(own.lastPosition!);
    if (own.isOver) return;
    const subscription = connection.client.subscribeToAll({
      fromPosition: lastPosition === null ? 'start' : { commit: lastPosition, prepare: lastPosition },
      requiresLeader: true,
    });
    own.subscription = subscription;
    const confirmation = new Promise<void>((resolve) => subscription.once('confirmation', () => resolve()));
    const end = new Promise<void>((resolve, reject) => {
      subscription.once('error', reject);
      subscription.once('end', resolve);
      subscription.once('close', resolve);
    });
    // A broken connection emits `error` more than once.
    subscription.on('error', () => {});
    subscription.on('data', ({ event }) => {
      if (event && !own.isOver) handleEvent(own, event as AllStreamRecordedEvent);
    });
    const left = new Promise<void>((resolve) => {
      own.leave = resolve;
    });
    const { heard, silent } = connection.watch();
    await Promise.race([withDeadline(confirmation, connection.answerWithin), end, left]).catch((error: unknown) => {
      if (error instanceof DeadlineExceeded) silent();
      throw error;
    });
    heard();
    confirmed();
    await Promise.race([end, left]);
  }

  function handleEvent(own: Run, event: AllStreamRecordedEvent): void {
    own.events++;
    connection.watch().heard();
    if (!isRecordEvent(event)) return;
    const position = positionOfEvent(event);
    const previous = own.lastPosition!;
    if (!isBefore(previous, position)) return;
    own.lastPosition = position;
    onEvent(event);
    listeners.notify(() => [decode(event)], previous);
    for (const waiter of waiting) {
      if (isBefore(position, waiter.position)) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  }

  function endSubscription(own: Run): void {
    own.isLive = false;
    // The error of a subscription that has already ended does not matter.
    own.subscription?.unsubscribe().catch(() => {});
    own.subscription = undefined;
  }

  function resolveWaiting(): void {
    for (const { resolve } of waiting) resolve();
    waiting.clear();
  }

  /** Leaves a subscription that brings nothing though a record is there: it may be one at a node that leads no more. */
  async function leaveIfSilent(own: Run, position: Position): Promise<void> {
    const eventsBefore = own.events;
    let waiter: { readonly position: Position; readonly resolve: () => void } | undefined;
    const notified = new Promise<void>((resolve) => {
      waiter = { position, resolve };
      waiting.add(waiter);
    });
    await withDeadline(notified, MAX_WAIT_MS).catch(() => {
      if (own.events === eventsBefore) own.leave();
    });
    waiting.delete(waiter!);
  }

  const isBehind = (own: Run | undefined, position: Position): own is Run =>
    own?.isLive === true && own.lastPosition !== undefined && isBefore(own.lastPosition, position);

  connection.onRenewed(() => run?.leave());

  function stop(): void {
    run?.stop();
    run = undefined;
    resolveWaiting();
  }

  return {
    get isLive() {
      return run?.isLive ?? false;
    },
    addListener(listener) {
      const removeListener = listeners.add(listener);
      let isRemoved = false;
      count++;
      run ??= start();
      return () => {
        removeListener();
        if (isRemoved) return;
        isRemoved = true;
        if (--count === 0) stop();
      };
    },
    async waitUntilLive() {
      await run?.begun;
    },
    async waitUntilNotified(position) {
      if (isBehind(run, position)) await leaveIfSilent(run, position);
    },
    noteRead(position) {
      if (isWatching || !isBehind(run, position)) return;
      isWatching = true;
      void leaveIfSilent(run, position).finally(() => {
        isWatching = false;
      });
    },
    close: stop,
  };
}
