import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PartitionedRunner } from '../../../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { cases } from '../../../support/cases.ts';
import { createFaultyStore } from '../../../support/faulty/faulty-store.ts';
import { contents, faultyStore, pureFold } from '../../runner-kit.ts';
import { tallies } from '../../toys.ts';
import {
  crossing,
  type Fact,
  type PartitionedWorld,
  partitionedWorld,
  projected,
  tell,
} from './partitioned-harness.ts';

const facts: fc.Arbitrary<Fact[]> = fc.array(
  fc.record({
    type: fc.constantFrom('Counted', 'Counted', 'Counted', 'Other'),
    key: fc.nat({ max: 30 }),
    amount: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 15 },
);
const telling = { weight: 4, arbitrary: fc.record({ does: fc.constant('tell' as const), facts }) };
const rebuilding = { weight: 1, arbitrary: fc.record({ does: fc.constant('rebuild' as const) }) };
const waiting = {
  weight: 2,
  arbitrary: fc.record({ does: fc.constant('wait' as const), turns: fc.nat({ max: 40 }) }),
};
/** What happens to the instances while facts come. */
const step = fc.oneof(
  telling,
  { weight: 2, arbitrary: fc.record({ does: fc.constant('start' as const), isNew: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('die' as const) }) },
  rebuilding,
  waiting,
);
const pass = async (turns: number): Promise<void> => {
  for (let left = turns; left > 0; left--) await setImmediate();
};
const old = () => [tallies(), crossing()];
const next = () => [tallies('tallies', 2), crossing('grouped', 2)];

// Where a fifth of all requests is lost, one case in some hundreds takes half a minute to fill the new builds: it repeats
// what twelve partitions commit together until nothing of it is lost.
it('whoever comes and goes, and whatever gets lost: the documents are those of the undivided fold', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.nat(),
      fc.constantFrom(0, 0.05, 0.2),
      fc.boolean(),
      async (steps, seed, lost, torn) => {
        const world = partitionedWorld({ seed, lost, torn });
        const running: PartitionedRunner[] = [];
        const deaths = new Map<PartitionedRunner, () => void>();
        const begin = (isNew: boolean) => {
          let isDead = false;
          const way = createFaultyStore(world.inner, world.far, { torn });
          // Once dead nothing comes through any more, also of what it is in the middle of.
          const store = faultyStore(way, () => (isDead ? 'before' : undefined));
          const one = world.instance(isNew ? next() : old(), { store });
          deaths.set(one, () => {
            isDead = true;
          });
          one.start();
          running.push(one);
        };
        try {
          begin(false);
          for (const one of steps) {
            if (one.does === 'tell') await tell(world.log, one.facts);
            else if (one.does === 'start' && running.length < 3) begin(one.isNew);
            else if (one.does === 'stop' && running.length > 0) await running.shift()!.stop();
            else if (one.does === 'die' && running.length > 0) {
              deaths.get(running[0]!)!();
              await running.shift()!.stop();
            } else if (one.does === 'rebuild') running[0]?.rebuild().catch(() => {});
            else if (one.does === 'wait') await pass(one.turns);
          }
          // At the end all are of the new version.
          for (const one of running.splice(0)) await one.stop();
          begin(true);
          await projected(world, next());
        } finally {
          for (const one of running) await one.stop();
        }
        expect(world.tooEarly).toEqual([]);
        for (const projection of next()) {
          expect(await contents(world.inner, projection.name)).toEqual(await pureFold(world.log, projection));
        }
      },
    ),
    { numRuns: cases(60, 8) },
  );
});

/** What happens while one instance feeds all. */
const stepsOfOne = fc.array(fc.oneof(telling, rebuilding, waiting), { minLength: 3, maxLength: 14 });
type StepOfOne = typeof stepsOfOne extends fc.Arbitrary<(infer Step)[]> ? Step : never;

/** Until all is projected, and the instance has ended. */
async function played(world: PartitionedWorld, one: PartitionedRunner, steps: readonly StepOfOne[]): Promise<void> {
  one.start();
  try {
    for (const step of steps) {
      if (step.does === 'tell') await tell(world.log, step.facts);
      else if (step.does === 'rebuild') one.rebuild().catch(() => {});
      else await pass(step.turns);
    }
    await projected(world, old());
  } finally {
    await one.stop();
  }
}

// A feeder may look at both at any moment, and let one take over from the other.
it('fault: what is read moves on without a build that stands in the same place', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOfOne, fc.nat(), fc.constantFrom(0, 0.05), async (steps, seed, lost) => {
      const world = partitionedWorld({ seed, lost, torn: true });
      const one = world.instance(old());
      await played(world, one, steps);
      expect(world.overtaken).toEqual([]);
      expect(world.tooEarly).toEqual([]);
    }),
    { numRuns: cases(100, 20) },
  );
});

it('an instance that is alone never takes what it has done itself for another one’s', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOfOne, fc.nat(), async (steps, seed) => {
      const world = partitionedWorld({ seed });
      const taken: string[] = [];
      const info = (fields: { readonly reason?: string }) => {
        if (fields.reason?.includes('expected its checkpoint')) taken.push(JSON.stringify(fields));
      };
      const one = world.instance(old(), { logger: { info, warn() {}, error() {} } });
      await played(world, one, steps);
      expect(taken).toEqual([]);
    }),
    { numRuns: cases(100, 20) },
  );
});
