import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projections } from '../../../../projections/index.ts';
import { ONE_PARTITION, partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import { openKafkajsBroker } from '../../../../src/messaging/kafkajs/kafkajs-client.ts';
import { openKafkaRecordFeed } from '../../../../src/messaging/records/kafka-record-feed.ts';
import { createPartitionedRunner } from '../../../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { openMongoStore } from '../../../../src/read-models/store/mongo/mongo-store.ts';
import { type Message, scheduleOf, scoreOf } from '../../../ingest/feed-messages.ts';
import { newIntakeWorld } from '../../../ingest/intake-world.ts';
import { brokerWorld, PARTITIONS, until } from '../../../messaging/kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../../../messaging/kafka-server.ts';
import { type MongoServer, mongoMissing, startMongo } from '../../mongo-server.ts';

/** As the driver tells of a command. */
interface Command {
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>>;
}

const without = [withoutKafka, mongoMissing ?? ''].filter((why) => why !== '').join('; ');
const SCORES = 20;
const partitionOf = (key: string) => partitionName(key, PARTITIONS);

describe.skipIf(without !== '')(`the way of a fact to its documents, on Kafka and MongoDB ${without}`, () => {
  const kafka = kafkaServer();
  let mongo: MongoServer;
  beforeAll(async () => {
    if (without === '') mongo = await startMongo();
  }, 120_000);
  afterAll(() => mongo?.stop());

  /** Real read models on engines that count what they are asked. */
  async function project(isUndivided: boolean) {
    const { log, open } = await newIntakeWorld();
    const intake = await open();
    const counted = { written: 0, reads: 0, asked: [] as string[] };
    const world = brokerWorld(kafka.url, log, () => void counted.written++);
    onTestFinished(() => world.close());
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');

    const broker = openKafkajsBroker({ url: kafka.url, onRoundTrip: () => void counted.reads++ });
    const feed = openKafkaRecordFeed({ broker, log, topics: world.topics, partitions: PARTITIONS, sessionMs: 1500 });
    onTestFinished(async () => {
      await feed.close();
      await broker.close();
    });
    const store = openMongoStore({
      url: mongo.url(),
      onRoundTrip: (...given: unknown[]) => {
        const { commandName, command } = given[0] as Command;
        // What builds there are is looked up beside, twice a second at most.
        if (command['find'] !== 'projections') counted.asked.push(commandName);
      },
    });
    onTestFinished(() => store.close());
    const runner = createPartitionedRunner({
      ...{ log, feed, store, partitionOf, now: Date.now, pollEvery: 3_600_000 },
      projections: projections.filter((one) => (one.needsWholeLog ?? false) === isUndivided),
    });
    onTestFinished(() => runner.stop());
    runner.start();
    await runner.caughtUp({ timeoutMs: 60_000 });

    /** What was asked of the store until all documents show everything. */
    async function folded(...messages: readonly Message[]): Promise<string[]> {
      counted.asked.length = 0;
      await intake.accept(messages.map((value, line) => ({ line, value })));
      const ends = new Map<string, bigint>();
      for (const { meta, position } of await log.readAll(null, 1000)) {
        ends.set(isUndivided ? ONE_PARTITION : partitionOf(meta.partition), position);
      }
      const isFolded = () =>
        runner.status().every(({ partition, position }) => position === (ends.get(partition) ?? null));
      await until(isFolded, 60_000);
      return [...counted.asked];
    }
    return { counted, folded };
  }

  it.each([
    ['by partition', false],
    ['of the whole log', true],
  ])(
    'is at most one request to load them and one to write them, and none to load those in memory: %s',
    async (_, is) => {
      const { counted, folded } = await project(is);
      await folded(scheduleOf('a'));

      expect((await folded(scoreOf('a', 1, 7))).length).toBeLessThanOrEqual(2);

      const [begun, before, written] = [performance.now(), counted.reads, counted.written];
      const later: string[][] = [];
      for (let n = 0; n < SCORES; n++) later.push(await folded(scoreOf('a', 2 + n, 8 + n)));
      // Three in all: the relay's transaction, the request that brings the record, and the documents.
      expect(later).toEqual(later.map(() => ['bulkWrite']));
      expect(counted.written - written).toBeLessThanOrEqual(SCORES);
      // One request brings a record; those that find nothing end after 200 ms.
      expect(counted.reads - before).toBeLessThanOrEqual(2 * SCORES + (performance.now() - begun) / 100);
    },
    240_000,
  );
});
