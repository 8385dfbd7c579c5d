import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
import { createMemoryFoldStore, type FoldStore } from '../../../src/read-models/store/fold-store.ts';
import { plainFold } from './plain-fold.ts';
import { runs } from './runs.ts';
import { type SmallServer, withServer } from './small-server.ts';
import { arranged, history, NOW, order } from './world.ts';

const MINUTE = 60_000;
const BASES = ['recorded', 'observed'] as const;

/** Every key of every projection that can be asked for as of a moment. */
async function keysOf(server: SmallServer): Promise<{ projection: Projection; key: string }[]> {
  const records = await server.records();
  return (projections as readonly Projection[])
    .filter(({ streams }) => streams)
    .flatMap((projection) => {
      const own = records.filter(({ type }) => projection.types.includes(type)).map((one) => projection.key(one)!);
      return [...new Set(own)].map((key) => ({ projection, key }));
    });
}

/** Moments at, just before and between those of the records. */
const momentsOf = async (server: SmallServer, basis: AsOf['basis']): Promise<number[]> =>
  (await server.records()).map(({ recordedAt, data }) =>
    Date.parse(basis === 'recorded' ? recordedAt : (data as { at: string }).at),
  );

it('what is kept of streams that grow, with late and repeated records, gives what the plain fold gives', async () => {
  const kept = fc.record({ snapshotEvery: fc.integer({ min: 1, max: 9 }), maxBytes: fc.constantFrom(20_000, 1e9) });
  const asked = fc.infiniteStream(fc.nat());
  await fc.assert(
    fc.asyncProperty(history, order, kept, asked, async (messages, one, options, numbers) => {
      await withServer({ time: NOW }, async (server) => {
        const histories = createDocumentHistory(server.log, options);
        const draw = () => numbers.next().value!;
        const checkSome = async (count: number) => {
          const keys = await keysOf(server);
          for (let i = 0; i < count && keys.length > 0; i++) {
            const { projection, key } = keys[draw() % keys.length]!;
            const basis = BASES[draw() % 2]!;
            const moments = await momentsOf(server, basis);
            const asOf = { basis, at: moments[draw() % moments.length]! - (draw() % 2) };
            const fast = await histories.documentsAsOf(projection, key, asOf);
            expect([...fast]).toEqual([...(await plainFold(server.log, projection, key, asOf))]);
          }
        };
        for (const batch of arranged(messages, one)) {
          server.clock.time += MINUTE;
          await server.accept(batch);
          await checkSome(2);
        }
        await checkSome(20);
      });
    }),
    runs(25),
  );
});

it('requests at the same moment read a stream once, and get what each of them asked for', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, async (messages, one) => {
      await withServer({ time: NOW }, async (server) => {
        for (const batch of arranged(messages, one)) {
          server.clock.time += MINUTE;
          await server.accept(batch);
        }
        const reads: string[] = [];
        const readStream: typeof server.log.readStream = async (stream, options) => {
          const records = await server.log.readStream(stream, options);
          for (const { revision } of records) reads.push(`${stream} ${revision}`);
          return records;
        };
        const histories = createDocumentHistory({ ...server.log, readStream }, { snapshotEvery: 4 });
        const keys = await keysOf(server);
        await Promise.all(
          keys.flatMap(({ projection, key }) =>
            BASES.map(async (basis) => {
              for (const moment of (await momentsOf(server, basis)).slice(0, 5)) {
                const asOf = { basis, at: moment };
                const fast = await histories.documentsAsOf(projection, key, asOf);
                expect([...fast]).toEqual([...(await plainFold(server.log, projection, key, asOf))]);
              }
            }),
          ),
        );
        expect(reads.length).toBe(new Set(reads).size);
      });
    }),
    runs(10),
  );
});

/** Bytes, notes and places are stored wrong, parts get lost, and the store fails, by these numbers. */
function unreliable(store: FoldStore, draw: () => number): FoldStore {
  /** What was read before, of whatever name and place. */
  const others = new Map<number, Uint8Array>();
  const fail = () => {
    if (draw() % 20 === 0) throw new Error('the store is away');
  };
  return {
    async list(name, version) {
      fail();
      return (await store.list(name, version))
        .filter(() => draw() % 10 > 0)
        .map((part) => (draw() % 10 === 0 ? { ...part, note: part.note.replace(/\d/, String(draw() % 10)) } : part));
    },
    async read(name, places) {
      fail();
      const found = [...(await store.read(name, places))].filter(() => draw() % 10 > 0);
      return new Map(
        found.map(([place, content]) => {
          const copy = Buffer.from(draw() % 5 === 0 ? (others.get(draw() % 50) ?? content) : content);
          others.set(draw() % 50, content);
          if (draw() % 5 === 0) copy[draw() % copy.length]! ^= 1 + (draw() % 255);
          return [place, draw() % 10 === 0 ? copy.subarray(0, draw() % copy.length) : copy];
        }),
      );
    },
    async write(name, version, put, removed) {
      fail();
      await store.write(
        name,
        version,
        put.filter(() => draw() % 10 > 0),
        removed.filter(() => draw() % 10 > 0),
      );
    },
  };
}

it('what is stored of streams, also wrongly or of another log, gives to the byte what the plain fold gives', async () => {
  const every = fc.integer({ min: 1, max: 6 });
  const sizes = fc.record({ from: every, every, block: every });
  const options = fc.record({ snapshotEvery: every, sizes, isReliable: fc.boolean() });
  const asked = fc.infiniteStream(fc.nat());
  const read = { stored: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(history, history),
      order,
      options,
      asked,
      async (worlds, one, { isReliable, snapshotEvery, sizes }, numbers) => {
        const draw = () => numbers.next().value!;
        const kept = createMemoryFoldStore();
        const store = isReliable ? kept : unreliable(kept, draw);
        const counting: FoldStore = {
          ...store,
          async read(name, places) {
            const found = await store.read(name, places);
            read.stored += found.size;
            return found;
          },
        };
        for (const [index, messages] of worlds.entries()) {
          // The second log goes on differently where the first one did not end.
          await withServer({ time: NOW + index }, async (server) => {
            const storing = { store: counting, sizes, onError: () => {} };
            for (const batch of arranged(messages, one)) {
              server.clock.time += MINUTE;
              await server.accept(batch);
              // After a start, nothing is at hand but what is stored.
              const histories = createDocumentHistory(server.log, { snapshotEvery, storing });
              const keys = await keysOf(server);
              for (let i = 0; i < 6 && keys.length > 0; i++) {
                const { projection, key } = keys[draw() % keys.length]!;
                const basis = BASES[draw() % 2]!;
                const moments = await momentsOf(server, basis);
                const asOf = { basis, at: moments[draw() % moments.length]! - (draw() % 2) };
                const fast = await histories.documentsAsOf(projection, key, asOf);
                const plain = await plainFold(server.log, projection, key, asOf);
                expect(JSON.stringify([...fast])).toBe(JSON.stringify([...plain]));
                expect([...fast]).toEqual([...plain]);
              }
            }
          });
        }
      },
    ),
    runs(25),
  );
  expect(read.stored).toBeGreaterThan(0);
});
