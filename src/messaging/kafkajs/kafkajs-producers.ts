import {
  type Producer as ClientProducer,
  CompressionTypes,
  type Kafka,
  Partitioners,
  type TopicMessages,
  type Transaction,
} from 'kafkajs';
import type { OutgoingMessage, Producer, Transactions } from '../broker/broker-client.ts';
import { REQUEST_TIMEOUT, RETRY, retryTransientErrors, withBrokerErrors } from './kafkajs-connection.ts';

/** If a process dies or hangs in the middle of a transaction, its readers wait no longer than this. */
const TRANSACTION_TIMEOUT = 10_000;
/** Maximum bytes in one request, so that the messages for one partition fit into one batch. */
const MAX_BATCH_BYTES = 512 * 1024;
/** The broker ends the previous transaction some milliseconds after the commit. Until then it refuses the next one. */
const TRANSACTION_RETRY = { ...RETRY, initialRetryTime: 3, multiplier: 1.5, maxRetryTime: 200, retries: 30 };

export function openKafkajsProducer(kafka: Kafka): Producer {
  let connected: Promise<ClientProducer> | undefined;

  async function connect(): Promise<ClientProducer> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: RETRY,
    });
    await producer.connect();
    return producer;
  }

  async function disconnect(): Promise<void> {
    const before = connected;
    connected = undefined;
    await before?.then((producer) => producer.disconnect()).catch(() => {});
  }

  return {
    async send(messages) {
      try {
        await retryTransientErrors(async () => {
          connected ??= connect();
          const producer = await connected;
          for (const part of batchesOf(messages)) await producer.sendBatch(sendRequestOf(part));
        });
      } catch (error) {
        // The connection may be dead without an error.
        void disconnect();
        throw error;
      }
    },
    close: disconnect,
  };
}

/** @param onRoundTrip called once for each write, which takes three requests: begin, send, commit */
export async function openKafkajsTransactions(
  kafka: Kafka,
  name: string,
  onRoundTrip: () => void,
): Promise<Transactions> {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    transactionalId: name,
    transactionTimeout: TRANSACTION_TIMEOUT,
    maxInFlightRequests: 1,
    retry: TRANSACTION_RETRY,
  });
  let next: Transaction | undefined;
  const begin = async () => {
    await producer.connect();
    // The first transaction fences the processes that used the name before.
    next = await producer.transaction();
  };
  const disconnect = () => producer.disconnect().catch(() => {});
  try {
    await retryTransientErrors(begin);
  } catch (error) {
    void disconnect();
    throw error;
  }

  async function write(...[messages, offsets]: Parameters<Transactions['write']>): Promise<void> {
    onRoundTrip();
    const transaction = next ?? (await producer.transaction());
    next = undefined;
    try {
      for (const part of batchesOf(messages)) await transaction.sendBatch(sendRequestOf(part));
      if (offsets) {
        const { group, topic, partition, next: offset } = offsets;
        const topics = [{ topic, partitions: [{ partition, offset: String(offset) }] }];
        await transaction.sendOffsets({ consumerGroupId: group, topics });
      }
      await transaction.commit();
    } catch (error) {
      if (transaction.isActive()) await transaction.abort().catch(() => {});
      throw error;
    }
  }

  return { write: (...args) => withBrokerErrors(write(...args)), close: disconnect };
}

function* batchesOf(messages: readonly OutgoingMessage[]): Generator<readonly OutgoingMessage[]> {
  let batch: OutgoingMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = (message.value?.length ?? 0) + (message.key?.length ?? 0);
    if (batch.length > 0 && bytes + size > MAX_BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sendRequestOf(messages: readonly OutgoingMessage[]) {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, partition, key, value, headers } of messages) {
    const topicMessages = topics.get(topic) ?? { topic, messages: [] };
    topicMessages.messages.push({
      key,
      value,
      ...(headers && { headers }),
      ...(partition !== undefined && { partition }),
    });
    topics.set(topic, topicMessages);
  }
  return {
    acks: -1,
    timeout: REQUEST_TIMEOUT,
    compression: CompressionTypes.None,
    topicMessages: [...topics.values()],
  };
}
