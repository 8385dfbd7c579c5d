import type { Socket } from 'node:net';
import type { KafkaConfig } from 'kafkajs';
import Cluster, { type Broker, type FetchedPartition } from 'kafkajs/src/cluster/index.js';
import filterAbortedMessages from 'kafkajs/src/consumer/filterAbortedMessages.js';
import loggers from 'kafkajs/src/loggers/index.js';
import socketFactory from 'kafkajs/src/network/socketFactory.js';
import {
  type BrokerReader,
  type FetchedMessages,
  type FetchOptions,
  MAX_FETCH_WAIT_MS,
  type OffsetKind,
  type ReceivedMessage,
  type TopicPartition,
} from '../broker/broker-client.ts';
import { REQUEST_TIMEOUT, retryTransientErrors } from './kafkajs-connection.ts';

const READ_UNCOMMITTED = 0;
const READ_COMMITTED = 1;
const FIRST = -2;
const LAST = -1;
const METADATA_MAX_AGE = 60_000;
/** How long each of several leaders may wait for a message. */
const MAX_WAIT_OF_SEVERAL_MS = 200;

/** Reads partitions from any offset, without a group. */
export function openKafkajsReader(
  config: KafkaConfig,
  topics: readonly string[],
  onRoundTrip: () => void,
): BrokerReader {
  let connected: Connection | undefined;
  let isClosed = false;

  async function disconnect(): Promise<void> {
    const before = connected;
    connected = undefined;
    await before?.end();
  }

  /** Connects again after an error: the leader may have changed, and the connection may be dead without an error. */
  async function withCluster<T>(
    request: (cluster: Cluster) => Promise<T>,
    { waitMs = 0, signal }: Partial<Pick<FetchOptions, 'waitMs' | 'signal'>> = {},
  ): Promise<T> {
    const ask = async () => {
      if (isClosed) throw new Error('the reader is closed');
      signal?.throwIfAborted();
      connected ??= connect(config, topics);
      try {
        const cluster = await connected.cluster;
        await cluster.refreshMetadataIfNecessary();
        return await request(cluster);
      } catch (error) {
        void disconnect();
        throw error;
      }
    };
    return retryTransientErrors(ask, waitMs).catch((error: unknown) => {
      void disconnect();
      throw error;
    });
  }

  /** Sends each leader the spots of its partitions. */
  function byLeader<Spot extends TopicPartition, Answer>(
    spots: readonly Spot[],
    ask: (broker: Broker, spots: readonly Spot[], isOnlyLeader: boolean) => Promise<readonly Answer[]>,
    options: Parameters<typeof withCluster>[1] = {},
  ): Promise<Answer[]> {
    return withCluster(async (cluster) => {
      const leaders = new Map<string, Spot[]>();
      for (const spot of spots) {
        const [leader] = Object.keys(cluster.findLeaderForPartitions(spot.topic, [spot.partition]));
        if (leader === undefined) throw new Error(`topic ${spot.topic} has no partition ${spot.partition}`);
        leaders.set(leader, [...(leaders.get(leader) ?? []), spot]);
      }
      const answers = [...leaders].map(async ([nodeId, leaderSpots]) => {
        onRoundTrip();
        return ask(await cluster.findBroker({ nodeId }), leaderSpots, leaders.size === 1);
      });
      return (await Promise.all(answers)).flat();
    }, options);
  }

  async function fetch(
    spots: readonly (TopicPartition & { readonly offset: number })[],
    { waitMs, maxBytes, signal }: FetchOptions,
  ): Promise<FetchedMessages[]> {
    const offsetOf = new Map(spots.map((spot) => [`${spot.topic} ${spot.partition}`, spot.offset]));
    const ask = async (broker: Broker, leaderSpots: typeof spots, isOnlyLeader: boolean) => {
      const { responses } = await broker.fetch({
        isolationLevel: READ_COMMITTED,
        // What one leader has would wait until another one has something too.
        maxWaitTime: isOnlyLeader ? waitMs : Math.min(waitMs, MAX_WAIT_OF_SEVERAL_MS),
        minBytes: 1,
        maxBytes: maxBytes.all,
        topics: byTopic(leaderSpots, ({ partition, offset }) => ({
          partition,
          fetchOffset: String(offset),
          maxBytes: maxBytes.each,
        })),
      });
      return responses.flatMap(({ topicName, partitions }) =>
        partitions.map((one) => toFetchedMessages(topicName, one, offsetOf.get(`${topicName} ${one.partition}`)!)),
      );
    };
    // A broker answers one request of a connection after another: only a new connection ends the wait.
    const stop = () => void disconnect();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await byLeader(spots, ask, { waitMs, ...(signal && { signal }) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async function offsets(partitions: readonly TopicPartition[], kind: OffsetKind): Promise<number[]> {
    const isolationLevel = kind === 'committed' ? READ_COMMITTED : READ_UNCOMMITTED;
    const timestamp = kind === 'first' ? FIRST : LAST;
    const found = await byLeader(partitions, async (broker, leaderSpots) => {
      const { responses } = await broker.listOffsets({
        isolationLevel,
        topics: byTopic(leaderSpots, ({ partition }) => ({ partition, timestamp })),
      });
      return responses.flatMap(({ topic, partitions: parts }) => parts.map((part) => ({ topic, ...part })));
    });
    const byName = new Map(found.map(({ topic, partition, offset }) => [`${topic} ${partition}`, Number(offset)]));
    return partitions.map(({ topic, partition }) => byName.get(`${topic} ${partition}`)!);
  }

  return {
    fetch,
    offsets,
    async close() {
      isClosed = true;
      await disconnect();
    },
  };
}

interface Connection {
  readonly cluster: Promise<Cluster>;
  /** At once: the client itself would wait for the answers of requests, which a broker may hold for long. */
  end(): Promise<void>;
}

function connect(config: KafkaConfig, topics: readonly string[]): Connection {
  const sockets = new Set<Socket>();
  const newSocket = socketFactory();
  let isEnded = false;
  const end = (socket: Socket) => socket.destroy(new Error('the reader has ended its connection'));

  async function open(): Promise<Cluster> {
    const cluster = new Cluster({
      ...config,
      // The client gives a fetch hardly more time than the broker may wait with it.
      requestTimeout: MAX_FETCH_WAIT_MS + REQUEST_TIMEOUT,
      socketFactory(options: unknown) {
        const socket = newSocket(options);
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        // A request that was under way connects again by itself.
        if (isEnded) end(socket);
        return socket;
      },
      logger: loggers.createLogger({ level: 0, logCreator: () => () => {} }),
      metadataMaxAge: METADATA_MAX_AGE,
      allowAutoTopicCreation: false,
      isolationLevel: READ_COMMITTED,
    });
    try {
      await cluster.connect();
      await cluster.addMultipleTargetTopics(topics);
      return cluster;
    } catch (error) {
      await cluster.disconnect().catch(() => {});
      throw error;
    }
  }

  const cluster = open();
  cluster.catch(() => {});
  return {
    cluster,
    async end() {
      isEnded = true;
      for (const socket of sockets) end(socket);
      await cluster.then((opened) => opened.disconnect()).catch(() => {});
    },
  };
}

function byTopic<Spot extends TopicPartition, Part>(spots: readonly Spot[], partOf: (spot: Spot) => Part) {
  const topics = new Map<string, Part[]>();
  for (const spot of spots) topics.set(spot.topic, [...(topics.get(spot.topic) ?? []), partOf(spot)]);
  return [...topics].map(([topic, partitions]) => ({ topic, partitions }));
}

function toFetchedMessages(topic: string, fetched: FetchedPartition, from: number): FetchedMessages {
  const { partition, abortedTransactions, lastStableOffset } = fetched;
  // The broker returns whole batches, which may begin before the requested offset.
  const wanted = fetched.messages.filter(({ offset }) => Number(offset) >= from);
  const last = wanted.at(-1);
  const next = last ? Number(last.offset) + 1 : from;
  const messages = filterAbortedMessages({ messages: wanted, abortedTransactions })
    .filter(({ isControlRecord }) => !isControlRecord)
    .map(toReceivedMessage);
  const end = Number(lastStableOffset);
  return { topic, partition, messages, next, end, isAtEnd: next >= end };
}

type ClientMessage = Parameters<typeof filterAbortedMessages>[0]['messages'][number];

export const toReceivedMessage = ({ offset, key, value, headers = {} }: ClientMessage): ReceivedMessage => ({
  offset: Number(offset),
  key,
  value,
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
});
