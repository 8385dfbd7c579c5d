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

/** A process that dies or stands still in the middle of a transaction holds up readers no longer than this. */
const TRANSACTION_TIMEOUT = 10_000;
/** Bytes that are sent at once: what goes to one partition then must fit into one batch. */
const SENT_BYTES = 512 * 1024;
/** The one before is ended by the broker some milliseconds after it was told to: so long the next is refused. */
const TRANSACTION_RETRY = { ...RETRY, initialRetryTime: 3, multiplier: 1.5, maxRetryTime: 200, retries: 30 };

export function openKafkajsProducer(kafka: Kafka): Producer {
  let connected: Promise<ClientProducer> | undefined;

  async function connect(): Promise<ClientProducer> {
    const producer = kafka.producer({
      ...{ allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner, retry: RETRY },
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
        // The connection may be dead without anybody knowing.
        void disconnect();
        throw error;
      }
    },
    close: disconnect,
  };
}

/** @param onRoundTrip called once for each write, which is the broker's three requests: to begin, to send, to commit */
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
    // The first one fences those who were before.
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
        const { group, topic, partition, next: place } = offsets;
        const topics = [{ topic, partitions: [{ partition, offset: String(place) }] }];
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
  let part: OutgoingMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const own = (message.value?.length ?? 0) + (message.key?.length ?? 0);
    if (part.length > 0 && bytes + own > SENT_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(message);
    bytes += own;
  }
  if (part.length > 0) yield part;
}

function sendRequestOf(messages: readonly OutgoingMessage[]) {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, partition, key, value, headers } of messages) {
    const own = topics.get(topic) ?? { topic, messages: [] };
    own.messages.push({ key, value, ...(headers && { headers }), ...(partition !== undefined && { partition }) });
    topics.set(topic, own);
  }
  return {
    acks: -1,
    timeout: REQUEST_TIMEOUT,
    compression: CompressionTypes.None,
    topicMessages: [...topics.values()],
  };
}
