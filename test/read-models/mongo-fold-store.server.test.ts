import { afterAll, beforeAll, describe } from 'vitest';
import { connectToMongo, type MongoConnection } from '../../src/read-models/store/mongo/mongo-connection.ts';
import { createMongoFoldStore } from '../../src/read-models/store/mongo/mongo-fold-store.ts';
import { foldStoreContract, fullFoldStoreContract } from './fold-store.contract.ts';
import { type MongoServer, mongoMissing, startMongo } from './mongo-server.ts';

describe.skipIf(mongoMissing)(`MongoDB${mongoMissing ? `: ${mongoMissing}` : ''}`, () => {
  let server: MongoServer;
  const opened: MongoConnection[] = [];
  beforeAll(async () => {
    server = await startMongo();
  });
  afterAll(async () => {
    await Promise.all(opened.map(({ client }) => client.close()));
    await server?.stop();
  });
  const open = async (maxBytes?: number, summedEvery?: number) => {
    const connection = connectToMongo({ url: server.url() });
    opened.push(connection);
    return createMongoFoldStore(connection, maxBytes, summedEvery);
  };
  foldStoreContract('MongoDB', open);
  fullFoldStoreContract('MongoDB', (maxBytes) => open(maxBytes, 1));
});
