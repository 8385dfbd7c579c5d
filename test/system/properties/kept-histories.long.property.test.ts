import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
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
