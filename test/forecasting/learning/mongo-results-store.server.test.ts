import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMongoResultsReader,
  createMongoResultsStore,
} from '../../../src/forecasting/learning/mongo-results-store.ts';
import { connectToMongo, type MongoConnection } from '../../../src/read-models/store/mongo/mongo-connection.ts';
import { type MongoServer, mongoMissing, startMongo } from '../../read-models/mongo-server.ts';
import { resultsStoreContract } from './results-store.contract.ts';
import { storedIn } from './stored-results.ts';

const upTo = (place: bigint) => ({ basis: 'one', places: new Map([['all', place]]) });
const event = (id: number, learnt: string | null = `["${id}"]`) => ({
  id,
  learnt,
  league: 'a',
  lastAt: 1_800_000_000_000,
});
const memory = (byte: number) => new Map([['a', new Uint8Array([byte])]]);

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
  const connect = () => {
    const connection = connectToMongo({ url: server.url() });
    opened.push(connection);
    return connection;
  };
  resultsStoreContract('MongoDB', async () => ({ kept: createMongoResultsStore(connect()), close: async () => {} }));

  it('lets the process write that began last; all others read what it stores', async () => {
    const connection = connect();
    const [first, second] = [createMongoResultsStore(connection), createMongoResultsStore(connection)];
    const reader = createMongoResultsReader(connection);
    await first.save([event(1), event(2)], upTo(5n), memory(1));
    expect(await second.readSavedUpTo()).toEqual(upTo(5n));
    expect([...(await second.readMemory('a'))!]).toEqual([1]);
    await second.save([event(2, null)], upTo(9n));
    await first.save([event(2), event(3)], upTo(7n), memory(7));
    await first.clear();
    await reader.save([event(4)], upTo(10n));
    await reader.clear();
    expect(await storedIn(reader)).toEqual([event(1)]);
    expect([await reader.readSavedUpTo(), [...(await reader.readMemory('a'))!]]).toEqual([upTo(9n), [1]]);
  });

  it('counts for nothing what an earlier process still had on its way', async () => {
    const connection = connect();
    const [first, second] = [createMongoResultsStore(connection), createMongoResultsStore(connection)];
    await first.save([event(1)], upTo(5n), memory(1));
    await second.readSavedUpTo();
    await second.save([event(1, '["mended"]')], upTo(6n), new Map([['a', null]]));
    const late = { turn: { $lte: 1 } };
    const [memories, results] = ['forecast_memories', 'forecast_results'].map((name) =>
      connection.database.collection<any>(name),
    );
    const write = { upsert: true };
    await expect(memories!.replaceOne({ _id: 'a', ...late }, { turn: 1, packed: null }, write)).rejects.toThrow('dup');
    await expect(results!.replaceOne({ _id: 1, ...late }, { turn: 1, learnt: '' }, write)).rejects.toThrow('dup');
    await memories!.insertOne({ _id: 'b', turn: 1, packed: Buffer.from([1]) });
    expect(await second.readMemory('b')).toBeNull();
    expect(await storedIn(second)).toEqual([event(1, '["mended"]')]);
  });

  it('gives the writing up for good when another process has begun, and not after a failure', async () => {
    const connection = connect();
    let fails = false;
    const request: MongoConnection['request'] = async (work) => {
      if (!fails) return connection.request(work);
      fails = false;
      return connection.request(async () => {
        await work();
        throw new Error('no answer in time');
      });
    };
    const first = createMongoResultsStore({ ...connection, request });
    await first.save([event(1)], upTo(1n));
    fails = true;
    await expect(first.save([event(2)], upTo(2n))).rejects.toThrow('no answer');
    await first.save([event(3)], upTo(3n));
    expect(await first.readSavedUpTo()).toEqual(upTo(3n));
    expect((await storedIn(first)).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
