import { isBefore, type Position, toPosition } from '../domain/event-sourcing/position.ts';
import type { LogRecord } from '../domain/event-sourcing/record.ts';
import type { FollowerStatus } from '../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed, RecordFeedMessage } from '../event-log/subscription/record-feed.ts';
import { type Delay, realDelay } from '../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../platform/async/timer.ts';
import { alwaysOpenGate, type WriteGate } from '../platform/clock/write-gate.ts';
import type { MergedInto } from '../read-models/change-feed/change-filter.ts';
import type { ChangeSource } from './change-source.ts';
import type { NewMessage, WebhookStore } from './store/webhook-store.ts';
import { type AccountBooks, createSubscriptionMatcher, type SubscriptionMatcher } from './subscription-matcher.ts';

export interface PublisherParts
  extends Pick<ChangeSource, 'mapRecords'>,
    Partial<Pick<ChangeSource, 'subjectOf' | 'nameOf'>> {
  /** The store keeps a position for each partition of the feed. */
  readonly feed: RecordFeed;
  readonly store: Pick<WebhookStore, 'active' | 'activeVersion' | 'publisherPositions' | 'publish'>;
  /** Says what was merged; absent: nothing. */
  readonly merged?: MergedInto;
  /** The lists of books of these accounts; a change of one changes `activeVersion`. Absent: there are none. */
  readonly booksOf?: (accountIds: readonly number[]) => Promise<AccountBooks>;
  /** The types of records that can lead to messages. */
  readonly recordTypes: ReadonlySet<string>;
  /** These subscriptions have new messages. */
  readonly onPublished: (subscriptionIds: ReadonlySet<number>) => void;
  /** Called for errors that are retried, and for a record that this code cannot read: then the publisher stops. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** While it is closed, nothing is stored. Absent: always open. */
  readonly gate?: WriteGate;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  readonly batchSize?: number;
  /** Whether the demo invents what is told; absent: there is none. */
  readonly isSimulated?: () => boolean;
  /** Gives the event loop to others if it is time. */
  readonly breathe?: () => Promise<void>;
}

/**
 * Follows the log and stores the messages for each subscription. If several publishers use one store, the feed divides
 * its partitions among them. Two publishers that have the same partition for a while store the same messages, which are
 * stored once.
 */
interface WebhookPublisher {
  /** Resolves when the starting positions are known: later records lead to messages. */
  start(): Promise<void>;
  /** The position of the partition that is furthest behind, and whether all partitions have reached their ends. */
  readonly progress: { readonly position: Position | null; readonly isCaughtUp: boolean };
  readonly state: FollowerStatus['state'];
  stop(): Promise<void>;
}

const BATCH = 500;
/** Messages in one transaction. Many subscribers of many changes must not block everyone else. */
const MESSAGES_PER_TRANSACTION = 1000;
/** Records without messages before the position is stored. After a crash at most this many are read again in vain. */
const IDLE_RECORDS_BEFORE_STORING = 5000;
/** How long to wait before the gate is checked again, in milliseconds. */
const GATE_PAUSE = 1000;
/** The position of a partition that is still empty. */
const START_POSITION = toPosition(0n);

/** The progress of a partition. */
interface PartitionProgress {
  readonly partition: string;
  /** Up to this position the partition was read. */
  position: Position;
  storedPosition: Position;
  /** Records read since the position was stored. */
  idleRecords: number;
  isCaughtUp: boolean;
}

export function createWebhookPublisher(parts: PublisherParts): WebhookPublisher {
  const { feed, store, mapRecords, recordTypes, onPublished, onError, batchSize = BATCH } = parts;
  const { now = Date.now, gate = alwaysOpenGate, setTimer = realTimer, delay = realDelay } = parts;
  const {
    breathe = async () => {},
    subjectOf = async () => null,
    nameOf = (slug) => slug,
    merged,
    isSimulated = () => false,
  } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The partitions that this publisher has at present. */
  const progressByPartition = new Map<string, PartitionProgress>();
  let isStopped = false;
  let known: { readonly version: number; readonly matching: SubscriptionMatcher } | undefined;
  let running: Promise<void> = Promise.resolve();

  /** The present subscriptions. They include all that existed when the records at hand were recorded. */
  async function loadMatcher(): Promise<SubscriptionMatcher> {
    const version = await store.activeVersion();
    if (known?.version !== version) {
      const active = await store.active();
      const books = await parts.booksOf?.([...new Set(active.map(({ accountId }) => accountId))]);
      known = { version, matching: createSubscriptionMatcher(active, merged, books) };
    }
    return known.matching;
  }

  async function createMessages(
    records: readonly LogRecord[],
    subscriptions: SubscriptionMatcher,
  ): Promise<NewMessage[]> {
    const changes = await mapRecords(records, subscriptions.isWanted, subscriptions.listsFor);
    const committed = records.at(-1)!.position;
    return subscriptions.createMessages(changes, {
      now: now(),
      subjectOf: (change) => subjectOf(change, committed),
      nameOf,
      isSimulated: isSimulated(),
      breathe,
    });
  }

  async function publish(
    progress: PartitionProgress,
    records: readonly LogRecord[],
    upTo: Position,
    recordCount: number,
  ): Promise<void> {
    const { partition } = progress;
    const subscriptions = records.length > 0 ? await loadMatcher() : undefined;
    const messages = subscriptions && subscriptions.size > 0 ? await createMessages(records, subscriptions) : [];
    const receivers = new Set(messages.map(({ subscriptionId }) => subscriptionId));
    if (receivers.size === 0 && recordCount < IDLE_RECORDS_BEFORE_STORING) {
      progress.idleRecords = recordCount;
      return;
    }
    // Only the last transaction moves the position. After a crash the same ids are made again.
    while (messages.length > MESSAGES_PER_TRANSACTION) {
      await store.publish(messages.splice(0, MESSAGES_PER_TRANSACTION), {
        partition,
        position: progress.storedPosition,
      });
      await breathe();
    }
    await store.publish(messages, { partition, position: upTo });
    progress.storedPosition = upTo;
    progress.idleRecords = 0;
    if (receivers.size > 0) onPublished(receivers);
  }

  async function handle(message: RecordFeedMessage): Promise<void> {
    const progress = progressByPartition.get(message.partition);
    // Another publisher has the partition now, and reads its position from the store.
    if (!progress) return;
    if (message.kind === 'records') {
      while (!gate.isOpen) await delay(GATE_PAUSE, signal);
      await publish(progress, message.records, message.position, progress.idleRecords + message.count);
      progress.position = message.position;
    }
    progress.isCaughtUp = message.kind === 'caught-up' || (message.kind === 'records' && progress.isCaughtUp);
  }

  /** Where to start in a newly assigned partition. Only the stored position counts, not any earlier memory. */
  async function startPartition(partition: string): Promise<Position> {
    const storedPosition = toPosition((await store.publisherPositions()).get(partition) ?? START_POSITION);
    progressByPartition.set(partition, {
      partition,
      position: storedPosition,
      storedPosition,
      idleRecords: 0,
      isCaughtUp: false,
    });
    return storedPosition;
  }

  function keepOnly(partitions: ReadonlySet<string>): void {
    for (const partition of progressByPartition.keys())
      if (!partitions.has(partition)) progressByPartition.delete(partition);
  }

  function followFeed(): Promise<void> {
    const isUrgent = ({ type }: LogRecord) => recordTypes.has(type);
    const reading = {
      readers: { group: 'webhooks' },
      after: startPartition,
      onAssigned: keepOnly,
      types: recordTypes,
      isUrgent,
    } as const;
    const sizes = { batchSize, bufferLimit: batchSize * 8 };
    return followRecordFeed(feed, { ...reading, ...sizes, setTimer, signal, delay, onRetry: onError }, handle);
  }

  /** Records from before the first subscription need no messages. */
  async function storeStartPositions(): Promise<void> {
    const ends = await feed.endPositions();
    // Another publisher may have started meanwhile, and a new subscription may want records before the ends just read.
    // So existing positions are kept.
    const positions = await store.publisherPositions();
    for (const [partition, end] of ends) {
      if (!positions.has(partition)) await store.publish([], { partition, position: end ?? START_POSITION });
    }
  }

  const isCaughtUp = () =>
    progressByPartition.size > 0 && [...progressByPartition.values()].every((progress) => progress.isCaughtUp);

  return {
    get progress() {
      const positions = [...progressByPartition.values()].map(({ position }) => position);
      return { position: positions.reduce(earlier, positions[0] ?? null), isCaughtUp: isCaughtUp() };
    },
    get state() {
      if (isStopped) return 'stopped';
      return isCaughtUp() ? 'live' : 'catching-up';
    },
    async start() {
      await storeStartPositions();
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
      // Saves the next start from reading records without messages again.
      for (const { partition, position, storedPosition } of progressByPartition.values()) {
        if (position !== storedPosition) await store.publish([], { partition, position }).catch(onError);
      }
    },
  };
}

const earlier = (a: Position | null, b: Position): Position => (a === null || isBefore(b, a) ? b : a);
