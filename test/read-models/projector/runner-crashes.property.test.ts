import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { DocumentChanges } from '../../../src/read-models/projector/projection-runner.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { cases } from '../../support/cases.ts';
import { append, contents, type Fault, faultyStore, pureFold, runnerOf } from '../runner-kit.ts';
import { grouped, tallies } from '../toys.ts';

const facts = fc.array(
  fc.record({
    type: fc.constantFrom('Counted', 'Counted', 'Counted', 'Other'),
    key: fc.constantFrom(1, 2, 3, 4),
    amount: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const projections = [tallies(), grouped()];
/** There are four documents. Room for the usual 10 000 takes longer to make than a whole run takes. */
const SMALL = { cacheDocuments: 10 };

async function expectFolded(log: Parameters<typeof pureFold>[0], store: ReadStore, expected = projections) {
  for (const projection of expected) {
    expect(await contents(store, projection.name)).toEqual(await pureFold(log, projection));
  }
}

describe.each([
  ['memory', () => createMemoryStore()],
  ['sqlite', () => openSqliteStore({ file: ':memory:' })],
])('crashes: %s', (_name, openStore: () => ReadStore) => {
  it('at any call of the store, before or after its effect: the next run gives the pure fold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(facts, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 30 }),
        fc.constantFrom<'before' | 'after'>('before', 'after'),
        facts,
        fc.boolean(),
        async (history, call, fault, later, newVersion) => {
          const log = createMemoryLog();
          const store = openStore();
          let died = () => {};
          const death = new Promise<void>((resolve) => {
            died = resolve;
          });
          let calls = 0;
          const dying = faultyStore(store, (): Fault => {
            calls++;
            if (calls === call) died();
            // Once dead nothing comes through any more.
            return calls < call ? undefined : calls === call ? fault : 'before';
          });
          try {
            await append(log, ...history[0]!);
            if (newVersion) {
              const old = runnerOf(log, store, projections, SMALL);
              await old.start();
              await old.caughtUp();
              await old.stop();
            }
            const now = newVersion ? [tallies('tallies', 2), grouped('grouped', 2)] : projections;
            const first = runnerOf(log, dying, now, SMALL);
            const work = (async () => {
              await first.start();
              for (const batch of history.slice(1)) await first.waitFor(await append(log, ...batch));
            })();
            await Promise.race([work.catch(() => {}), death]);
            await first.stop();
            await work.catch(() => {});

            const second = runnerOf(log, store, now, SMALL);
            await second.start();
            await second.waitFor(await append(log, ...later));
            await second.stop();
            await expectFolded(log, store, now);
          } finally {
            await store.close();
          }
        },
      ),
      { numRuns: cases(150) },
    );
  });

  it('store errors that pass: everything is folded and announced once', async () => {
    const fault = fc.constantFrom<Fault>(undefined, undefined, 'before', 'after');
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { minLength: 1, maxLength: 5 }), fc.array(fault), async (history, faults) => {
        const log = createMemoryLog();
        const store = openStore();
        let calls = 0;
        let started = false;
        const failing = faultyStore(store, (method) => {
          const isRetried = started && (method === 'commit' || method === 'load' || method === 'checkpoint');
          return isRetried ? faults[calls++] : undefined;
        });
        const seen: string[] = [];
        try {
          const runner = runnerOf(log, failing, projections, SMALL);
          runner.documentChanges.subscribe(({ projection, changes }: DocumentChanges) => {
            for (const { key, position } of changes) seen.push(`${projection} ${key} ${position}`);
          });
          await runner.start();
          started = true;
          for (const batch of history) await runner.waitFor(await append(log, ...batch));
          await runner.caughtUp();
          expect(runner.status()).toMatchObject([{ state: 'live' }, { state: 'live' }]);
          await runner.stop();
          await expectFolded(log, store);
          expect(new Set(seen).size).toBe(seen.length);
        } finally {
          await store.close();
        }
      }),
      { numRuns: cases(100) },
    );
  });
});
