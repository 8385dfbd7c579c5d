import { partitionOf } from '../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { subscribeToLog } from '../../event-log/subscription/log-subscription.ts';
import { backoffAfter, type Delay } from '../../platform/async/retry.ts';
import type { BrokerClient, OutgoingMessage, Transactions } from '../broker/broker-client.ts';
import { ProducerFenced } from '../broker/broker-client.ts';
import {
  factsTopicIndex,
  makeTopics,
  type PartitionCountStore,
  PartitionsChanged,
  type Topics,
  topicsWithPrefix,
} from '../broker/topics.ts';
import { encodeMarker, encodeRecord } from './record-message.ts';
import { readTopicEnds } from './topic-ends.ts';

/** The maximum number of records in one transaction. */
const MAX_BATCH_RECORDS = 500;
const MAX_BUFFERED_RECORDS = 4000;
/** A partition without a new message gets a marker after this time, before the broker drops its last record. */
const MARKER_INTERVAL_MS = DAY;
/** A fenced relay takes over when the log grows but the topics do not for this long; milliseconds. */
const TAKEOVER_AFTER_MS = 5000;
const POLL_INTERVAL_MS = 500;

interface RelayOptions {
  readonly broker: BrokerClient;
  readonly log: Pick<EventLog, 'readAllFrom' | 'onCommitted' | 'head'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly delay: Delay;
  readonly partitionCountStore?: PartitionCountStore;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Called whenever the relay has to begin again, so that no wait goes unreported. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

export interface Relay {
  /** Everything up to here is written, as far as this process knows; null: nothing yet. */
  readonly position: Position | null;
  /** `standby`: another relay writes. */
  readonly state: 'beginning' | 'writing' | 'standby' | 'ended';
  /** Rejects when the relay cannot continue (`PartitionsChanged`, `UnknownEventVersion`). */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Writes every record of the log to the topics, once and in order. Only one relay writes at a time. */
export function openRelay(options: RelayOptions): Relay {
  const { broker, log, now, delay, partitionCountStore, onRetry } = options;
  const { topics = topicsWithPrefix(), partitions = topics.partitions } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const all = topics.facts.flatMap((topic) =>
    Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
  );
  let position: Position | null = null;
  let state: Relay['state'] = 'beginning';
  let attempt = 0;

  /**
   * The end of each partition, which the next record names as its `previous`; and when the partition was last written
   * to.
   */
  let partitionEnds: (Position | null)[] = [];
  let writtenAt: number[] = [];

  async function readWrittenPosition(): Promise<Position | null> {
    const reader = broker.openReader(topics.facts);
    try {
      const ends = await readTopicEnds(reader, all);
      partitionEnds = Array.from({ length: partitions }, () => null);
      let written: Position | null = null;
      for (const { partition, last } of ends) {
        if (!last) continue;
        const end = last.isMarker ? last.previous : last.position;
        if (isBefore(partitionEnds[partition]!, end)) partitionEnds[partition] = end;
        if (isBefore(written, last.position)) written = last.position;
      }
      return written;
    } finally {
      await reader.close();
    }
  }

  /** The topics have no message, or no longer any. Readers get the existing records from the log, so mark its end. */
  async function beginTopics(transactions: Transactions): Promise<Position | null> {
    const head = await log.head();
    partitionEnds = Array.from({ length: partitions }, () => head);
    if (head !== null) await transactions.write(markers(head, Array.from(partitionEnds.keys()), head));
    return head;
  }

  function markers(at: Position, numbers: readonly number[], previous?: Position): OutgoingMessage[] {
    for (const number of numbers) writtenAt[number] = now();
    return numbers.map((partition) =>
      encodeMarker({ topic: topics.facts[0]!, partition }, at, previous ?? partitionEnds[partition]!),
    );
  }

  /** Markers for the partitions that nothing was written to for a long time. */
  function dueMarkers(at: Position | null): OutgoingMessage[] {
    if (at === null) return [];
    const due = [...partitionEnds.keys()].filter((number) => now() - (writtenAt[number] ?? 0) >= MARKER_INTERVAL_MS);
    return due.length === 0 ? [] : markers(at, due);
  }

  function messageOf(record: LogRecord): OutgoingMessage {
    const partition = partitionOf(record.meta.partition, partitions);
    const previous = partitionEnds[partition]!;
    partitionEnds[partition] = record.position;
    writtenAt[partition] = now();
    return encodeRecord({ topic: topics.facts[factsTopicIndex(record.stream)]!, partition }, record, previous);
  }

  async function writeUntilAborted(transactions: Transactions): Promise<void> {
    // Read this only after the former relay's transactions have ended, so that its last message is final.
    const found = await readWrittenPosition();
    position = found ?? (await beginTopics(transactions));
    writtenAt = partitionEnds.map(() => now());
    state = 'writing';
    const records = subscribeToLog(log, {
      after: position,
      batchSize: MAX_BATCH_RECORDS,
      bufferLimit: MAX_BUFFERED_RECORDS,
      signal,
    });
    try {
      for await (const message of records) {
        if (message.kind !== 'records') continue;
        const markersDue = dueMarkers(position);
        await transactions.write([...markersDue, ...message.records.map(messageOf)]);
        position = message.position;
        attempt = 0;
      }
    } finally {
      await records.return();
    }
  }

  async function writeOnce(): Promise<void> {
    await makeTopics(broker, topics, ['facts'], { partitions, kept: partitionCountStore });
    const transactions = await broker.openTransactions(topics.relayTransactionalId);
    try {
      await writeUntilAborted(transactions);
    } finally {
      await transactions.close();
    }
  }

  /** Waits until no relay writes although the log has grown. */
  async function standBy(): Promise<void> {
    state = 'standby';
    let seen: Position | null | undefined;
    let changedAt = performance.now();
    while (!signal.aborted) {
      const [current, head] = await Promise.all([readWrittenPosition(), log.head()]).catch(
        () => [seen ?? null, null] as const,
      );
      if (current !== seen || !isBefore(current, head)) changedAt = performance.now();
      seen = current;
      if (performance.now() - changedAt >= TAKEOVER_AFTER_MS) return;
      await delay(POLL_INTERVAL_MS, signal).catch(() => {});
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        state = 'beginning';
        await writeOnce();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof PartitionsChanged || (error as { code?: string }).code === 'unknown_event_version')
          throw error;
        onRetry(error, ++attempt);
        if (error instanceof ProducerFenced) await standBy();
        else await delay(backoffAfter(attempt), signal).catch(() => {});
      }
    }
  }

  const ended = run().finally(() => {
    state = 'ended';
  });
  ended.catch(() => {});
  return {
    ended,
    get position() {
      return position;
    },
    get state() {
      return state;
    },
    async close() {
      ending.abort();
      await ended.catch(() => {});
    },
  };
}
