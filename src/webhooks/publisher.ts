import type { ToldOf } from '../changes/told-of.ts';
import { type Gate, openGate } from '../clock/gate.ts';
import { ONE_PARTITION } from '../domain/partition-of.ts';
import { isBefore, type Position, placeOf, positionOf } from '../domain/position.ts';
import type { LogRecord } from '../domain/record.ts';
import { MINUTE } from '../domain/time.ts';
import { follow } from '../log/follow.ts';
import type { Follower } from '../log/follower.ts';
import type { FeedMessage, RecordFeed } from '../log/record-feed.ts';
import { type Delay, realDelay } from '../time/retry.ts';
import { realTimer, type SetTimer } from '../time/timer.ts';
import { type Matching, matching } from './matching.ts';
import type { PublisherPlace, WebhookStore } from './store/webhook-store.ts';

export interface PublisherParts {
  /** With one partition: the store keeps one place. */
  readonly feed: RecordFeed;
  readonly store: Pick<WebhookStore, 'active' | 'activeVersion' | 'places' | 'publish'>;
  readonly toldOf: ToldOf;
  /** The types of records that tell anybody anything. */
  readonly types: ReadonlySet<string>;
  /** There is something to send to these subscriptions. */
  readonly onPublished: (subscriptionIds: ReadonlySet<number>) => void;
  /** What fails is repeated, but for a record that this code cannot read: then it stops, and says so here. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Closed, nothing is stored: it waits. Absent: it is open. */
  readonly gate?: Gate;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  readonly batchSize?: number;
  /** Lets everyone else have the event loop where it is time. */
  readonly breathe?: () => Promise<void>;
}

/** Follows the log, and stores what each subscription is to be told of it. One at a time on a store. */
export interface Publisher {
  /** Resolves when it knows where to begin: what is recorded from then on is told. */
  start(): Promise<void>;
  /** Position up to which the log was looked at, and whether that was its end. */
  readonly place: { readonly position: Position | null; readonly isCaughtUp: boolean };
  readonly state: Follower['state'];
  stop(): Promise<void>;
}

const BATCH = 500;
/** Messages of one transaction: many subscribers of many facts must not hold up everyone else. */
const TOGETHER = 1000;
/** Records that tell nobody anything, until the place is stored: so many are read again after a crash, for nothing. */
const IDLE_STRETCH = 5000;
const FAR_AHEAD = 5 * MINUTE;
/** How long it waits before it looks whether the gate is open, in milliseconds. */
const GATE_PAUSE = 1000;
/** The place that is kept while the log is empty. */
const NOTHING_YET = positionOf(0n);

const placeAt = (position: bigint): PublisherPlace => ({ partition: ONE_PARTITION, position });

export function createPublisher(parts: PublisherParts): Publisher {
  const { feed, store, toldOf, types, onPublished, onError, batchSize = BATCH } = parts;
  const { now = Date.now, gate = openGate, setTimer = realTimer, delay = realDelay } = parts;
  const { breathe = async () => {} } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let position: Position | null = null;
  let stored: Position | null = null;
  /** Records that were looked at since the place was stored. */
  let idle = 0;
  let isCaughtUp = false;
  let isStopped = false;
  let known: { readonly version: number; readonly matching: Matching } | undefined;
  /** Of the last message: they are due in the order of their times, so a clock that is set back must not show. */
  let lastAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> = Promise.resolve();

  /** Those there are now, which includes whoever was there when the records at hand were recorded. */
  async function present(): Promise<Matching> {
    const version = await store.activeVersion();
    if (known?.version !== version) known = { version, matching: matching(await store.active()) };
    return known.matching;
  }

  async function publish(records: readonly LogRecord[], upTo: Position, looked: number): Promise<void> {
    const subscriptions = records.length > 0 ? await present() : undefined;
    const told = subscriptions && subscriptions.size > 0 ? await toldOf(records, subscriptions.isWanted) : [];
    const at = now();
    // After a clock that was far ahead they must not be due when it was.
    lastAt = lastAt - at > FAR_AHEAD ? at : Math.max(lastAt, at);
    const messages = subscriptions && told.length > 0 ? subscriptions.messages(told, lastAt) : [];
    const receivers = new Set(messages.map(({ subscriptionId }) => subscriptionId));
    if (receivers.size === 0 && looked < IDLE_STRETCH) {
      idle = looked;
      return;
    }
    // The place moves with the last of them only: the same ids come again for those that a crash leaves behind.
    while (messages.length > TOGETHER) {
      await store.publish(messages.splice(0, TOGETHER), placeAt(stored ?? NOTHING_YET));
      await breathe();
    }
    await store.publish(messages, placeAt(upTo));
    stored = upTo;
    idle = 0;
    if (receivers.size > 0) onPublished(receivers);
  }

  async function handle(message: FeedMessage): Promise<void> {
    if (message.kind === 'records') {
      while (!gate.isOpen) await delay(GATE_PAUSE, signal);
      await publish(message.records, message.position, idle + message.count);
      position = message.position;
    }
    isCaughtUp = message.kind === 'caught-up' || (message.kind === 'records' && isCaughtUp);
  }

  function followFeed(): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => types.has(type);
    const reading = { readers: { group: 'webhooks' }, after: () => position, types, isUrgent, setTimer } as const;
    return follow(feed, { ...reading, batchSize, bufferLimit: batchSize * 8, signal, delay, onRetry: onError }, handle);
  }

  /** Where the feed ends now, which is where a publisher begins that has no place yet. */
  async function presentEnd(): Promise<Position> {
    let latest = NOTHING_YET;
    for (const end of (await feed.ends()).values()) if (end !== null && isBefore(latest, end)) latest = end;
    return latest;
  }

  const storedPlace = async () => placeOf((await store.places()).get(ONE_PARTITION) ?? null);

  /** What was recorded before anybody could subscribe is nobody's news. */
  async function firstPlace(): Promise<Position> {
    const end = await presentEnd();
    // Another publisher may have begun since, and somebody subscribed, whom the end just read may leave out.
    const other = await storedPlace();
    if (other !== null) return other;
    await store.publish([], placeAt(end));
    return end;
  }

  return {
    get place() {
      return { position, isCaughtUp };
    },
    get state() {
      if (isStopped) return 'stopped';
      return isCaughtUp ? 'live' : 'catching-up';
    },
    async start() {
      stored = (await storedPlace()) ?? (await firstPlace());
      position = stored;
      running = followFeed().catch((error: unknown) => {
        if (signal.aborted) return;
        isStopped = true;
        onError(error);
      });
    },
    async stop() {
      if (signal.aborted) return;
      stopping.abort();
      await running;
      // Spares the next start what was read for nothing.
      if (position !== null && position !== stored) await store.publish([], placeAt(position)).catch(onError);
    },
  };
}
