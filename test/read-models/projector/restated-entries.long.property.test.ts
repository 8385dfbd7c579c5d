import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rosters } from '../../../projections/directory/rosters.ts';
import { projections } from '../../../projections/index.ts';
import { createFold } from '../../../src/domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import { plainStream } from '../../../src/domain/identities/stream-replacements.ts';
import { PARTITIONS_BY_TYPE } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { verifyProjection } from '../../../src/read-models/projector/verify/verify-projection.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { openForcedIntake } from '../../ingest/mending/forced-intake.ts';
import { readLog } from '../../ingest/mending/replayed-log.ts';
import { INTRODUCTIONS, NOW, PLAYERS, TEAMS, telling } from '../../ingest/mending/two-spellings.ts';
import { cases } from '../../support/cases.ts';
import { withoutPositions } from '../restated-log.ts';
import { contents, runnerOf } from '../runner-kit.ts';

const isOfEntries = ({ types }: Projection): boolean =>
  types.some((type) => ['team', 'player'].includes(PARTITIONS_BY_TYPE.get(type)!));
const isOfEvents = ({ types }: Projection): boolean => types.some((type) => PARTITIONS_BY_TYPE.get(type) === 'event');
const all: readonly Projection[] = projections.filter((one: Projection) => isOfEntries(one) || isOfEvents(one));
const ofEntries = all.filter(isOfEntries);

const deed = fc.record({
  what: fc.constantFrom('team' as const, 'player' as const, 'undo' as const),
  a: fc.nat({ max: 5 }),
  b: fc.nat({ max: 5 }),
});
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: telling }, { weight: 1, arbitrary: deed }), { maxLength: 25 });
const isDeed = (step: object): step is Deed => 'what' in step;

const actOf = ({ what, a, b }: Deed) => {
  if (what === 'undo') return { action: 'undo', act: a + 1 };
  const some = what === 'team' ? TEAMS.slice(0, 3) : PLAYERS.slice(0, 2);
  const thing = (index: number) => {
    const { source, ref } = some[index % some.length]!;
    return { source, ref };
  };
  return { action: 'merge', what, from: thing(a), into: thing(b) };
};

async function read(store: ReadStore, some = all): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { name } of some) {
    const documents = await contents(store, name);
    found[name] = documents.map(({ key, document }) => [key, withoutPositions(document)]);
  }
  return found;
}

async function folded(log: EventLog): Promise<Record<string, unknown>> {
  const store = createMemoryStore();
  const runner = runnerOf(log, store, all, { cacheDocuments: 10 });
  await runner.start();
  await runner.caughtUp();
  await runner.stop();
  return read(store);
}

/** The tables of the teams: each has the row of every player who was ever in it. */
function addRows(documents: Map<string, unknown>): void {
  for (const [key, { row, tables }] of [...documents] as [string, any][]) {
    for (const table of tables) {
      const { rows } = (documents.get(table) ?? { rows: {} }) as { readonly rows: object };
      documents.set(table, { rows: { ...rows, [key]: row } });
    }
  }
}

/** What the present streams of teams and players say, without tables. */
async function ofPresentStreams(log: EventLog): Promise<Record<string, Map<string, unknown>>> {
  const records = await readLog(log);
  const present = records.filter(({ stream }) => log.replacements.current(plainStream(stream)) === stream);
  return Object.fromEntries(
    ofEntries.map((projection) => {
      const fold = createFold(projection);
      const documents = new Map<string, unknown>();
      for (const record of present) fold.applyInto(documents, record as never);
      for (const [key, document] of documents) documents.set(key, withoutPositions(document));
      return [projection.name, documents];
    }),
  );
}

describe('documents of teams and players after acts of an operator', () => {
  it('given any acts, then live, from the start and rebuilt they are what the present streams say', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (told) => {
        let clock = NOW;
        const world = await openForcedIntake(() => (clock += 1000));
        const live = createMemoryStore();
        const runner = runnerOf(world.log, live, all, { cacheDocuments: 10 });
        try {
          await runner.start();
          for (const step of [...INTRODUCTIONS, ...told]) {
            clock += 60_000;
            const act = { kind: 'identity', source: 'operator', at: new Date(clock).toISOString() };
            const value = isDeed(step) ? { ...act, ...actOf(step) } : step;
            await world.intake.accept([{ line: 1, value }]);
            await runner.waitFor((await world.log.head())!);
          }
          expect(runner.status().filter(({ state }) => state === 'stopped')).toEqual([]);
          const found = await read(live);
          expect(found).toEqual(await folded(world.log));
          for (const [name, documents] of Object.entries(await ofPresentStreams(world.log))) {
            const shown = new Map(found[name] as [string, unknown][]);
            if (name === rosters.name) addRows(documents);
            expect([name, [...shown].sort()]).toEqual([name, [...documents].sort()]);
          }
          await runner.rebuild();
          expect(await read(live)).toEqual(found);
          for (const projection of all) {
            const result = await verifyProjection({
              ...{ log: world.log, store: live, projection },
              scratchStore: createMemoryStore(),
            });
            expect(result).toMatchObject({ differences: [] });
          }
        } finally {
          await runner.stop();
          await world.close();
        }
      }),
      { numRuns: cases(60), endOnFailure: true },
    );
  }, 300_000);
});
