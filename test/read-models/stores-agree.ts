import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import type { FieldValue } from '../../src/domain/event-sourcing/projection.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import type { Query, ReadStore } from '../../src/read-models/store/read-store.ts';
import { type Thing, things } from './toys.ts';

// Few distinct values, so that documents tie, match and change often.
const name = fc.constantFrom('', 'a', 'A', 'b', 'ä', '\u{FF5E}', '\u{1F600}', '5');
const rank = fc.constantFrom(-1, 0, 0.5, 1, 2, 5, 1e21);
const label = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_'), maxLength: 4 });
const team = fc.constantFrom<number | string>(1, 2, 3, 5, '5');
const absent = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const thing: fc.Arbitrary<Thing> = fc.record({
  name: absent(name),
  rank: absent(fc.option(rank)),
  live: absent(fc.boolean()),
  label: absent(label),
  teams: absent(fc.array(team, { maxLength: 3 })),
  note: fc.nat(),
});

const batches = (key: fc.Arbitrary<string>) =>
  fc.array(fc.array(fc.record({ key, document: thing, age: fc.nat({ max: 2 }) }), { maxLength: 30 }), { maxLength: 4 });
const decimalKey = fc.nat({ max: 40 }).map(String);
const anyKey = fc.oneof(decimalKey, fc.constantFrom('05', 'x', 'x-1', '\u{1F600}', '99999999999999999999'));

const orNull = (value: fc.Arbitrary<FieldValue>) => fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null));
const wanted = (value: fc.Arbitrary<FieldValue>) => fc.oneof(orNull(value), fc.array(orNull(value), { maxLength: 4 }));
const query: fc.Arbitrary<Query> = fc.record(
  {
    where: fc.record(
      { name: wanted(name), rank: wanted(rank), live: wanted(fc.boolean()), teams: wanted(team) },
      { requiredKeys: [] },
    ),
    range: fc.oneof(
      fc.record({ field: fc.constant('rank'), from: absent(rank), to: absent(rank), exclusive: exclusive() }),
      fc.record({ field: fc.constant('name'), from: absent(name), to: absent(name), exclusive: exclusive() }),
    ),
    contains: fc.record({ field: fc.constant('label'), text: label }),
    order: fc.record({
      field: fc.constantFrom('name', 'rank', 'live', 'label'),
      direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
    }),
    limit: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['limit'] },
);

function exclusive() {
  return absent(fc.constantFrom<'from' | 'to' | 'both'>('from', 'to', 'both'));
}

interface Write {
  readonly key: string;
  readonly document: Thing;
  /** How far its position lies behind its batch: some writes come too late. */
  readonly age: number;
}

async function withBoth(
  open: () => ReadStore,
  history: readonly (readonly Write[])[],
  check: (both: readonly ReadStore[]) => Promise<void>,
) {
  const both = [createMemoryStore(), open()];
  try {
    for (const store of both) {
      await store.prepare(things, 'v1');
      for (const [i, batch] of history.entries()) {
        const checkpoint = BigInt(i + 3);
        const writes = batch.map(({ key, document, age }) => ({ key, document, position: checkpoint - BigInt(age) }));
        const expected = i === 0 ? null : checkpoint - 1n;
        await store.commit([
          { projection: 'things', generation: 'v1', partition: ONE_PARTITION, writes, expected, checkpoint },
        ]);
      }
    }
    await check(both);
  } finally {
    for (const store of both) await store.close();
  }
}

/** A store answers as the one in memory does, which looks at everything. @param open a new, empty one */
export function storesAgree(which: string, open: () => ReadStore, numRuns: number): void {
  it(`${which} and memory hold the same documents and answer every query alike`, async () => {
    await fc.assert(
      fc.asyncProperty(batches(anyKey), fc.array(query, { minLength: 1, maxLength: 12 }), async (history, queries) => {
        await withBoth(open, history, async ([memory, other]) => {
          expect(await other!.scan('things', 'v1', null, 1000)).toEqual(await memory!.scan('things', 'v1', null, 1000));
          for (const one of queries) {
            expect(await other!.find('things', one), JSON.stringify(one)).toEqual(await memory!.find('things', one));
          }
          expect(await other!.findEach('things', queries)).toEqual(await memory!.findEach('things', queries));
        });
      }),
      { numRuns },
    );
  });

  it(`${which} and memory go on alike after any place, also one that no document has`, async () => {
    const place = fc.record({ value: orNull(fc.oneof(name, rank)), id: fc.nat({ max: 40 }) });
    const placed = fc.tuple(query, place).map(([one, after]) => ({ ...one, after }));
    await fc.assert(
      fc.asyncProperty(
        batches(decimalKey),
        fc.array(placed, { minLength: 1, maxLength: 12 }),
        async (history, queries) => {
          await withBoth(open, history, async ([memory, other]) => {
            for (const one of queries) {
              expect(await other!.find('things', one), JSON.stringify(one)).toEqual(await memory!.find('things', one));
            }
          });
        },
      ),
      { numRuns },
    );
  });

  it(`${which}: paging by the place of the last document gives every document once, in order`, async () => {
    const page = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(batches(decimalKey), query, page, async (history, one, limit) => {
        await withBoth(open, history, async (both) => {
          for (const store of both) {
            const whole = await store.find<Thing>('things', { ...one, limit: 1000 });
            const paged: (typeof whole)[number][] = [];
            let after: Query['after'];
            for (;;) {
              const found = await store.find<Thing>('things', { ...one, limit, after });
              paged.push(...found);
              const last = found.at(-1);
              if (!last) break;
              const value = one.order ? ((last.document[one.order.field as 'rank'] as FieldValue) ?? null) : null;
              after = { value, id: Number(last.key) };
            }
            expect(paged, JSON.stringify(one)).toEqual(whole);
          }
        });
      }),
      { numRuns },
    );
  });
}
