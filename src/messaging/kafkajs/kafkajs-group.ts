import { setTimeout } from 'node:timers/promises';
import type { Consumer, Kafka } from 'kafkajs';
import type { ConsumeOptions, GroupMember, GroupMemberOptions, RunningConsumer } from '../broker/broker-client.ts';
import { toBrokerError } from './kafkajs-connection.ts';
import { toReceivedMessage } from './kafkajs-reader.ts';

/** Heartbeats per session, so that some may be lost. */
const HEARTBEATS_PER_SESSION = 5;
/** The pause before another attempt when the consumer could not start; milliseconds. */
const RESTART_DELAY_MS = 500;
/** How many batches of different partitions are processed at once. */
const MAX_CONCURRENT_BATCHES = 4;

function consumerOf(kafka: Kafka, group: string, sessionMs: number, maxBytes?: number): Consumer {
  const heartbeatInterval = Math.floor(sessionMs / HEARTBEATS_PER_SESSION);
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    rebalanceTimeout: sessionMs,
    heartbeatInterval,
    maxWaitTimeInMs: heartbeatInterval,
    allowAutoTopicCreation: false,
    ...(maxBytes !== undefined && { maxBytes, maxBytesPerPartition: maxBytes }),
    // The consumer restarts by itself, however long the broker is away.
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 5, restartOnFailure: async () => true },
  });
}

/** Joins a group only for the assignment of partitions. The member reads them in another way. */
export function joinGroup(kafka: Kafka, options: GroupMemberOptions): GroupMember {
  const { group, topic, sessionMs, onAssigned, onLost } = options;
  const consumer = consumerOf(kafka, group, sessionMs);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = payload.memberAssignment[topic] ?? [];
    // Pause before the consumer fetches any of them.
    if (partitions.length > 0) consumer.pause([{ topic, partitions: [...partitions] }]);
    onAssigned(partitions);
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (!payload.restart) onLost(toBrokerError(payload.error));
  });
  const begun = startConsumer(consumer, topic, () => consumer.run({ autoCommit: false, eachBatch: async () => {} }));
  begun.catch((error: unknown) => onLost(toBrokerError(error)));
  return {
    async leave() {
      await begun.catch(() => {});
      await consumer.disconnect().catch(() => {});
    },
  };
}

async function startConsumer(consumer: Consumer, topic: string, run: () => Promise<void>): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await run();
}

/** Delivers a group's messages batch by batch, and commits when it is told to. */
export function consumeGroup(kafka: Kafka, options: ConsumeOptions): RunningConsumer {
  const ending = new AbortController();
  const { signal } = ending;
  let partitions: readonly number[] = [];

  /** Runs one consumer until it ends, as it does by itself after some errors. */
  async function consumeOnce(): Promise<void> {
    const consumer = consumerOf(kafka, options.group, options.sessionMs, options.maxBytes);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      partitions = payload.memberAssignment[options.topic] ?? [];
    });
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        partitions = [];
        options.onError(toBrokerError(payload.error));
        if (!payload.restart) resolve();
      });
    });
    try {
      await startConsumer(consumer, options.topic, () => runConsumer(consumer, options, signal));
      await ended;
    } finally {
      await consumer.disconnect().catch(() => {});
    }
  }

  async function consumeUntilAborted(): Promise<void> {
    while (!signal.aborted) {
      await consumeOnce().catch((error: unknown) => options.onError(toBrokerError(error)));
      await setTimeout(RESTART_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }

  const consuming = consumeUntilAborted();
  return {
    get partitions() {
      return partitions;
    },
    async close() {
      ending.abort();
      await consuming;
    },
  };
}

const runConsumer = (consumer: Consumer, { topic, onBatch }: ConsumeOptions, signal: AbortSignal) =>
  consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: MAX_CONCURRENT_BATCHES,
    async eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }) {
      const { partition } = batch;
      const next = Number(batch.lastOffset()) + 1;
      const isAssigned = () => isRunning() && !isStale() && !signal.aborted;
      if (!isAssigned()) return;
      const markCommitted = () => resolveOffset(batch.messages.at(-1)!.offset);
      await onBatch({
        topic,
        partition,
        next,
        end: Number(batch.highWatermark),
        isAssigned,
        heartbeat,
        markCommitted,
        messages: batch.messages.map(toReceivedMessage),
        async commit() {
          await consumer.commitOffsets([{ topic, partition, offset: String(next) }]);
          markCommitted();
        },
      });
    },
  });
