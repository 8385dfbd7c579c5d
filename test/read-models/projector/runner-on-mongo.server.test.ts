import { afterAll, beforeAll, describe } from 'vitest';
import { openMongoStore } from '../../../src/read-models/store/mongo/mongo-store.ts';
import { type MongoServer, mongoMissing, startMongo } from '../mongo-server.ts';
import { testOn } from '../tested-stores.ts';

let server: MongoServer;
beforeAll(async () => {
  if (!mongoMissing) server = await startMongo();
});
afterAll(async () => {
  if (!mongoMissing) await server.stop();
});

testOn('MongoDB', () => openMongoStore({ url: server.url() }));

describe.skipIf(mongoMissing)(`on MongoDB${mongoMissing ? `: ${mongoMissing}` : ''}`, async () => {
  await import('./projection-runner.long.test.ts');
  await import('./runner-rebuild.test.ts');
  await import('./verify/verify-projection.test.ts');
});
