import { type Admin, Kafka } from 'kafkajs';
import { parseKafkaAddress } from '../../platform/settings/kafka-address.ts';
import type { BrokerClient, TopicSettings } from '../broker/broker-client.ts';
import { kafkaConfigOf, retryTransientErrors } from './kafkajs-connection.ts';
import { consumeGroup, joinGroup } from './kafkajs-group.ts';
import { letIdleConnectionsSleep } from './kafkajs-idle-connections.ts';
import { openKafkajsProducer, openKafkajsTransactions } from './kafkajs-producers.ts';
import { openKafkajsReader } from './kafkajs-reader.ts';

const MAX_REPLICAS = 3;
letIdleConnectionsSleep();

export interface KafkajsBrokerOptions {
  /** In the form that `parseKafkaAddress` reads. */
  readonly url: string;
  /** Called before each request for messages or offsets, and once for each transaction. */
  readonly onRoundTrip?: () => void;
}

/** Connects at the first request. @throws RangeError when the address has another form */
export function openKafkajsBroker({ url, onRoundTrip = () => {} }: KafkajsBrokerOptions): BrokerClient {
  const config = kafkaConfigOf(parseKafkaAddress(url));
  const kafka = new Kafka(config);
  let connected: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const admin = kafka.admin();
    await admin.connect();
    return admin;
  }

  async function disconnect(): Promise<void> {
    const before = connected;
    connected = undefined;
    await before?.then((admin) => admin.disconnect()).catch(() => {});
  }

  async function withAdmin<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await retryTransientErrors(async () => {
        connected ??= connect();
        return request(await connected);
      });
    } catch (error) {
      // The connection may be dead without an error.
      void disconnect();
      throw error;
    }
  }

  async function makeTopics(admin: Admin, topics: readonly TopicSettings[]): Promise<Map<string, number>> {
    const { brokers } = await admin.describeCluster();
    const present = new Set(await admin.listTopics());
    const missing = topics.filter(({ topic }) => !present.has(topic));
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: true,
        topics: missing.map(({ topic, partitions, retentionMs, maxBytes }) => ({
          topic,
          numPartitions: partitions,
          replicationFactor: Math.min(MAX_REPLICAS, brokers.length),
          configEntries: [
            { name: 'retention.ms', value: String(retentionMs) },
            { name: 'max.message.bytes', value: String(maxBytes) },
          ],
        })),
      });
    }
    const { topics: made } = await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) });
    return new Map(made.map(({ name, partitions }) => [name, partitions.length]));
  }

  async function committed(admin: Admin, group: string, topic: string): Promise<(number | null)[]> {
    const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    const offsets: (number | null)[] = [];
    for (const { partition, offset } of found!.partitions)
      offsets[partition] = Number(offset) < 0 ? null : Number(offset);
    return offsets;
  }

  return {
    makeTopics: (topics) => withAdmin((admin) => makeTopics(admin, topics)),
    openReader: (topics) => openKafkajsReader(config, topics, onRoundTrip),
    joinGroup: (options) => joinGroup(kafka, options),
    openProducer: () => openKafkajsProducer(kafka),
    openTransactions: (name) => openKafkajsTransactions(kafka, name, onRoundTrip),
    consume: (options) => consumeGroup(kafka, options),
    committed: (group, topic) => withAdmin((admin) => committed(admin, group, topic)),
    ping: () => withAdmin(async (admin) => void (await admin.describeCluster())),
    close: disconnect,
  };
}
