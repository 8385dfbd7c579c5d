import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import { UnavailableError } from '../../src/domain/primitives/domain-errors.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { type MongoStore, openMongoStore } from '../../src/read-models/store/mongo/mongo-store.ts';
import { CheckpointMoved, DocumentRejected } from '../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../src/read-models/store/sqlite/sqlite-store.ts';
import { freePort } from '../../src/server/engines/free-port.ts';
import { patientTimeout } from '../support/patient-timeout.ts';
import { type MongoServer, mongoMissing, startMongo } from './mongo-server.ts';
import { contents, count, pureFold, runnerOf } from './runner-kit.ts';
import { type Thing, tallies, things } from './toys.ts';

describe.skipIf(mongoMissing)(`the store in MongoDB${mongoMissing ? `: ${mongoMissing}` : ''}`, () => {
  let server: MongoServer;
  let url: string;
  let store: MongoStore;
  let trips: number;
  const opened: MongoStore[] = [];
  beforeAll(async () => {
    server = await startMongo();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    url = server.url();
    store = open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  function open(more: Partial<Parameters<typeof openMongoStore>[0]> = {}): MongoStore {
    const store = openMongoStore({ url, onRoundTrip: () => trips++, ...more });
    opened.push(store);
    return store;
  }

  async function tripsOf(work: () => Promise<unknown>): Promise<number> {
    trips = 0;
    await work();
    return trips;
  }

  const part = (
    projection: string,
    expected: bigint | null,
    checkpoint: bigint,
    documents: Record<string, unknown>,
  ) => ({
    projection,
    generation: 'v1',
    partition: ONE_PARTITION,
    expected,
    checkpoint,
    writes: Object.entries(documents).map(([key, document]) => ({ key, document, position: checkpoint })),
  });

  describe('asks the server', () => {
    // Its clock stands still: what it knows of builds is looked up once.
    beforeEach(async () => {
      store = open({ now: () => 0 });
      await store.prepare(things, 'v1');
      await store.prepare({ ...things, name: 'others' }, 'v1');
    });

    it('once for a commit, of however many projections', async () => {
      expect(await tripsOf(() => store.commit([part('things', null, 1n, { 1: { name: 'a' } })]))).toBe(1);
      const both = () =>
        store.commit([part('things', 1n, 2n, { 1: {}, 2: {} }), part('others', null, 2n, { 1: {}, 2: {} })]);
      expect(await tripsOf(both)).toBe(1);
      const { checkpoint: _, ...ahead } = part('things', 2n, 3n, { 1: {} });
      expect(await tripsOf(() => store.write(ahead))).toBe(1);
    });

    it('at most twice from a record to its document, with the document as it was', async () => {
      await store.commit([part('things', null, 1n, { 1: { note: 1 } })]);
      const fold = async () => {
        const [before] = await store.load('things', 'v1', ['1']);
        const note = (before!.document as Thing).note! + 1;
        await store.commit([part('things', 1n, 2n, { 1: { note } })]);
      };
      await store.load('things', 'v1', ['1']);
      expect(await tripsOf(fold)).toBe(2);
      expect(await store.get('things', '1')).toEqual({ key: '1', document: { note: 2 }, position: 2n });
    });

    it('once for a read', async () => {
      await store.commit([part('things', null, 1n, { 1: { name: 'a' }, 2: { name: 'b' } })]);
      await store.commit([part('others', null, 1n, { 1: { name: 'c' } })]);
      await store.get('things', '1');
      const names = { name: 'names', derive: ({ name }: Thing) => name, bytesOf: () => 8 };
      const reads: Record<string, () => Promise<unknown>> = {
        get: () => store.get('things', '1'),
        getMany: () => store.getMany('things', ['2', '1', 'none']),
        getAcross: () =>
          store.getAcross([
            { projection: 'things', keys: ['1'] },
            { projection: 'others', keys: ['1'] },
          ]),
        getDerived: () => store.getDerived('things', ['1', '2'], names),
        find: () => store.find('things', { where: { name: 'a' }, limit: 9 }),
        findEach: () => store.findEach('things', [{ where: { name: ['a', 'b'] }, limit: 9 }, { limit: 1 }]),
        places: () => store.checkpoints(['things', 'others'], [ONE_PARTITION, 'another']),
      };
      for (const [name, read] of Object.entries(reads)) expect([name, await tripsOf(read)]).toEqual([name, 1]);
    });

    it('twice for the places of all projections in all partitions, as a process asks that takes over', async () => {
      await store.commit([part('things', null, 4n, { 1: {} })]);
      const all = ['things', 'others'].flatMap((name) => [ONE_PARTITION, '1', '2'].map((one) => [name, one] as const));
      let places: readonly (bigint | null)[] = [];
      const take = async () => {
        places = await Promise.all(all.map(([name, partition]) => store.checkpoint(name, 'v1', partition)));
      };
      expect(await tripsOf(take)).toBe(2);
      expect(places).toEqual([4n, null, null, null, null, null]);
    });

    it('for no document of which it keeps what was made', async () => {
      await store.commit([part('things', null, 1n, { 1: { name: 'a' } })]);
      let made = 0;
      const names = { name: 'names', derive: ({ name }: Thing) => `${name}${++made}`, bytesOf: () => 8 };
      expect(await store.getDerived('things', ['1'], names)).toEqual(['a1']);
      expect(await store.getDerived('things', ['1'], names)).toEqual(['a1']);
      await store.commit([part('things', 1n, 2n, { 1: { name: 'b' } })]);
      expect(await store.getDerived('things', ['1'], names)).toEqual(['b2']);
    });
  });

  describe('keeps documents', () => {
    it('as SQLite keeps them, to the byte', async () => {
      const sqlite = openSqliteStore({ file: ':memory:' });
      const [one, other] = [store, sqlite];
      for (const each of [one, other]) await each.prepare(things, 'v1');
      let at: bigint | null = null;
      const odd = fc.constantFrom(-0, 1e21, 1e-7, 0.1, 2 ** 53 + 2, '$name', '\0', '\ud800', '\u{1F600}', 'a.b', '$');
      const value = fc.oneof(fc.jsonValue(), odd);
      const document = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$set', 'a.b', '_id', '10', '2')), value);
      await fc.assert(
        fc.asyncProperty(document, async (some) => {
          const given = Object.fromEntries(Object.entries(some).filter(([name]) => !(name in things.fields)));
          const next: bigint = (at ?? 0n) + 1n;
          for (const each of [one, other]) await each.commit([part('things', at, next, { 1: given })]);
          at = next;
          const [mine, theirs] = [await one.get('things', '1'), await other.get('things', '1')];
          expect(JSON.stringify(mine!.document)).toBe(JSON.stringify(theirs!.document));
          expect(mine!.position).toBe(theirs!.position);
        }),
        { numRuns: 60 },
      );
      await sqlite.close();
    });

    it('of 8 MiB, and no larger ones', async () => {
      await store.prepare(things, 'v1');
      const around = JSON.stringify({ text: '' }).length;
      const text = 'x'.repeat(8 * 1024 * 1024 - around);
      await store.commit([part('things', null, 1n, { 1: { text }, 2: { text } })]);
      expect(await store.get('things', '1')).toMatchObject({ document: { text } });
      const larger = store.commit([part('things', 1n, 2n, { 1: { text: `${text}x` } })]);
      await expect(larger).rejects.toBeInstanceOf(DocumentRejected);
      await expect(larger).rejects.toThrow(/document 1 .* bytes/);
    });
  });

  describe('of two processes', () => {
    it('lets the one that wakes too late change nothing', async () => {
      const late = open();
      for (const one of [store, late]) await one.prepare(things, 'v1');
      await late.commit([part('things', null, 1n, { 1: { note: 1 } })]);
      await store.commit([part('things', 1n, 2n, { 1: { note: 2 } })]);
      const before = await contents(store, 'things');
      const waking = late.commit([part('things', 1n, 3n, { 1: { note: 3 }, 2: { note: 3 } })]);
      await expect(waking).rejects.toBeInstanceOf(CheckpointMoved);
      const { checkpoint: _, ...ahead } = part('things', 1n, 3n, { 2: {} });
      await expect(late.write(ahead)).rejects.toBeInstanceOf(CheckpointMoved);
      expect(await contents(store, 'things')).toEqual(before);
      expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBe(2n);
    });

    it('keeps the newest of what both write at the same moment', async () => {
      const other = open();
      for (const one of [store, other]) await one.prepare(things, 'v1');
      const write = (one: MongoStore, partition: string, position: bigint) => {
        const writes = Array.from({ length: 30 }, (_, key) => ({ key: `${key}`, document: { note: 1 }, position }));
        return one.write({ projection: 'things', generation: 'v1', partition, expected: null, writes });
      };
      for (let round = 1n; round < 20n; round += 2n) {
        await Promise.all([write(store, 'a', round), write(other, 'b', round + 1n)]);
        const found = await contents(store, 'things');
        expect(new Set(found.map(({ position }) => position))).toEqual(new Set([round + 1n]));
      }
    });

    it('has the one whose build was dropped stop, and leaves nothing of it', async () => {
      const late = open();
      for (const one of [store, late]) await one.prepare(things, 'v1');
      await late.commit([part('things', null, 1n, { 1: {} })]);
      await store.prepare(things, 'v1.1');
      await store.activate('things', 'v1.1');
      await store.drop('things', 'v1');
      await expect(late.commit([part('things', 1n, 2n, { 1: {} })])).rejects.toBeInstanceOf(CheckpointMoved);
      await store.prepare(things, 'v1');
      await expect(late.commit([part('things', 1n, 2n, { 1: {} })])).rejects.toBeInstanceOf(CheckpointMoved);
      expect(await store.load('things', 'v1', ['1'])).toEqual([undefined]);
      expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBeNull();
    });

    it('reads the first build of a projection as soon as another one has made it', async () => {
      const reader = open();
      await expect(reader.get('things', '1')).rejects.toThrow(/no build/);
      await store.prepare(things, 'v1');
      await store.commit([part('things', null, 1n, { 1: { name: 'first' } })]);
      expect(await reader.get('things', '1')).toMatchObject({ document: { name: 'first' } });
    });

    it('reads a build that another one has made active, within a second', async () => {
      await store.prepare(things, 'v1');
      await store.commit([part('things', null, 1n, { 1: { name: 'old' } })]);
      const reader = open();
      expect(await reader.get('things', '1')).toMatchObject({ document: { name: 'old' } });
      await store.prepare(things, 'v1.1');
      await store.commit([{ ...part('things', null, 1n, { 1: { name: 'new' } }), generation: 'v1.1' }]);
      await store.activate('things', 'v1.1');
      const began = performance.now();
      while ((await reader.get<Thing>('things', '1'))?.document.name !== 'new') {
        expect(performance.now() - began).toBeLessThan(patientTimeout(5000));
      }
    });
  });

  describe('without its server', () => {
    const projections = [tallies(), tallies('others')];
    const isAway = async (asked: Promise<unknown>) => {
      const began = performance.now();
      const error = await asked.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).toMatchObject({ engine: 'read-store' });
      expect(performance.now() - began).toBeLessThan(patientTimeout(5000));
    };
    /** Repeats what fails while the server comes back. */
    async function back<T>(work: () => Promise<T>): Promise<T> {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          expect(error).toBeInstanceOf(UnavailableError);
          await setTimeout(20);
        }
      }
    }

    it('goes on when it is there, though it was away at the start', async () => {
      await server.kill();
      await isAway(store.ping());
      await isAway(store.get('things', '1'));
      await server.restart();
      await back(() => store.ping());
      await store.prepare(things, 'v1');
    });

    it('says so while it hangs, and goes on when it goes on', async () => {
      await store.prepare(things, 'v1');
      await store.commit([part('things', null, 1n, { 1: { name: 'a' } })]);
      await server.pause();
      try {
        await Promise.all([
          isAway(store.get('things', '1')),
          isAway(store.find('things', { limit: 1 })),
          isAway(store.commit([part('things', 1n, 2n, { 1: { name: 'b' } })])),
          isAway(store.ping()),
        ]);
      } finally {
        server.goOn();
      }
      const found = await back(() => store.get<Thing>('things', '1'));
      const at = await back(() => store.checkpoint('things', 'v1', ONE_PARTITION));
      // Whether what was sent took effect nobody knew: all of it or nothing of it did.
      expect([
        ['a', 1n],
        ['b', 2n],
      ]).toContainEqual([found!.document.name, at]);
    });

    it('folds nothing twice where it is killed under writes, and leaves nothing out', async () => {
      const log = createMemoryLog();
      const started = () =>
        back(async () => {
          const one = runnerOf(log, store, projections);
          await one.start();
          return one;
        });
      let runner = await started();
      let going = true;
      const writing = (async () => {
        for (let amount = 1; going; amount++) {
          await count(log, amount % 7, amount);
          await setTimeout(5);
        }
      })();
      /** The server may have forgotten what it answered last: then another one goes on from where it stands. */
      const isStopped = () => runner.status().some(({ state }) => state === 'stopped');
      async function reached(): Promise<void> {
        for (;;) {
          await runner.waitFor((await log.head())!);
          if (!isStopped()) return;
          await runner.stop();
          runner = await started();
        }
      }
      for (let kills = 0; kills < 3; kills++) {
        await reached();
        await server.kill();
        await server.restart();
      }
      going = false;
      await writing;
      await count(log, 1, 1);
      await reached();
      await runner.stop();
      for (const one of projections) {
        expect(await back(() => contents(store, one.name))).toEqual(await pureFold(log, one));
      }
    });

    it('answers nothing for what is lost, and has all of it again from the log', async () => {
      const log = createMemoryLog();
      for (let amount = 0; amount < 40; amount++) await count(log, amount % 7, amount);
      const first = runnerOf(log, store, projections);
      await first.start();
      await first.waitFor((await log.head())!);
      expect(await store.get('tallies', '1')).toBeDefined();

      await server.kill();
      await server.restart(true);
      await back(() => store.ping());
      // Not "there is none": nobody knows.
      await isAway(store.get('tallies', '1'));
      await isAway(store.find('tallies', { limit: 1 }));
      const head = await count(log, 1, 1);
      await first.waitFor(head);
      expect(first.status().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
      await isAway(store.get('tallies', '1'));
      await first.stop();

      const second = runnerOf(log, store, projections);
      await second.start();
      await second.waitFor(head);
      await second.stop();
      for (const one of projections) expect(await contents(store, one.name)).toEqual(await pureFold(log, one));
    });

    it('is made anew by a rebuild, beside a runner that has lost all', async () => {
      const log = createMemoryLog();
      for (let amount = 0; amount < 40; amount++) await count(log, amount % 7, amount);
      const runner = runnerOf(log, store, projections);
      await runner.start();
      await runner.waitFor((await log.head())!);
      await server.kill();
      await server.restart(true);
      await back(() => store.ping());
      const another = runnerOf(log, open(), projections);
      await another.rebuild();
      await another.stop();
      await runner.stop();
      for (const one of projections) expect(await contents(store, one.name)).toEqual(await pureFold(log, one));
    });
  });

  it('tells no password', async () => {
    const port = await freePort();
    const secret = 'not-to-be-told';
    const errors: unknown[] = [];
    for (const address of [`mongodb://user:${secret}@127.0.0.1:${port}/?nope=1`, `postgres://user:${secret}@host/`]) {
      try {
        openMongoStore({ url: address });
      } catch (error) {
        errors.push(error);
      }
    }
    const away = open({ url: `mongodb://user:${secret}@127.0.0.1:${port}/` });
    await away.ping().catch((error: unknown) => errors.push(error));
    expect(errors).toHaveLength(3);
    const told = errors.map((error) => {
      const { message, stack, cause } = error as Error;
      return [message, stack, JSON.stringify(error), String(cause), JSON.stringify(cause)].join('\n');
    });
    expect(told.join('\n')).not.toContain(secret);
  });

  it('answers as one in memory while others fill a build beside', async () => {
    const memory = createMemoryStore();
    for (const one of [store, memory]) {
      await one.prepare(things, 'v1');
      await one.commit([part('things', null, 1n, { 1: { label: 'a.b*c', teams: [1] }, 2: { label: 'a\nb' } })]);
      await one.prepare(things, 'v2');
      await one.commit([{ ...part('things', null, 9n, { 1: {}, 3: {} }), generation: 'v2' }]);
    }
    for (const text of ['.', 'b*', '\n', 'a', '\\', '\0', '']) {
      const query = { contains: { field: 'label', text }, limit: 9 };
      expect(await store.find('things', query)).toEqual(await memory.find('things', query));
    }
  });
});
