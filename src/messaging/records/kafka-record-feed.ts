import { partitionOf } from '../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type {
  RecordFeed,
  RecordFeedOptions,
  RecordFeedSubscription,
} from '../../event-log/subscription/record-feed.ts';
import type { BrokerClient, ConsumerLag } from '../broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../broker/topics.ts';
import { createRecordFeedReader, maxBufferedBytes, type RecordFeedParts } from './record-feed-reader.ts';
import { readTopicEnds } from './topic-ends.ts';

/** A member that sends no heartbeat for this long loses its partitions; milliseconds. */
const SESSION_MS = 10_000;

export interface KafkaRecordFeedOptions {
  readonly broker: BrokerClient;
  /** Records that the broker has dropped are read from the log. */
  readonly log: Pick<EventLog, 'readAllFrom' | 'head'>;
  /** Brings records to the newest version of their data; see `upcastRecord`. */
  readonly upcast?: (record: LogRecord) => LogRecord;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Milliseconds. */
  readonly sessionMs?: number;
}

export interface KafkaRecordFeed extends RecordFeed {
  /** The largest buffer of one subscription, in bytes of messages that it has not delivered. */
  readonly bufferedBytes: number;
  /** The maximum of `bufferedBytes`. */
  readonly bufferedBytesLimit: number;
  /** The number of partitions of this process, by group. */
  assignedPartitions(): ReadonlyMap<string, number>;
  /** The lag of this process in each group. */
  lags(): readonly ConsumerLag[];
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The records of the log, as the relay has written them to topics. A partition of the feed has the same number in all
 * topics of facts. Its name is that number.
 */
export function openKafkaRecordFeed(options: KafkaRecordFeedOptions): KafkaRecordFeed {
  const { broker, log, topics = topicsWithPrefix() } = options;
  const { partitions = topics.partitions, sessionMs = SESSION_MS, upcast = (record) => record } = options;
  const parts: RecordFeedParts = { broker, log, upcast, topics, partitions, sessionMs, openReaders: new Set() };
  const reader = broker.openReader(topics.facts);

  /** The ends of the partitions. Records that the relay has not written yet are read from the log. */
  async function ends(): Promise<Map<string, Position | null>> {
    const found = await readTopicEnds(
      reader,
      topics.facts.flatMap((topic) => Array.from({ length: partitions }, (_, partition) => ({ topic, partition }))),
    );
    const lastPositions: (Position | null)[] = Array.from({ length: partitions }, () => null);
    let written: Position | null = null;
    for (const { partition, last } of found) {
      if (!last) continue;
      const end = last.isMarker ? last.previous : last.position;
      if (isBefore(lastPositions[partition]!, end)) lastPositions[partition] = end;
      if (isBefore(written, last.position)) written = last.position;
    }
    if (isBefore(written, await log.head())) {
      for await (const page of log.readAllFrom(written)) {
        for (const { meta, position } of page) lastPositions[partitionOf(meta.partition, partitions)] = position;
      }
    }
    return new Map(lastPositions.map((position, number) => [String(number), position]));
  }

  return {
    endPositions: ends,
    subscribe: (wanted: RecordFeedOptions): RecordFeedSubscription => createRecordFeedReader(parts, wanted),
    bufferedBytesLimit: maxBufferedBytes(topics.facts.length * partitions),
    get bufferedBytes() {
      return Math.max(0, ...[...parts.openReaders].map(({ bytes }) => bytes));
    },
    assignedPartitions() {
      const groups = new Map<string, number>();
      for (const { group, partitions: count } of parts.openReaders) {
        if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + count);
      }
      return groups;
    },
    lags: () => [...parts.openReaders].flatMap((reader) => reader.lags()),
    ping: () => broker.ping(),
    close: () => reader.close(),
  };
}
