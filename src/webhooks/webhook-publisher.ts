import { isBefore, type Position, toPosition } from '../domain/event-sourcing/position.ts';
import type { LogRecord } from '../domain/event-sourcing/record.ts';
import type { FollowerStatus } from '../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed, RecordFeedMessage } from '../event-log/subscription/record-feed.ts';
import { type Delay, realDelay } from '../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../platform/async/timer.ts';
import { alwaysOpenGate, type WriteGate } from '../platform/clock/write-gate.ts';
import type { MapRecords } from '../read-models/change-feed/record-mapper.ts';
import type { WebhookStore } from './store/webhook-store.ts';
import { createSubscriptionMatcher, type SubscriptionMatcher } from './subscription-matcher.ts';

export interface PublisherParts {
  /** The store keeps a place for each of its partitions. */
  readonly feed: RecordFeed;
  readonly store: Pick<WebhookStore, 'active' | 'activeVersion' | 'publisherPositions' | 'publish'>;
  readonly mapRecords: MapRecords;
  /** The types of records that tell anybody anything. */
  readonly recordTypes: ReadonlySet<string>;
  /** There is something to send to these subscriptions. */
  readonly onPublished: (subscriptionIds: ReadonlySet<number>) => void;
  /** What fails is repeated, but for a record that this code cannot read: then it stops, and says so here. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Closed, nothing is stored: it waits. Absent: it is open. */
  readonly gate?: WriteGate;
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
interface WebhookPublisher {
  /** Resolves when it knows where to begin: what is recorded from then on is told. */
  start(): Promise<void>;
  /** Position up to which the log was looked at, in the partition that is furthest behind, and whether that was the end
   *  of all of them. */
  readonly progress: { readonly position: Position | null; readonly isCaughtUp: boolean };
  readonly state: FollowerStatus['state'];
  stop(): Promise<void>;
}

const BATCH = 500;
/** Messages of one transaction: many subscribers of many facts must not hold up everyone else. */
const MESSAGES_PER_TRANSACTION = 1000;
/** Records that tell nobody anything, until the place is stored: so many are read again after a crash, for nothing. */
const IDLE_RECORDS_BEFORE_STORING = 5000;
/** How long it waits before it looks whether the gate is open, in milliseconds. */
const GATE_PAUSE = 1000;
/** The place that is kept while a partition is empty. */
const START_POSITION = toPosition(0n);

/** What is known of a partition. */
interface PartitionProgress {
  readonly partition: string;
  /** Up to which it was looked at. */
  position: Position;
  storedPosition: Position;
  /** Records that were looked at since the place was stored. */
  idleRecords: number;
  isCaughtUp: boolean;
}

export function createWebhookPublisher(parts: PublisherParts): WebhookPublisher {
  const { feed, store, mapRecords, recordTypes, onPublished, onError, batchSize = BATCH } = parts;
  const { now = Date.now, gate = alwaysOpenGate, setTimer = realTimer, delay = realDelay } = parts;
  const { breathe = async () => {} } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Of the partitions that are this publisher's now. */
  const lanes = new Map<string, PartitionProgress>();
  let isStopped = false;
  let known: { readonly version: number; readonly matching: SubscriptionMatcher } | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Those there are now, which includes whoever was there when the records at hand were recorded. */
  async function present(): Promise<SubscriptionMatcher> {
    const version = await store.activeVersion();
    if (known?.version !== version) known = { version, matching: createSubscriptionMatcher(await store.active()) };
    return known.matching;
  }

  async function publish(
    lane: PartitionProgress,
    records: readonly LogRecord[],
    upTo: Position,
    looked: number,
  ): Promise<void> {
    const { partition } = lane;
    const subscriptions = records.length > 0 ? await present() : undefined;
    const told = subscriptions && subscriptions.size > 0 ? await mapRecords(records, subscriptions.isWanted) : [];
    const messages = subscriptions && told.length > 0 ? subscriptions.createMessages(told, now()) : [];
    const receivers = new Set(messages.map(({ subscriptionId }) => subscriptionId));
    if (receivers.size === 0 && looked < IDLE_RECORDS_BEFORE_STORING) {
      lane.idleRecords = looked;
      return;
    }
    // The place moves with the last of them only: the same ids come again for those that a crash leaves behind.
    while (messages.length > MESSAGES_PER_TRANSACTION) {
      await store.publish(messages.splice(0, MESSAGES_PER_TRANSACTION), { partition, position: lane.storedPosition });
      await breathe();
    }
    await store.publish(messages, { partition, position: upTo });
    lane.storedPosition = upTo;
    lane.idleRecords = 0;
    if (receivers.size > 0) onPublished(receivers);
  }

  async function handle(message: RecordFeedMessage): Promise<void> {
    const lane = lanes.get(message.partition);
    // It has become somebody else's, who has its place from the store.
    if (!lane) return;
    if (message.kind === 'records') {
      while (!gate.isOpen) await delay(GATE_PAUSE, signal);
      await publish(lane, message.records, message.position, lane.idleRecords + message.count);
      lane.position = message.position;
    }
    lane.isCaughtUp = message.kind === 'caught-up' || (message.kind === 'records' && lane.isCaughtUp);
  }

  /** Where a partition goes on that has become this publisher's: nobody else's memory counts, nor its own of before. */
  async function begin(partition: string): Promise<Position> {
    const storedPosition = toPosition((await store.publisherPositions()).get(partition) ?? START_POSITION);
    lanes.set(partition, { partition, position: storedPosition, storedPosition, idleRecords: 0, isCaughtUp: false });
    return storedPosition;
  }

  function keepOnly(partitions: ReadonlySet<string>): void {
    for (const partition of lanes.keys()) if (!partitions.has(partition)) lanes.delete(partition);
  }

  function followFeed(): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => recordTypes.has(type);
    const reading = {
      readers: { group: 'webhooks' },
      after: begin,
      onAssigned: keepOnly,
      types: recordTypes,
      isUrgent,
    } as const;
    const sizes = { batchSize, bufferLimit: batchSize * 8 };
    return followRecordFeed(feed, { ...reading, ...sizes, setTimer, signal, delay, onRetry: onError }, handle);
  }

  /** What was recorded before anybody could subscribe is nobody's news. */
  async function storeFirstPlaces(): Promise<void> {
    const ends = await feed.endPositions();
    // Another publisher may have begun since, and somebody subscribed, whom the ends just read may leave out.
    const places = await store.publisherPositions();
    for (const [partition, end] of ends) {
      if (!places.has(partition)) await store.publish([], { partition, position: end ?? START_POSITION });
    }
  }

  const isCaughtUp = () => lanes.size > 0 && [...lanes.values()].every((lane) => lane.isCaughtUp);

  return {
    get progress() {
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
      for (const { partition, position, storedPosition } of lanes.values()) {
        if (position !== storedPosition) await store.publish([], { partition, position }).catch(onError);
      }
    },
  };
}

const earlier = (a: Position | null, b: Position): Position => (a === null || isBefore(b, a) ? b : a);
