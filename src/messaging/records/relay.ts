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

/** Records of one transaction, at most. */
const BATCH = 500;
const BUFFER = 4000;
/** A partition in which nothing is written for so long gets a mark, before its last record becomes too old. */
const MARKER_EVERY = DAY;
/** Who was fenced takes over when the log goes on for so long and the topics do not; milliseconds. */
const SILENCE = 5000;
const LOOK_EVERY = 500;

interface RelayOptions {
  readonly broker: BrokerClient;
  readonly log: Pick<EventLog, 'readAllFrom' | 'onCommitted' | 'head'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly delay: Delay;
  readonly partitionCountStore?: PartitionCountStore;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Each time that it has to begin anew, so that nothing waits unseen. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

export interface Relay {
  /** Up to here everything is written, as far as this process knows; null: nothing yet. */
  readonly position: Position | null;
  /** `standby`: another one writes. */
  readonly state: 'beginning' | 'writing' | 'standby' | 'ended';
  /** Rejects when it has met what it cannot go on with (`PartitionsChanged`, `UnknownEventVersion`). */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Writes every record of the log into the topics, once and in order, as the only one who does so. */
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

  /** The end of each partition, as records tell what comes before them; and when it was last written to. */
  let lasts: (Position | null)[] = [];
  let writtenAt: number[] = [];

  async function readPlace(): Promise<Position | null> {
    const reader = broker.openReader(topics.facts);
    try {
      const ends = await readTopicEnds(reader, all);
      lasts = Array.from({ length: partitions }, () => null);
      let place: Position | null = null;
      for (const { partition, last } of ends) {
        if (!last) continue;
        const end = last.isMarker ? last.previous : last.position;
        if (isBefore(lasts[partition]!, end)) lasts[partition] = end;
        if (isBefore(place, last.position)) place = last.position;
      }
      return place;
    } finally {
      await reader.close();
    }
  }

  /** Nothing is there yet, or nothing any more: what is in the log already, readers have from the log. */
  async function beginTopics(transactions: Transactions): Promise<Position | null> {
    const head = await log.head();
    lasts = Array.from({ length: partitions }, () => head);
    if (head !== null) await transactions.write(marks(head, Array.from(lasts.keys()), head));
    return head;
  }

  function marks(at: Position, numbers: readonly number[], previous?: Position): OutgoingMessage[] {
    for (const number of numbers) writtenAt[number] = now();
    return numbers.map((partition) =>
      encodeMarker({ topic: topics.facts[0]!, partition }, at, previous ?? lasts[partition]!),
    );
  }

  /** Of partitions in which nothing has been written for long. */
  function dueMarks(at: Position | null): OutgoingMessage[] {
    if (at === null) return [];
    const due = [...lasts.keys()].filter((number) => now() - (writtenAt[number] ?? 0) >= MARKER_EVERY);
    return due.length === 0 ? [] : marks(at, due);
  }

  function messageOf(record: LogRecord): OutgoingMessage {
    const partition = partitionOf(record.meta.partition, partitions);
    const previous = lasts[partition]!;
    lasts[partition] = record.position;
    writtenAt[partition] = now();
    return encodeRecord({ topic: topics.facts[factsTopicIndex(record.stream)]!, partition }, record, previous);
  }

  async function writeOn(transactions: Transactions): Promise<void> {
    // After the transactions of the one before have been ended: what it wrote last stands.
    const found = await readPlace();
    position = found ?? (await beginTopics(transactions));
    writtenAt = lasts.map(() => now());
    state = 'writing';
    const records = subscribeToLog(log, { after: position, batchSize: BATCH, bufferLimit: BUFFER, signal });
    try {
      for await (const message of records) {
        if (message.kind !== 'records') continue;
        const before = dueMarks(position);
        await transactions.write([...before, ...message.records.map(messageOf)]);
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
      await writeOn(transactions);
    } finally {
      await transactions.close();
    }
  }

  /** Until nobody writes though there is something to be written. */
  async function standBy(): Promise<void> {
    state = 'standby';
    let seen: Position | null | undefined;
    let since = performance.now();
    while (!signal.aborted) {
      const [place, head] = await Promise.all([readPlace(), log.head()]).catch(() => [seen ?? null, null] as const);
      if (place !== seen || !isBefore(place, head)) since = performance.now();
      seen = place;
      if (performance.now() - since >= SILENCE) return;
      await delay(LOOK_EVERY, signal).catch(() => {});
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
