import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineMissing, programsFolder } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { mongoEngine } from '../../../src/server/engines/mongo.ts';
import { mongoMissing } from '../../read-models/mongo-server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerline-engine-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(mongoMissing)(`a server of MongoDB's protocol${mongoMissing ? `: ${mongoMissing}` : ''}`, () => {
  it('serves again what it kept, and takes writes as soon as it has started', async () => {
    const start = { folder, programs: programsFolder() };
    const first = await mongoEngine.start({ ...start, port: await freePort() });
    const client = new MongoClient(first.url);
    await client
      .db()
      .collection<{ _id: string }>('kept')
      .insertOne({ _id: 'one' }, { writeConcern: { w: 'majority' } });
    await client.close();
    await first.stop();
    await first.ended;

    const second = await mongoEngine.start({ ...start, port: await freePort() });
    const again = new MongoClient(second.url);
    expect(again.db().databaseName).toBe('ledgerline');
    expect(await again.db().collection('kept').find().toArray()).toEqual([{ _id: 'one' }]);
    await again.close();
    await second.stop();
  });
});

it('is told to be missing, with the command that gets it and the variable of one elsewhere', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = folder;
  try {
    const fetching = mongoEngine.fetch(folder);
    await expect(fetching).rejects.toBeInstanceOf(EngineMissing);
    await expect(fetching).rejects.toThrow(
      /read-store: .*mongod.*`python3 -m pip install SecantusDB==.*READ_STORE_URL/,
    );
  } finally {
    process.env['PATH'] = path;
  }
});
