import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openMongoStore } from '../../src/read-models/store/mongo/mongo-store.ts';
import { type MongoServer, mongoMissing, startMongo } from './mongo-server.ts';
import { progressContract } from './progress.contract.ts';
import { polledWorld } from './projector/progress/polled-progress-harness.ts';
import { readStoreContract } from './read-store.contract.ts';
import { storesAgree } from './stores-agree.ts';
import { tallies } from './toys.ts';

describe.skipIf(mongoMissing)(`MongoDB${mongoMissing ? `: ${mongoMissing}` : ''}`, () => {
  let server: MongoServer;
  beforeAll(async () => {
    server = await startMongo();
  });
  afterAll(() => server.stop());

  progressContract('by the checkpoints in MongoDB', () => {
    const open = openMongoStore({ url: server.url() });
    return polledWorld(open, (store) => store.checkpoints);
  });
  storesAgree('MongoDB', () => openMongoStore({ url: server.url() }), 40);
  readStoreContract('MongoDB', async () => openMongoStore({ url: server.url() }));

  it.each([3, 90])('tells the checkpoints of the active generations in %d partitions, and no others', async (count) => {
    const store = openMongoStore({ url: server.url() });
    onTestFinished(() => store.close());
    const partitions = Array.from({ length: count }, (_, index) => `p${index}`);
    for (const [name, generations] of [
      ['tallies', ['v1', 'v1.1']],
      ['others', ['v1']],
    ] as const) {
      for (const generation of generations) {
        await store.prepare(tallies(name), generation);
        const rest = { projection: name, generation, writes: [], expected: null };
        for (const [index, partition] of [...partitions, 'elsewhere'].entries())
          await store.commit([{ ...rest, partition, checkpoint: BigInt(index + 10 * generation.length) }]);
      }
    }
    const expected = new Map(partitions.map((partition, index) => [partition, BigInt(index + 20)]));
    expect(await store.checkpoints(['tallies', 'others', 'unknown'], [...partitions, 'new'])).toEqual(
      new Map([
        ['tallies', expected],
        ['others', expected],
      ]),
    );
  });
});
