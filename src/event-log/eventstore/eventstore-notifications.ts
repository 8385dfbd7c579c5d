import type { AllStreamRecordedEvent, AllStreamSubscription } from '@eventstore/db-client';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CommitListener } from '../port/event-log.ts';
import { type CommitListeners, createCommitListeners } from '../storage/commit-listeners.ts';
import { type EventStoreConnection, withDeadline } from './eventstore-connection.ts';
import { isRecordEvent, positionOfEvent } from './eventstore-events.ts';
import type { EventStoreReader } from './eventstore-reader.ts';

/** Tells listeners what comes into the log, whoever appends it. While nobody listens it asks for nothing. */
interface EventStoreNotifications {
  /** Whether every event comes by. */
  readonly isLive: boolean;
  addListener(listener: CommitListener): () => void;
  /** Resolves when it hears of what is appended from now on, or nobody listens, or the engine takes its time. */
  waitUntilLive(): Promise<void>;
  /** Resolves when the record at this position was told, under the same reservations. */
  waitUntilNotified(position: Position): Promise<void>;
  close(): void;
}

interface EventStoreNotificationsParts {
  readonly connection: EventStoreConnection;
  readonly reader: EventStoreReader;
  readonly decode: (event: AllStreamRecordedEvent) => LogRecord;
  /** Hears of every event first. */
  readonly onEvent: (event: AllStreamRecordedEvent) => void;
}

/** How long an append waits for its announcement: that is a hint, and no promise. */
const PATIENCE_MS = 500;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** Subscriptions end: the engine drops who is slow, a leader goes. Then it begins again behind what it told last. */
export function createEventStoreNotifications(parts: EventStoreNotificationsParts): EventStoreNotifications {
  const { connection, reader, decode, onEvent } = parts;
  const listeners: CommitListeners = createCommitListeners();
  /** Those who wait for a position to be told. */
  const waiting = new Set<{ readonly position: Position; readonly resolve: () => void }>();
  let count = 0;
  let run: Run | undefined;

  interface Run {
    isOver: boolean;
    isLive: boolean;
    place: Position | null | undefined;
    subscription: AllStreamSubscription | undefined;
    /** Resolves when it is live for the first time, or that takes its time. */
    readonly begun: Promise<void>;
    readonly stop: () => void;
  }

  function start(): Run {
    let tell = (): void => {};
    let wake = (): void => {};
    const live = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const begun = withDeadline(live, PATIENCE_MS).catch(() => {});
    const started: Run = {
      ...{ isOver: false, isLive: false, place: undefined, subscription: undefined, begun },
      stop() {
        started.isOver = true;
        endSubscription(started);
        tell();
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
    void follow(started, tell, pause);
    return started;
  }

  async function follow(own: Run, tell: () => void, pause: (milliseconds: number) => Promise<void>): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !own.isOver; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        if (own.place === undefined) {
          const [head] = await reader.readSomeEvents('backwards', null, 1);
          own.place = head ? positionOfEvent(head) : null;
        }
        if (own.isOver) return;
        await subscribe(own, () => {
          wait = FIRST_PAUSE_MS;
          own.isLive = true;
          tell();
        });
      } catch {
        // It is begun again, and whoever reads hears why.
      }
      endSubscription(own);
      release();
      if (!own.isOver) await pause(wait);
    }
  }

  /** Resolves or rejects when the subscription ends. */
  async function subscribe(own: Run, confirmed: () => void): Promise<void> {
    connection.countRequest();
    const place = own.place === null ? null : await reader.findCommitPosition(own.place!);
    if (own.isOver) return;
    const subscription = connection.client.subscribeToAll({
      fromPosition: place === null ? 'start' : { commit: place, prepare: place },
      requiresLeader: true,
    });
    own.subscription = subscription;
    const confirmation = new Promise<void>((resolve) => subscription.once('confirmation', () => resolve()));
    const end = new Promise<void>((resolve, reject) => {
      subscription.once('error', reject);
      subscription.once('end', resolve);
      subscription.once('close', resolve);
    });
    // Said more than once where a connection breaks.
    subscription.on('error', () => {});
    subscription.on('data', ({ event }) => {
      if (event && !own.isOver) take(own, event as AllStreamRecordedEvent);
    });
    await Promise.race([withDeadline(confirmation, connection.answerWithin), end]);
    confirmed();
    await end;
  }

  function take(own: Run, event: AllStreamRecordedEvent): void {
    if (!isRecordEvent(event)) return;
    const position = positionOfEvent(event);
    const previous = own.place!;
    if (!isBefore(previous, position)) return;
    own.place = position;
    onEvent(event);
    listeners.notify(() => [decode(event)], previous);
    for (const one of waiting) {
      if (isBefore(position, one.position)) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  function endSubscription(own: Run): void {
    own.isLive = false;
    // Of a stream that has ended already it is nothing.
    own.subscription?.unsubscribe().catch(() => {});
    own.subscription = undefined;
  }

  function release(): void {
    for (const { resolve } of waiting) resolve();
    waiting.clear();
  }

  function stop(): void {
    run?.stop();
    run = undefined;
    release();
  }

  return {
    get isLive() {
      return run?.isLive ?? false;
    },
    addListener(listener) {
      const leave = listeners.add(listener);
      let hasLeft = false;
      count++;
      run ??= start();
      return () => {
        leave();
        if (hasLeft) return;
        hasLeft = true;
        if (--count === 0) stop();
      };
    },
    async waitUntilLive() {
      await run?.begun;
    },
    async waitUntilNotified(position) {
      const own = run;
      if (!own?.isLive || (own.place && !isBefore(own.place, position))) return;
      let one: { readonly position: Position; readonly resolve: () => void } | undefined;
      const heard = new Promise<void>((resolve) => {
        one = { position, resolve };
        waiting.add(one);
      });
      await withDeadline(heard, PATIENCE_MS).catch(() => {});
      waiting.delete(one!);
    },
    close: stop,
  };
}
