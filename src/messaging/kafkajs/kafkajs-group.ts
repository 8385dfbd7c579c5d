import { setTimeout } from 'node:timers/promises';
import type { Consumer, Kafka } from 'kafkajs';
import type { ConsumeOptions, GroupMember, GroupMemberOptions, RunningConsumer } from '../broker/broker-client.ts';
import { toBrokerError } from './kafkajs-connection.ts';
import { toReceivedMessage } from './kafkajs-reader.ts';

/** Of a session: so many heartbeats may be lost. */
const HEARTBEATS = 5;
/** Where it could not begin at all; milliseconds. */
const BEGIN_AGAIN = 500;
/** Batches of different partitions that are worked on at once. */
const CONCURRENTLY = 4;

function consumerOf(kafka: Kafka, group: string, sessionMs: number, maxBytes?: number): Consumer {
  const heartbeatInterval = Math.floor(sessionMs / HEARTBEATS);
  return kafka.consumer({
    groupId: group,
    sessionTimeout: sessionMs,
    rebalanceTimeout: sessionMs,
    heartbeatInterval,
    maxWaitTimeInMs: heartbeatInterval,
    allowAutoTopicCreation: false,
    ...(maxBytes !== undefined && { maxBytes, maxBytesPerPartition: maxBytes }),
    // It begins again by itself, however long the broker is away.
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 5, restartOnFailure: async () => true },
  });
}

/** A member that is told its partitions, and reads them by another way. */
export function joinGroup(kafka: Kafka, options: GroupMemberOptions): GroupMember {
  const { group, topic, sessionMs, onAssigned, onLost } = options;
  const consumer = consumerOf(kafka, group, sessionMs);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    const partitions = payload.memberAssignment[topic] ?? [];
    // Before it fetches any of them.
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

/** Hands a group's messages over, batch by batch, and commits how far it is when it is told to. */
export function consumeGroup(kafka: Kafka, options: ConsumeOptions): RunningConsumer {
  const ending = new AbortController();
  const { signal } = ending;
  let partitions: readonly number[] = [];

  /** Until it has ended, as it does by itself after some errors. */
  async function consumeOnce(): Promise<void> {
    const consumer = consumerOf(kafka, options.group, options.sessionMs, options.maxBytes);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      partitions = payload.memberAssignment[options.topic] ?? [];
    });
    const over = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        partitions = [];
        options.onError(toBrokerError(payload.error));
        if (!payload.restart) resolve();
      });
    });
    try {
      await startConsumer(consumer, options.topic, () => runConsumer(consumer, options, signal));
      await over;
    } finally {
      await consumer.disconnect().catch(() => {});
    }
  }

  async function consumeOn(): Promise<void> {
    while (!signal.aborted) {
      await consumeOnce().catch((error: unknown) => options.onError(toBrokerError(error)));
      await setTimeout(BEGIN_AGAIN, undefined, { signal }).catch(() => {});
    }
  }

  const consuming = consumeOn();
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
    partitionsConsumedConcurrently: CONCURRENTLY,
    async eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }) {
      const { partition } = batch;
      const next = Number(batch.lastOffset()) + 1;
      const isAssigned = () => isRunning() && !isStale() && !signal.aborted;
      if (!isAssigned()) return;
      const markCommitted = () => resolveOffset(batch.messages.at(-1)!.offset);
      await onBatch({
        ...{
          topic,
          partition,
          next,
          end: Number(batch.highWatermark),
          isAssigned,
          heartbeat,
          markCommitted,
        },
        messages: batch.messages.map(toReceivedMessage),
        async commit() {
          await consumer.commitOffsets([{ topic, partition, offset: String(next) }]);
          markCommitted();
        },
      });
    },
  });
