import { afterAll, beforeAll, describe } from 'vitest';
import { openMongoStore } from '../../src/read-models/store/mongo/mongo-store.ts';
import { type MongoServer, mongoMissing, startMongo } from './mongo-server.ts';
import { progressContract } from './progress.contract.ts';
import { polledWorld } from './projector/progress/polled-progress-harness.ts';
import { readStoreContract } from './read-store.contract.ts';
import { storesAgree } from './stores-agree.ts';

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
});
