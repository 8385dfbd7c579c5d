import { isBefore, type Position, positionOf } from '../domain/position.ts';
import type { LogRecord } from '../domain/record.ts';
import { follow } from '../event-log/follow.ts';
import type { Follower } from '../event-log/follower.ts';
import type { FeedMessage, RecordFeed } from '../event-log/record-feed.ts';
import { type Gate, openGate } from '../platform/clock/gate.ts';
import { type Delay, realDelay } from '../platform/time/retry.ts';
import { realTimer, type SetTimer } from '../platform/time/timer.ts';
import type { ToldOf } from '../read-models/changes/told-of.ts';
import { type Matching, matching } from './matching.ts';
import type { WebhookStore } from './store/webhook-store.ts';

export interface PublisherParts {
  /** The store keeps a place for each of its partitions. */
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

/**
 * Follows the log, and stores what each subscription is to be told of it. Where several do so on a store, the feed
 * shares its partitions among them: two that have one partition for a while store the same messages, which stand once.
 */
export interface Publisher {
  /** Resolves when it knows where to begin: what is recorded from then on is told. */
  start(): Promise<void>;
  /** Position up to which the log was looked at, in the partition that is furthest behind, and whether that was the end
   *  of all of them. */
  readonly place: { readonly position: Position | null; readonly isCaughtUp: boolean };
  readonly state: Follower['state'];
  stop(): Promise<void>;
}

const BATCH = 500;
/** Messages of one transaction: many subscribers of many facts must not hold up everyone else. */
const TOGETHER = 1000;
/** Records that tell nobody anything, until the place is stored: so many are read again after a crash, for nothing. */
const IDLE_STRETCH = 5000;
/** How long it waits before it looks whether the gate is open, in milliseconds. */
const GATE_PAUSE = 1000;
/** The place that is kept while a partition is empty. */
const NOTHING_YET = positionOf(0n);

/** What is known of a partition. */
interface Lane {
  readonly partition: string;
  /** Up to which it was looked at. */
  position: Position;
  stored: Position;
  /** Records that were looked at since the place was stored. */
  idle: number;
  isCaughtUp: boolean;
}

export function createPublisher(parts: PublisherParts): Publisher {
  const { feed, store, toldOf, types, onPublished, onError, batchSize = BATCH } = parts;
  const { now = Date.now, gate = openGate, setTimer = realTimer, delay = realDelay } = parts;
  const { breathe = async () => {} } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Of the partitions that are this publisher's now. */
  const lanes = new Map<string, Lane>();
  let isStopped = false;
  let known: { readonly version: number; readonly matching: Matching } | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Those there are now, which includes whoever was there when the records at hand were recorded. */
  async function present(): Promise<Matching> {
    const version = await store.activeVersion();
    if (known?.version !== version) known = { version, matching: matching(await store.active()) };
    return known.matching;
  }

  async function publish(lane: Lane, records: readonly LogRecord[], upTo: Position, looked: number): Promise<void> {
    const { partition } = lane;
    const subscriptions = records.length > 0 ? await present() : undefined;
    const told = subscriptions && subscriptions.size > 0 ? await toldOf(records, subscriptions.isWanted) : [];
    const messages = subscriptions && told.length > 0 ? subscriptions.messages(told, now()) : [];
    const receivers = new Set(messages.map(({ subscriptionId }) => subscriptionId));
    if (receivers.size === 0 && looked < IDLE_STRETCH) {
      lane.idle = looked;
      return;
    }
    // The place moves with the last of them only: the same ids come again for those that a crash leaves behind.
    while (messages.length > TOGETHER) {
      await store.publish(messages.splice(0, TOGETHER), { partition, position: lane.stored });
      await breathe();
    }
    await store.publish(messages, { partition, position: upTo });
    lane.stored = upTo;
    lane.idle = 0;
    if (receivers.size > 0) onPublished(receivers);
  }

  async function handle(message: FeedMessage): Promise<void> {
    const lane = lanes.get(message.partition);
    // It has become somebody else's, who has its place from the store.
    if (!lane) return;
    if (message.kind === 'records') {
      while (!gate.isOpen) await delay(GATE_PAUSE, signal);
      await publish(lane, message.records, message.position, lane.idle + message.count);
      lane.position = message.position;
    }
    lane.isCaughtUp = message.kind === 'caught-up' || (message.kind === 'records' && lane.isCaughtUp);
  }

  /** Where a partition goes on that has become this publisher's: nobody else's memory counts, nor its own of before. */
  async function begin(partition: string): Promise<Position> {
    const stored = positionOf((await store.places()).get(partition) ?? NOTHING_YET);
    lanes.set(partition, { partition, position: stored, stored, idle: 0, isCaughtUp: false });
    return stored;
  }

  function keepOnly(partitions: ReadonlySet<string>): void {
    for (const partition of lanes.keys()) if (!partitions.has(partition)) lanes.delete(partition);
  }

  function followFeed(): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => types.has(type);
    const reading = { readers: { group: 'webhooks' }, after: begin, onAssigned: keepOnly, types, isUrgent } as const;
    const sizes = { batchSize, bufferLimit: batchSize * 8 };
    return follow(feed, { ...reading, ...sizes, setTimer, signal, delay, onRetry: onError }, handle);
  }

  /** What was recorded before anybody could subscribe is nobody's news. */
  async function storeFirstPlaces(): Promise<void> {
    const ends = await feed.ends();
    // Another publisher may have begun since, and somebody subscribed, whom the ends just read may leave out.
    const places = await store.places();
    for (const [partition, end] of ends) {
      if (!places.has(partition)) await store.publish([], { partition, position: end ?? NOTHING_YET });
    }
  }

  const isCaughtUp = () => lanes.size > 0 && [...lanes.values()].every((lane) => lane.isCaughtUp);

  return {
    get place() {
      const positions = [...lanes.values()].map(({ position }) => position);
      return { position: positions.reduce(earlier, positions[0] ?? null), isCaughtUp: isCaughtUp() };
    },
    get state() {
      if (isStopped) return 'stopped';
      return isCaughtUp() ? 'live' : 'catching-up';
    },
    async start() {
      await storeFirstPlaces();
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
      for (const { partition, position, stored } of lanes.values()) {
        if (position !== stored) await store.publish([], { partition, position }).catch(onError);
      }
    },
  };
}

const earlier = (a: Position | null, b: Position): Position => (a === null || isBefore(b, a) ? b : a);
