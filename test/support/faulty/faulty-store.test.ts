import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { ProjectionRunner } from '../../../src/read-models/projector/projection-runner.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { readStoreContract } from '../../read-models/read-store.contract.ts';
import { append, contents, pureFold, runnerOf } from '../../read-models/runner-kit.ts';
import { tallies } from '../../read-models/toys.ts';
import { createFaultyNetwork, type FaultyNetwork } from './faulty-network.ts';
import { createFaultyStore } from './faulty-store.ts';

readStoreContract('far', async () => createFaultyStore(createMemoryStore(), createFaultyNetwork()));

readStoreContract(
  'far, without transactions',
  async () => createFaultyStore(createMemoryStore(), createFaultyNetwork(), { torn: true }),
  {
    skip: [
      {
        reason: 'documents are written before the checkpoint is looked at',
        tests: [
          'writes nothing when the checkpoint is not where it was expected: ahead',
          'writes nothing when the checkpoint is not where it was expected: behind',
          'writes nothing when the checkpoint is not where it was expected: at the start',
          'does nothing when the checkpoint is not where it was expected',
          'are lost one by one, and with one of them nothing is written: ahead',
          'are lost one by one, and with one of them nothing is written: behind',
          'are lost one by one, and with one of them nothing is written: at the start',
          'rejects a document that is not JSON, and writes nothing',
        ],
      },
    ],
  },
);

const facts = fc.array(
  fc.record({
    type: fc.constantFrom('Counted', 'Counted', 'Other'),
    key: fc.constantFrom(1, 2, 3, 4),
    amount: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const projections = [tallies(), tallies('others')];

/** A start is not repeated by the runner: whoever starts it does so, with another one. */
async function started(log: EventLog, store: ReadStore, some: readonly Projection[]): Promise<ProjectionRunner> {
  for (;;) {
    const runner = runnerOf(log, store, some);
    try {
      await runner.start();
      return runner;
    } catch {
      await runner.stop();
    }
  }
}

describe.each([
  ['with transactions', false],
  ['without transactions', true],
])('a far store whose answers get lost, %s', (_name, torn) => {
  it('holds what the log amounts to, through new versions and rebuilds', async () => {
    const world = fc.record({ seed: fc.nat(), history: fc.array(facts, { minLength: 2, maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(world, async ({ seed, history }) => {
        const log = createMemoryLog();
        const inner = createMemoryStore();
        const store = createFaultyStore(inner, createFaultyNetwork({ seed, lost: 0.15 }), { torn });
        await append(log, ...history[0]!);
        const first = await started(log, store, projections);
        for (const batch of history.slice(1, -1)) await first.waitFor(await append(log, ...batch));
        await first.caughtUp();
        await first.stop();

        const now = [tallies('tallies', 2), tallies('others')];
        const second = await started(log, store, now);
        const end = await append(log, ...history.at(-1)!);
        await second.waitFor(end);
        expect(second.status().map(({ state }) => state)).not.toContain('stopped');
        // Where its preparing was lost nothing has begun, and it may be asked for again.
        await second.rebuild(['others']).catch(() => {});
        await second.waitFor(await append(log, ...history[0]!));
        await second.stop();
        for (const one of now) expect(await contents(inner, one.name)).toEqual(await pureFold(log, one));
      }),
      { numRuns: 25 },
    );
  });
});

/** The way of a process that is killed at a call: nothing of it comes through from there on. */
function killedAt(far: FaultyNetwork, call: number): FaultyNetwork & { readonly death: Promise<void> } {
  let calls = 0;
  let die = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  return {
    random: far.random,
    death,
    async call(name, effect) {
      if (calls++ < call) return far.call(name, effect);
      die();
      throw new Error(`${name}: killed`);
    },
  };
}

it('holds what the log amounts to where a process was killed between documents and checkpoint', async () => {
  const world = fc.record({
    seed: fc.nat(),
    call: fc.integer({ min: 20, max: 60 }),
    history: fc.array(facts, { minLength: 3, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ seed, call, history }) => {
      const log = createMemoryLog();
      const inner = createMemoryStore();
      await append(log, ...history[0]!);
      const far = killedAt(createFaultyNetwork({ seed }), call);
      const killed = runnerOf(log, createFaultyStore(inner, far, { torn: true }), projections);
      const work = (async () => {
        await killed.start();
        for (const batch of history.slice(1, -1)) await killed.waitFor(await append(log, ...batch));
      })().catch(() => {});
      await Promise.race([work, far.death]);
      await killed.stop();
      await work;

      const next = await started(
        log,
        createFaultyStore(inner, createFaultyNetwork({ seed }), { torn: true }),
        projections,
      );
      await next.waitFor(await append(log, ...history.at(-1)!));
      await next.stop();
      for (const one of projections) expect(await contents(inner, one.name)).toEqual(await pureFold(log, one));
    }),
    { numRuns: 40 },
  );
});

it('lets an instance that wakes too late write only what is there already', async () => {
  const log = createMemoryLog();
  await append(log, { type: 'Counted', key: 1, amount: 1 }, { type: 'Counted', key: 1, amount: 2 });
  const inner = createMemoryStore();
  const runner = await started(log, createFaultyStore(inner, createFaultyNetwork(), { torn: true }), [tallies()]);
  await runner.caughtUp();
  await runner.stop();
  const before = await contents(inner, 'tallies');

  const [old] = await pureFold(log, tallies(), 1n);
  const late = createFaultyStore(inner, createFaultyNetwork({ seed: 2 }), { torn: true });
  const part = { projection: 'tallies', generation: 'v1', partition: ONE_PARTITION, writes: [old!] };
  await expect(late.commit([{ ...part, expected: null, checkpoint: 1n }])).rejects.toMatchObject({
    code: 'checkpoint_moved',
  });
  expect(await contents(inner, 'tallies')).toEqual(before);
});
