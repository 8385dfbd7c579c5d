import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { corrections } from '../../../projections/sports-events/corrections.ts';
import { listings } from '../../../projections/sports-events/listings.ts';
import { teamStarts } from '../../../projections/sports-events/team-starts.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import { PARTITIONS_BY_TYPE } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { verifyProjection } from '../../../src/read-models/projector/verify/verify-projection.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { ReadStore, StoredDocument } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { cases } from '../../support/cases.ts';
import { createFaultyStore } from '../../support/faulty/faulty-store.ts';
import { restatedWorld, type Step, steps, withoutPositions } from '../restated-log.ts';
import { contents, type Fault, faultyStore, runnerOf } from '../runner-kit.ts';
import { type PartitionedWorld, partitionedWorld, projected } from './partitioned/partitioned-harness.ts';

const ofEvents: readonly Projection[] = projections.filter(({ types }) =>
  types.some((type) => PARTITIONS_BY_TYPE.get(type) === 'event'),
);
const SMALL = { cacheDocuments: 10 };

/** What reads give: all documents of each projection; of corrections, the state of each event. */
async function read(store: ReadStore): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { name } of ofEvents) {
    const documents = await contents(store, name);
    const shown = documents.flatMap(({ key, document }) => shownOf(name, key, document));
    found[name] = shown.map(({ key, document }) => [key, withoutPositions(document)]);
  }
  return found;
}

/**
 * What was told stays told, so corrections depend on when it was told under which id. What finds the events of an earlier
 * moment may find too many, see `expectFound`.
 */
function shownOf(name: string, key: string, document: any) {
  if (name === corrections.name) return document.event?.schedule ? [{ key, document: document.event }] : [];
  return name === listings.name || name === teamStarts.name ? [] : [{ key, document }];
}

/** Whatever is found where all was told rightly is found. */
async function expectFound(store: ReadStore, right: ReadStore): Promise<void> {
  for (const { key, document: wanted } of (await contents(right, teamStarts.name)) as StoredDocument<any>[]) {
    const found = (await store.get<any>(teamStarts.name, key))!.document;
    for (const [id, starts] of Object.entries(wanted.events ?? {})) {
      expect(found.events[id]).toEqual(expect.arrayContaining(starts as number[]));
    }
  }
  for (const { key, document: wanted } of (await contents(right, listings.name)) as StoredDocument<any>[]) {
    const { from, until, refs } = (await store.get<any>(listings.name, key))!.document;
    expect(refs).toEqual(wanted.refs);
    expect(from).toBeLessThanOrEqual(wanted.from);
    expect(until).toBeGreaterThanOrEqual(wanted.until);
  }
}

async function folded(log: EventLog, store: ReadStore): Promise<Record<string, unknown>> {
  const runner = runnerOf(log, store, ofEvents, SMALL);
  await runner.start();
  await runner.caughtUp();
  const stopped = runner.status().filter(({ state }) => state === 'stopped');
  await runner.stop();
  expect(stopped).toEqual([]);
  return read(store);
}

describe.each([
  ['memory', () => createMemoryStore()],
  ['sqlite', () => openSqliteStore({ file: ':memory:' })],
])('after acts of an operator: %s', (_name, openStore: () => ReadStore) => {
  it('given events whose sources were mended, then documents and rows are as if all had been told rightly, live and from the start', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = restatedWorld();
        const [live, later, right] = [openStore(), openStore(), openStore()];
        const runner = runnerOf(world.log, live, ofEvents, SMALL);
        try {
          await runner.start();
          for (const step of all) {
            await world.take(step);
            await runner.waitFor((await world.log.head())!);
          }
          expect(runner.status().filter(({ state }) => state === 'stopped')).toEqual([]);
          const expected = await folded(await world.oracle(), right);
          expect(await read(live)).toEqual(expected);
          expect(await folded(world.log, later)).toEqual(expected);
          await expectFound(live, right);
          await runner.rebuild();
          expect(await read(live)).toEqual(expected);
          for (const { name } of [corrections, listings, teamStarts]) {
            expect(await contents(live, name)).toEqual(await contents(later, name));
          }
          await expectVerified(world.log, live);
        } finally {
          await runner.stop();
          for (const store of [live, later, right]) await store.close();
        }
      }),
      { numRuns: cases(100) },
    );
  });

  it('given a server that dies at any call of the store, then the next one comes to the same documents', async () => {
    const fault = fc.constantFrom<'before' | 'after'>('before', 'after');
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 120 }), fault, async (all, call, kind) => {
        const world = restatedWorld();
        const [store, right] = [openStore(), openStore()];
        let calls = 0;
        let died = () => {};
        const death = new Promise<void>((resolve) => {
          died = resolve;
        });
        const dying = faultyStore(store, (): Fault => {
          calls++;
          if (calls === call) died();
          return calls < call ? undefined : calls === call ? kind : 'before';
        });
        try {
          const first = runnerOf(world.log, dying, ofEvents, SMALL);
          await told(world, all.slice(0, all.length / 2));
          const work = (async () => {
            await first.start();
            for (const step of all.slice(all.length / 2)) {
              await world.take(step);
              await first.waitFor((await world.log.head())!);
            }
          })();
          await Promise.race([work.catch(() => {}), death]);
          await first.stop();
          await work.catch(() => {});
          expect(await folded(world.log, store)).toEqual(await folded(await world.oracle(), right));
        } finally {
          await store.close();
          await right.close();
        }
      }),
      { numRuns: cases(100) },
    );
  });
});

it('given instances that die, one after another, beside a store without transactions, then the documents of all partitions are as if all had been told rightly', {
  timeout: 120_000,
}, async () => {
  const turns = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(steps, turns, fc.nat(), fc.constantFrom(0, 0.05), async (all, lives, seed, lost) => {
      let cluster!: PartitionedWorld;
      const world = restatedWorld(({ now }) => {
        cluster = partitionedWorld({ seed, lost, torn: true, now });
        return cluster.log;
      });
      const right = createMemoryStore();
      const begin = () => {
        let isDead = false;
        const store = faultyStore(createFaultyStore(cluster.inner, cluster.far, { torn: true }), (): Fault => {
          return isDead ? 'before' : undefined;
        });
        const runner = cluster.instance(ofEvents, { store });
        runner.start();
        return {
          stop: () => runner.stop(),
          die() {
            isDead = true;
            return runner.stop();
          },
        };
      };
      const part = Math.ceil(all.length / lives.length);
      for (const [index, passed] of lives.entries()) {
        const one = begin();
        for (const step of all.slice(index * part, (index + 1) * part)) {
          await world.take(step);
          await setImmediate();
        }
        for (let left = passed; left > 0; left--) await setImmediate();
        await one.die();
      }
      const last = begin();
      await projected(cluster, ofEvents);
      await last.stop();
      expect(await read(cluster.inner)).toEqual(await folded(await world.oracle(), right));
    }),
    { numRuns: cases(40) },
  );
});

async function told(world: ReturnType<typeof restatedWorld>, all: readonly Step[]): Promise<void> {
  for (const step of all) await world.take(step);
}

async function expectVerified(log: EventLog, store: ReadStore): Promise<void> {
  for (const projection of ofEvents) {
    const found = await verifyProjection({ log, store, projection, scratchStore: createMemoryStore() });
    expect(found).toMatchObject({ differences: [] });
  }
}
