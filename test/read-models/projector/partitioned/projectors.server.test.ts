import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import type { PartitionPositions } from '../../../../src/domain/event-sourcing/position.ts';
import type { Projection } from '../../../../src/domain/event-sourcing/projection.ts';
import {
  createPartitionedRunner,
  type PartitionedRunner,
} from '../../../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { readStoredStatuses } from '../../../../src/read-models/projector/partitioned/stored-projection-status.ts';
import { createPartitionedProgress } from '../../../../src/read-models/projector/progress/partitioned-progress.ts';
import { createPolledProgress } from '../../../../src/read-models/projector/progress/polled-progress.ts';
import { type MongoStore, openMongoStore } from '../../../../src/read-models/store/mongo/mongo-store.ts';
import { type BrokerWorld, brokerWorld, PARTITIONS, until } from '../../../messaging/kafka-harness.ts';
import { kafkaServer, withoutKafka } from '../../../messaging/kafka-server.ts';
import { type MongoServer, mongoMissing, startMongo } from '../../mongo-server.ts';
import { contents, pureFold } from '../../runner-kit.ts';
import { tallies } from '../../toys.ts';
import { crossing, someFacts, tell } from './partitioned-harness.ts';

const TOYS: readonly Projection[] = [tallies(), tallies('others'), crossing()];
const partitionOf = (key: string) => partitionName(key, PARTITIONS);
const WITHIN = { timeoutMs: 30_000 };
const without = [withoutKafka, mongoMissing ?? ''].filter((why) => why !== '').join('; ');

describe.skipIf(without !== '')(`projectors on Kafka and MongoDB ${without}`, () => {
  const kafka = kafkaServer();
  let mongo: MongoServer;
  beforeAll(async () => {
    if (without === '') mongo = await startMongo();
  }, 120_000);
  afterAll(() => mongo?.stop());
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open() {
    const world = brokerWorld(kafka.url);
    closing.push(() => world.close());
    const relay = world.openRelay();
    await until(() => relay.state === 'writing');
    const url = mongo.url();
    const openStore = () => {
      const store = openMongoStore({ url });
      closing.push(() => store.close());
      return store;
    };
    return { world, openStore };
  }

  /** As a process has it, with a store of its own. */
  function begin({ log, feed }: BrokerWorld, store: MongoStore): PartitionedRunner {
    const parts = { log, feed, store, projections: TOYS, partitionOf };
    const one = createPartitionedRunner({ ...parts, now: Date.now, pollEvery: 500 });
    closing.push(() => one.stop());
    one.start();
    return one;
  }

  /** As a process that projects nothing knows of it. */
  function progressOf({ log, feed }: BrokerWorld, store: MongoStore) {
    const [divided, undivided] = [false, true].map((isUndivided) =>
      createPolledProgress({
        projections: TOYS.filter((one) => (one.needsWholeLog ?? false) === isUndivided).map(({ name }) => name),
        checkpointsOf: store.checkpoints,
        readEnds: async (): Promise<PartitionPositions> => {
          const ends = isUndivided ? new Map([['log', await log.head()]]) : await feed.endPositions();
          return new Map([...ends].flatMap(([name, end]) => (end === null ? [] : [[name, end] as const])));
        },
      }),
    );
    const partitions = new Set(Array.from({ length: PARTITIONS }, (_, number) => String(number)));
    return createPartitionedProgress({ partitioned: divided!, unpartitioned: undivided!, partitionOf, partitions });
  }

  async function expectFolded({ log }: BrokerWorld, store: MongoStore): Promise<void> {
    for (const projection of TOYS) {
      expect(await contents(store, projection.name)).toEqual(await pureFold(log, projection));
    }
  }

  it('two divide the partitions, one goes, and a rebuild takes over', async () => {
    const { world, openStore } = await open();
    const { log, feed } = world;
    const store = openStore();
    const progress = progressOf(world, store);
    const first = begin(world, openStore());
    await tell(log, someFacts(60));
    await progress.waitForEnd(WITHIN);
    await expectFolded(world, store);
    const second = begin(world, openStore());
    await until(
      () =>
        second.assignedPartitions().length > 0 &&
        first.assignedPartitions().length + second.assignedPartitions().length === PARTITIONS,
    );
    await tell(log, someFacts(60, 60));
    const [last] = await log.readBackwards(1);
    await progress.waitFor(new Map([[last!.meta.partition, last!.position]]), WITHIN);
    await progress.waitForEnd(WITHIN);
    await expectFolded(world, store);
    await first.stop();
    await tell(log, someFacts(60, 120));
    await progress.waitForEnd(WITHIN);
    const rebuilt = await second.rebuild(['tallies', 'grouped']);
    expect(rebuilt).toMatchObject([
      { name: 'tallies', records: 180 },
      { name: 'grouped', records: 180 },
    ]);
    await tell(log, someFacts(20, 180));
    await progress.waitForEnd(WITHIN);
    await until(async () => (await store.activeGeneration('tallies')) === 'v1.1');
    await expectFolded(world, store);
    const told = await readStoredStatuses({
      log,
      feed,
      partitionOf,
      projections: TOYS,
      checkpointsOf: store.checkpoints,
    });
    expect(told.map(({ name, lag_events }) => [name, lag_events])).toEqual(TOYS.map(({ name }) => [name, 0]));
  }, 120_000);

  it('goes on by itself when the broker, and the store, were away', async () => {
    const { world, openStore } = await open();
    const store = openStore();
    const progress = progressOf(world, store);
    begin(world, openStore());
    await tell(world.log, someFacts(30));
    await progress.waitForEnd(WITHIN);
    await mongo.kill();
    await tell(world.log, someFacts(30, 30));
    await mongo.restart();
    await progress.waitForEnd(WITHIN);
    await expectFolded(world, store);
    await kafka.kill();
    await tell(world.log, someFacts(30, 60));
    await kafka.start();
    await until(() =>
      progress.waitForEnd({ timeoutMs: 5000 }).then(
        () => true,
        () => false,
      ),
    );
    await expectFolded(world, store);
  }, 180_000);
});
