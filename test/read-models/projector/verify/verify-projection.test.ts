import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../../src/domain/event-sourcing/partition-of.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { ProjectionRunner } from '../../../../src/read-models/projector/projection-runner.ts';
import { verifyProjection } from '../../../../src/read-models/projector/verify/verify-projection.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { append, count, runnerOf } from '../../runner-kit.ts';
import { testedStores } from '../../tested-stores.ts';
import { grouped, tallies } from '../../toys.ts';

describe.each(testedStores)('verify: %s', (_name, openStore) => {
  let log: EventLog;
  let store: ReadStore;
  let scratchStore: ReadStore;
  let runner: ProjectionRunner;
  beforeEach(async () => {
    log = createMemoryLog();
    store = openStore();
    scratchStore = openStore();
    for (let i = 0; i < 40; i++) await count(log, i % 8, i);
    runner = runnerOf(log, store, [tallies()]);
    await runner.start();
    await runner.caughtUp();
  });
  afterEach(async () => {
    await runner.stop();
    await store.close();
    await scratchStore.close();
  });

  const verify = (on = store) =>
    verifyProjection({ log, store: on, projection: tallies(), scratchStore, batchSize: 7 });

  async function plant(key: string, document: object, position = 40n): Promise<void> {
    const write = { key, document, position };
    await store.commit([
      {
        projection: 'tallies',
        generation: 'v1',
        partition: ONE_PARTITION,
        writes: [write],
        expected: 40n,
        checkpoint: 40n,
      },
    ]);
  }

  it('finds nothing where documents are what the log says', async () => {
    await append(log, { type: 'Other' });
    expect(await verify()).toEqual({ name: 'tallies', documents: 8, records: 40, differences: [], differenceCount: 0 });
  });

  it('finds a document that was changed, one that is too many, and one that is at another position', async () => {
    const seen = ['4', '12', '20', '28', '36'];
    await plant('3', { count: 5, sum: 95, seen: [...seen.slice(0, 4), '35'] });
    await plant('extra', {});
    await plant('5', { seen: ['6', '14', '22', '30', '38'], count: 5, sum: 105 });
    const { differences, differenceCount } = await verify();
    expect(differences).toEqual([
      { key: '3', reason: 'differs at $.seen[4]' },
      { key: '5', reason: 'is stored as of position 40, but its last record is 38' },
      { key: 'extra', reason: 'is in the store, but the log has no record of it' },
    ]);
    expect(differenceCount).toBe(3);
  });

  it('finds a document that is missing', async () => {
    const lossy: ReadStore = {
      ...store,
      scan: async (...args) => (await store.scan(...args)).filter(({ key }) => key !== '0' && key !== '7'),
    };
    expect((await verify(lossy)).differences).toEqual([
      { key: '0', reason: 'is missing in the store' },
      { key: '7', reason: 'is missing in the store' },
    ]);
  });

  it('shows the first 20 differences and counts all', async () => {
    for (let i = 0; i < 30; i++) await plant(`extra-${i}`, {});
    const { differences, differenceCount } = await verify();
    expect(differences).toHaveLength(20);
    expect(differenceCount).toBe(30);
  });

  it('sees nothing wrong in what a server changes meanwhile, and what is wrong nevertheless', async () => {
    let scans = 0;
    const busy: ReadStore = {
      ...store,
      scan: async (...args) => {
        if (scans++ === 0) {
          await plant('2', { count: 0, sum: 0, seen: [] }, 35n);
          // Another instance goes on with what it finds: its documents lie beyond the checkpoint that was read.
          await runner.stop();
          const other = runnerOf(log, store, [tallies()]);
          await other.start();
          for (let i = 0; i < 20; i++) await count(log, i % 3, 1);
          await other.waitFor(await count(log, 'new', 1));
          await other.stop();
          await count(log, 0, 1000);
        }
        return store.scan(...args);
      },
    };
    const { documents, differences } = await verify(busy);
    expect(documents).toBe(9);
    expect(differences).toEqual([{ key: '2', reason: 'differs at $.count' }]);
  });

  it('sees nothing wrong in tables that a server fills meanwhile, and what is wrong in them', async () => {
    const other = runnerOf(log, store, [grouped()]);
    await other.start();
    await other.caughtUp();
    await other.stop();
    const at = (await store.checkpoint('grouped', 'v1', ONE_PARTITION))!;
    let scans = 0;
    const busy: ReadStore = {
      ...store,
      scan: async (...args) => {
        if (scans++ === 0) {
          const next = runnerOf(log, store, [grouped()]);
          await next.start();
          for (let i = 0; i < 20; i++) await count(log, i % 5, 1);
          await next.waitFor(await count(log, 'new', 1));
          await next.stop();
        }
        return store.scan(...args);
      },
    };
    const verifyTables = async (on: ReadStore) => {
      const empty = openStore();
      const result = await verifyProjection({
        log,
        store: on,
        projection: grouped(),
        scratchStore: empty,
        batchSize: 7,
      });
      await empty.close();
      return result;
    };
    const { documents, differences } = await verifyTables(busy);
    expect(documents).toBeGreaterThan(10);
    expect(differences).toEqual([]);
    const [all] = await store.getMany<Record<string, unknown>>('grouped', ['all']);
    const { 3: _, ...rest } = all!.document;
    const [generation, partition] = ['v1', ONE_PARTITION];
    const expected = (await store.checkpoint('grouped', generation, partition))!;
    expect(expected).toBeGreaterThan(at);
    const writes = [{ key: 'all', document: rest, position: all!.position }];
    await store.commit([{ projection: 'grouped', generation, partition, writes, expected, checkpoint: expected }]);
    expect((await verifyTables(store)).differences).toEqual([{ key: 'all', reason: 'differs at $.3' }]);
  });

  it('refuses a build of another version, and a scratch store that is in use', async () => {
    const projection = tallies('tallies', 2);
    await expect(verifyProjection({ log, store, projection, scratchStore })).rejects.toThrow(/not one of version 2/);
    await verify();
    await expect(verify()).rejects.toThrow(/not empty/);
  });
});
