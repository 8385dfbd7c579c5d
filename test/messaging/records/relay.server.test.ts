import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { partitionOf } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { followRecordFeed } from '../../../src/event-log/subscription/follow-record-feed.ts';
import type { BrokerClient } from '../../../src/messaging/broker/broker-client.ts';
import { makeTopics, PartitionsChanged } from '../../../src/messaging/broker/topics.ts';
import { openRelay } from '../../../src/messaging/records/relay.ts';
import { realDelay } from '../../../src/platform/async/retry.ts';
import { parseKafkaAddress } from '../../../src/platform/settings/kafka-address.ts';
import { everything, scored } from '../../event-log/port/event-log.contract.ts';
import { createFaultyLog } from '../../support/faulty/faulty-log.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { type BrokerWorld, brokerWorld, PARTITIONS, until } from '../kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../kafka-server.ts';
import { contentsOf } from '../topic-contents.ts';

const STREAMS = ['event-1', 'odds-1', 'splits-2', 'event-3', 'odds-3', 'team-4', 'account-9', 'receipt-5'];
const keyOf = (stream: string) => (stream === 'receipt-5' ? 'account-9' : stream.replace(/^(odds|splits)/, 'event'));

describe.skipIf(withoutKafka !== '')(`the relay ${withoutKafka}`, () => {
  const server = kafkaServer();

  function newWorld(): BrokerWorld {
    // With gaps between positions, as in EventStoreDB.
    const world = brokerWorld(server.url, createFaultyLog(createMemoryLog(), createFaultyNetwork({ seed: 7 })));
    onTestFinished(() => world.close());
    return world;
  }

  async function append({ log }: BrokerWorld, from: number, count: number): Promise<void> {
    for (let n = from; n < from + count; n++) {
      const stream = STREAMS[n % STREAMS.length]!;
      await log.append(stream, [scored(n, keyOf(stream))], 'any');
    }
  }

  const written = async ({ broker, topics }: BrokerWorld) =>
    (await contentsOf(broker, ...topics.facts)).filter(({ headers }) => headers['mark'] === undefined);
  const positions = (records: readonly { readonly position: bigint }[]) =>
    records.map(({ position }) => String(position)).sort();
  const writtenPositions = async (world: BrokerWorld) =>
    (await written(world)).map(({ headers }) => headers['position']).sort();

  /** Everything that a reader gets from the start, when it has as many records as the log. */
  async function readAll({ feed, log }: BrokerWorld): Promise<LogRecord[]> {
    const wanted = (await everything(log)).length;
    const records: LogRecord[] = [];
    const options = { readers: 'all', after: () => null, batchSize: 20, bufferLimit: 100 } as const;
    for await (const message of feed.subscribe(options)) {
      if (message.kind === 'records') records.push(...message.records);
      if (records.length >= wanted) break;
    }
    return records;
  }

  /** Each partition has its records of the log, once, in the order of the log. */
  async function expectAll(world: BrokerWorld, records: readonly LogRecord[]): Promise<void> {
    const byPartition = (all: readonly LogRecord[]) =>
      Array.from({ length: PARTITIONS }, (_, n) =>
        all.filter(({ meta }) => partitionOf(meta.partition, PARTITIONS) === n),
      );
    expect(byPartition(records)).toEqual(byPartition(await everything(world.log)));
  }

  it('writes each record once, to the topic of its kind and the partition of its key, with the headers for readers', async () => {
    const world = newWorld();
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    await append(world, 0, 24);
    await until(async () => (await written(world)).length >= 24);
    const topicOf: Record<string, number> = { event: 0, odds: 1, splits: 2, team: 2, account: 3, receipt: 3 };
    for (const [index, topic] of world.topics.facts.entries()) {
      for (const { headers, key } of await contentsOf(world.broker, topic)) {
        expect(topicOf[headers['stream']!.split('-')[0]!]).toBe(index);
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['position', 'revision', 'recordedAt', 'type']));
        expect(String(key)).toBe(keyOf(headers['stream']!));
      }
    }
    expect(await writtenPositions(world)).toEqual(positions(await everything(world.log)));
    await expectAll(world, await readAll(world));
  });

  it('a second one that starts fences the first, which takes over when the second is gone', async () => {
    const world = newWorld();
    const first = world.openRelay();
    await until(() => first.state === 'writing');
    await append(world, 0, 10);
    // Otherwise a new, slow broker may show empty topics to the second relay, which then begins at the end of the log.
    // Readers get the earlier records from the log.
    await until(async () => (await written(world)).length >= 10);
    const second = world.openRelay();
    await until(() => second.state === 'writing');
    await append(world, 10, 10);
    await until(() => first.state === 'standby');
    await until(async () => (await written(world)).length >= 20);
    await second.close();
    await append(world, 20, 10);
    await until(async () => (await written(world)).length >= 30);
    expect(first.state).toBe('writing');
    expect(await writtenPositions(world)).toEqual(positions(await everything(world.log)));
    await expectAll(world, await readAll(world));
  });

  it('one that hung writes nothing when it continues after another has begun', async () => {
    const world = newWorld();
    let stands: Promise<void> | undefined;
    let goOn = () => {};
    let waiting = 0;
    const standing: BrokerClient = {
      ...world.broker,
      async openTransactions(name) {
        const transactions = await world.broker.openTransactions(name);
        return {
          ...transactions,
          async write(messages, offsets) {
            waiting++;
            await stands;
            return transactions.write(messages, offsets);
          },
        };
      },
    };
    const { log, topics } = world;
    const errors: unknown[] = [];
    const onRetry = (error: unknown) => void errors.push(error);
    const common = { log, topics, now: Date.now, delay: realDelay, onRetry, partitions: PARTITIONS };
    const paused = openRelay({ ...common, broker: standing });
    onTestFinished(() => paused.close());
    onTestFinished(() => goOn());
    await until(() => paused.state === 'writing');
    await append(world, 0, 5);
    await until(async () => (await written(world)).length >= 5);
    stands = new Promise((resolve) => {
      goOn = resolve;
    });
    waiting = 0;
    await append(world, 5, 5);
    await until(() => waiting > 0);
    const other = world.openRelay();
    await append(world, 10, 5);
    await until(async () => (await written(world)).length >= 15);
    goOn();
    await until(() => errors.length > 0);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'fenced' }));
    expect(await writtenPositions(world)).toEqual(positions(await everything(log)));
    expect(other.state).toBe('writing');
  });

  it('when the broker is killed, records appended meanwhile are written exactly once when it is back', async () => {
    const world = newWorld();
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    const appending = append(world, 0, 200);
    await until(() => relay.position !== null);
    await server.kill();
    await appending;
    await append(world, 200, 20);
    await server.start();
    await until(async () => (await written(world).catch(() => [])).length >= 220);
    expect(await writtenPositions(world)).toEqual(positions(await everything(world.log)));
    await expectAll(world, await readAll(world));
  });

  it('when the broker has lost all its data, readers continue with nothing lost and nothing twice, and new readers get everything', async () => {
    const world = newWorld();
    const { feed, log } = world;
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    await append(world, 0, 30);
    const handled: LogRecord[] = [];
    const controller = new AbortController();
    const places = new Map<string, Position | null>();
    const after = (partition: string) => places.get(partition) ?? null;
    const options = { readers: { group: 'w.g' }, after, batchSize: 20, bufferLimit: 100 } as const;
    const retried = { delay: realDelay, onRetry: () => {}, signal: controller.signal };
    const following = followRecordFeed(feed, { ...options, ...retried }, (message) => {
      if (message.kind === 'records') handled.push(...message.records);
      places.set(message.partition, message.position);
    });
    await until(() => handled.length >= 30);
    await server.lose();
    await append(world, 30, 30);
    await server.start();
    await until(() => handled.length >= 60);
    await append(world, 60, 10);
    await until(() => handled.length >= 70);
    await until(() => feed.lags().length === 4 * PARTITIONS && feed.lags().every(({ messages }) => messages === 0));
    expect([...feed.assignedPartitions()]).toEqual([['w.g', PARTITIONS]]);
    controller.abort();
    await following;
    expect([feed.lags(), feed.bufferedBytes]).toEqual([[], 0]);
    await expectAll(world, handled);
    await expectAll(world, await readAll(world));
    expect([...(await feed.endPositions()).values()]).toContain(await log.head());
  });

  it('a reader whose next records the broker has dropped gets them from the log, and then continues with the topics', async () => {
    const world = newWorld();
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    await append(world, 0, 40);
    await until(async () => (await written(world)).length >= 40);
    const admin = new Kafka({
      brokers: [...parseKafkaAddress(server.url).brokers],
      logLevel: logLevel.NOTHING,
    }).admin();
    // Not the same in each topic: segments age separately.
    for (const topic of world.topics.facts.slice(0, 3)) {
      const offsets = await admin.fetchTopicOffsets(topic);
      const half = offsets.map(({ partition, high }) => ({ partition, offset: String(Math.floor(Number(high) / 2)) }));
      await admin.deleteTopicRecords({ topic, partitions: half });
    }
    await admin.disconnect();
    expect((await written(world)).length).toBeLessThan(40);
    const reading = readAll(world);
    await expectAll(world, await reading);
    await append(world, 40, 10);
    await expectAll(world, await readAll(world));
  });

  it('does not begin if a topic has another number of partitions than at the start of the cluster', async () => {
    const { broker, topics } = newWorld();
    let remembered: number | undefined;
    const kept = {
      read: async () => remembered,
      async write(partitions: number) {
        remembered = partitions;
      },
    };
    await makeTopics(broker, topics, ['facts'], { partitions: PARTITIONS, kept });
    expect(remembered).toBe(PARTITIONS);
    await expect(makeTopics(broker, topics, ['facts'], { partitions: 2, kept })).rejects.toThrow(PartitionsChanged);
    await expect(makeTopics(broker, topics, ['facts'], { partitions: 2 })).rejects.toThrow(PartitionsChanged);
    await makeTopics(broker, topics, ['facts'], { partitions: PARTITIONS, kept });
  });
});
