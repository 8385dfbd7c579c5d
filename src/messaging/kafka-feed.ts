import { partitionOf } from '../domain/partition-of.ts';
import { isBefore, type Position } from '../domain/position.ts';
import type { LogRecord } from '../domain/record.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { FeedOptions, FeedSubscription, RecordFeed } from '../event-log/record-feed.ts';
import type { BrokerClient, Lag } from './broker-client.ts';
import { createFeedReader, type FeedParts, mostHeld } from './feed-reader.ts';
import { readTopicEnds } from './topic-ends.ts';
import { type Topics, topicsNamed } from './topics.ts';

/** A member that is silent for so long has its partitions taken away; milliseconds. */
const SESSION = 10_000;

export interface KafkaFeedOptions {
  readonly broker: BrokerClient;
  /** What the broker has dropped is read from there. */
  readonly log: Pick<EventLog, 'readAllFrom' | 'head'>;
  /** Brings records up to the newest version of their data; see `upcastRecord`. */
  readonly upcast?: (record: LogRecord) => LogRecord;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Milliseconds. */
  readonly sessionMs?: number;
}

export interface KafkaFeed extends RecordFeed {
  /** The most that one subscription has in memory and has not handed over, in bytes. */
  readonly heldBytes: number;
  /** What that may come to. */
  readonly heldLimit: number;
  /** How many partitions this process has in each group. */
  assigned(): ReadonlyMap<string, number>;
  /** How far this process is behind in each group. */
  lags(): readonly Lag[];
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The records of the log as the relay has written them into topics. A partition of the feed is one number in all topics
 * of facts; its name is that number.
 */
export function openKafkaFeed(options: KafkaFeedOptions): KafkaFeed {
  const { broker, log, topics = topicsNamed() } = options;
  const { partitions = topics.partitions, sessionMs = SESSION, upcast = (record) => record } = options;
  const parts: FeedParts = { broker, log, upcast, topics, partitions, sessionMs, subscriptions: new Set() };
  const reader = broker.openReader(topics.facts);

  /** What the relay has not written yet is in the log. */
  async function ends(): Promise<Map<string, Position | null>> {
    const found = await readTopicEnds(
      reader,
      topics.facts.flatMap((topic) => Array.from({ length: partitions }, (_, partition) => ({ topic, partition }))),
    );
    const places: (Position | null)[] = Array.from({ length: partitions }, () => null);
    let written: Position | null = null;
    for (const { partition, last } of found) {
      if (!last) continue;
      const end = last.isMark ? last.previous : last.position;
      if (isBefore(places[partition]!, end)) places[partition] = end;
      if (isBefore(written, last.position)) written = last.position;
    }
    if (isBefore(written, await log.head())) {
      for await (const page of log.readAllFrom(written)) {
        for (const { meta, position } of page) places[partitionOf(meta.partition, partitions)] = position;
      }
    }
    return new Map(places.map((place, number) => [String(number), place]));
  }

  return {
    ends,
    subscribe: (wanted: FeedOptions): FeedSubscription => createFeedReader(parts, wanted),
    heldLimit: mostHeld(topics.facts.length * partitions),
    get heldBytes() {
      return Math.max(0, ...[...parts.subscriptions].map(({ bytes }) => bytes));
    },
    assigned() {
      const groups = new Map<string, number>();
      for (const { group, partitions: own } of parts.subscriptions) {
        if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + own);
      }
      return groups;
    },
    lags: () => [...parts.subscriptions].flatMap((reader) => reader.lags()),
    ping: () => broker.ping(),
    close: () => reader.close(),
  };
}
