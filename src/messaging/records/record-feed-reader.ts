import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type {
  RecordFeedMessage,
  RecordFeedOptions,
  RecordFeedSubscription,
} from '../../event-log/subscription/record-feed.ts';
import {
  type BrokerClient,
  type ConsumerLag,
  type FetchedMessages,
  type GroupMember,
  MAX_FETCH_WAIT_MS,
  type TopicPartition,
} from '../broker/broker-client.ts';
import type { Topics } from '../broker/topics.ts';
import { catchUpFromLog } from './log-catch-up.ts';
import { RecordFeedPartition } from './record-feed-partition.ts';
import { decodeRecordMessage } from './record-message.ts';
import { findReadStarts, readTopicEnds } from './topic-ends.ts';

/** How long the broker may hold a request that leaves out partitions: they wait as long when they have room again. */
const PARTIAL_FETCH_WAIT_MS = 200;
const FETCH_BYTES = { each: 128 * 1024, all: 2 * 1024 * 1024 } as const;
/** For one partition of one topic: while this many bytes are undelivered, no more is fetched. */
const MAX_UNDELIVERED_BYTES = 64 * 1024;
/**
 * The largest buffer of a reader of `partitions` topic partitions: the bytes at which it stops, plus one more request.
 */
export const maxBufferedBytes = (partitions: number): number => partitions * (MAX_UNDELIVERED_BYTES + FETCH_BYTES.each);
/** An earlier record of another topic normally comes within moments. After this time it is read from the log. */
const MAX_MISSING_MS = 500;

/** What all readers of a feed share. */
export interface RecordFeedParts {
  readonly broker: BrokerClient;
  /** Records that the broker has dropped are read from the log. */
  readonly log: Pick<EventLog, 'readAllFrom' | 'head'>;
  readonly upcast: (record: LogRecord) => LogRecord;
  readonly topics: Topics;
  readonly partitions: number;
  /** Milliseconds. */
  readonly sessionMs: number;
  readonly openReaders: Set<RecordFeedReaderStatus>;
}

/** The state of a reader, for metrics. */
interface RecordFeedReaderStatus {
  readonly bytes: number;
  readonly group: string | undefined;
  readonly partitions: number;
  lags(): readonly ConsumerLag[];
}

/** One reader of the feed: of every partition, or of those that its group assigns. */
export function createRecordFeedReader(feed: RecordFeedParts, options: RecordFeedOptions): RecordFeedSubscription {
  const { signal, readers } = options;
  const { topics, broker, log } = feed;
  const assigned = new Map<number, RecordFeedPartition>();
  const ending = new AbortController();
  const reader = broker.openReader(topics.facts);
  let turn = 0;
  let wake = () => {};
  let wakeFetch = () => {};
  let interruption = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  let member: GroupMember | undefined;
  let running: Promise<unknown> | undefined;
  let ended: Promise<void> | undefined;
  const status: RecordFeedReaderStatus = {
    group: readers === 'all' ? undefined : readers.group,
    get bytes() {
      return [...assigned.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    },
    get partitions() {
      return assigned.size;
    },
    lags(): ConsumerLag[] {
      const { group } = status;
      if (group === undefined) return [];
      return [...assigned.values()].flatMap(({ number, offsets, ends }) =>
        offsets.map((offset, index) => ({
          group,
          topic: topics.facts[index]!,
          partition: number,
          messages: Math.max(0, ends[index]! - offset),
        })),
      );
    },
  };

  function fail(error: unknown): void {
    if (ending.signal.aborted) return;
    failure ??= { error };
    wake();
  }

  function begin(): void {
    feed.openReaders.add(status);
    const head = options.after === 'now' ? log.head() : undefined;
    head?.catch(() => {});
    const startPositionOf = async (name: string) => (options.after === 'now' ? (await head)! : options.after(name));
    const onAssigned = (numbers: readonly number[]) => assign(numbers, startPositionOf);
    if (readers === 'all') onAssigned(Array.from({ length: feed.partitions }, (_, number) => number));
    else {
      const group = topics.prefix + readers.group;
      const { sessionMs } = feed;
      member = broker.joinGroup({ group, topic: topics.facts[0]!, sessionMs, onAssigned, onLost: fail });
    }
    running = fetchOn().catch(fail);
  }

  function assign(numbers: readonly number[], startPositionOf: (name: string) => Promise<Position | null>): void {
    if (ending.signal.aborted) return;
    const stillAssigned = new Set(numbers);
    for (const [number, partition] of assigned) {
      if (stillAssigned.has(number)) continue;
      partition.isRevoked = true;
      assigned.delete(number);
    }
    options.onAssigned?.(new Set(numbers.map(String)));
    const added = numbers.filter((number) => !assigned.has(number));
    const partitions = added.map(
      (number) => new RecordFeedPartition(number, topics.facts.length, options, feed.upcast),
    );
    for (const partition of partitions) assigned.set(partition.number, partition);
    if (partitions.length > 0) startPartitions(partitions, startPositionOf).catch(fail);
  }

  /** Finds the start offsets of the partitions, and reads from the log what only the log has. */
  async function startPartitions(
    partitions: readonly RecordFeedPartition[],
    startPositionOf: (name: string) => Promise<Position | null>,
  ): Promise<void> {
    const positions = await Promise.all(partitions.map(({ name }) => startPositionOf(name)));
    const all = topics.facts.flatMap((topic) => partitions.map(({ number }) => ({ topic, partition: number })));
    const { ends, starts } = await findStarts(all, (i) => positions[i % partitions.length]!);
    for (const [i, partition] of partitions.entries()) {
      const indexes = topics.facts.map((_, topic) => topic * partitions.length + i);
      partition.start(
        positions[i]!,
        indexes.map((one) => starts[one]!),
        indexes.map((one) => ends[one]!.last?.position ?? null),
      );
    }
    wake();
    wakeFetch();
    // The fetch that waits now does not have these partitions.
    interruption.abort();
    await readLog(partitions.filter(({ readLogTo }) => readLogTo !== null));
  }

  /** By a reader of its own, since a fetch that waits delays all requests after it. */
  async function findStarts(all: readonly TopicPartition[], placeOf: (index: number) => Position | null) {
    const asking = broker.openReader(topics.facts);
    try {
      const ends = await readTopicEnds(asking, all);
      let written: Position | null = null;
      for (const { last } of ends) if (last && isBefore(written, last.position)) written = last.position;
      const wanted = ends.map((end, i) => ({ end, place: placeOf(i) }));
      return { ends, starts: await findReadStarts(asking, wanted, written) };
    } finally {
      await asking.close();
    }
  }

  async function readLog(partitions: readonly RecordFeedPartition[]): Promise<void> {
    if (partitions.length === 0) return;
    await catchUpFromLog(log, feed.partitions, partitions, () => wake());
    wake();
    wakeFetch();
  }

  async function fetchOn(): Promise<void> {
    while (!ending.signal.aborted) {
      interruption = new AbortController();
      const all = [...assigned.values()].flatMap((partition) =>
        topics.facts.map((topic, index) => ({ topic, index, partition })),
      );
      const spots = all
        .filter(({ partition, index }) => partition.needsMore(index, MAX_UNDELIVERED_BYTES))
        .map(({ topic, index, partition }) => ({
          topic,
          partition: partition.number,
          offset: partition.offsets[index]!,
        }));
      if (spots.length === 0) {
        await new Promise<void>((resolve) => {
          wakeFetch = resolve;
          ending.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        continue;
      }
      const waitMs = spots.length < all.length ? PARTIAL_FETCH_WAIT_MS : MAX_FETCH_WAIT_MS;
      for (const one of await fetchUntilInterrupted(spots, waitMs)) {
        const spot = spots.find(({ topic, partition }) => topic === one.topic && partition === one.partition);
        addFetched(one, spot!.offset);
      }
    }
  }

  async function fetchUntilInterrupted(spots: Parameters<typeof reader.fetch>[0], waitMs: number) {
    const { signal } = interruption;
    try {
      return await reader.fetch(spots, { waitMs, maxBytes: FETCH_BYTES, signal });
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }

  /** Adds fetched messages. The partition may have been revoked meanwhile, or assigned again. */
  function addFetched({ topic, partition: number, messages, next, end: last }: FetchedMessages, offset: number): void {
    const partition = assigned.get(number);
    const index = topics.facts.indexOf(topic);
    if (!partition?.needsMore(index, MAX_UNDELIVERED_BYTES)) return;
    partition.push(index, offset, { next, end: last }, messages.map(decodeRecordMessage));
    if (messages.length > 0) wake();
  }

  /** The next message that can be delivered. The partitions take turns. */
  function produce(): RecordFeedMessage | undefined {
    const partitions = [...assigned.values()];
    for (let tries = 0; tries < partitions.length; tries++) {
      const partition = partitions[(turn + tries) % partitions.length]!;
      const message = partition.nextMessage(performance.now() - MAX_MISSING_MS);
      if (partition.readLogTo !== null && !partition.isReadingLog) readLog([partition]).catch(fail);
      if (!message) continue;
      turn = (turn + tries + 1) % partitions.length;
      wakeFetch();
      return message;
    }
    return undefined;
  }

  /** @param looksAgain also goes on after a while, because what is missing may be missing for too long then */
  function woken(looksAgain: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = looksAgain ? setTimeout(resolve, MAX_MISSING_MS / 2) : undefined;
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function end(): Promise<void> {
    ended ??= (async () => {
      ending.abort();
      signal?.removeEventListener('abort', end);
      for (const partition of assigned.values()) partition.isRevoked = true;
      assigned.clear();
      feed.openReaders.delete(status);
      wake();
      await Promise.all([member?.leave(), reader.close(), running]);
    })();
    return ended;
  }

  if (signal?.aborted) void end();
  else signal?.addEventListener('abort', end);

  return {
    async next() {
      if (!running && !ending.signal.aborted) begin();
      while (!ending.signal.aborted) {
        let message: RecordFeedMessage | undefined;
        try {
          if (failure) throw failure.error;
          message = produce();
        } catch (error) {
          await end();
          throw error;
        }
        if (message) return { done: false, value: message };
        await woken([...assigned.values()].some(({ lacksEarlier }) => lacksEarlier));
      }
      return { done: true, value: undefined };
    },
    async return() {
      await end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
