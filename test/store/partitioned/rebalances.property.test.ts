import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PartitionedRunner } from '../../../src/store/partitioned/partitioned-runner.ts';
import { cases } from '../../cases.ts';
import { farStore } from '../../far/far-store.ts';
import { contents, faultyStore, pureFold } from '../runner-kit.ts';
import { tallies } from '../toys.ts';
import { crossing, type Fact, partitionedWorld, projected, tell } from './partitioned-kit.ts';

const facts: fc.Arbitrary<Fact[]> = fc.array(
  fc.record({
    type: fc.constantFrom('Counted', 'Counted', 'Counted', 'Other'),
    key: fc.nat({ max: 30 }),
    amount: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 15 },
);
/** What happens to the instances while facts come. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tell' as const), facts }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('start' as const), isNew: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('die' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('rebuild' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), turns: fc.nat({ max: 40 }) }) },
);
const old = () => [tallies(), crossing()];
const next = () => [tallies('tallies', 2), crossing('grouped', 2)];

it('whoever comes and goes, and whatever gets lost: the documents are those of the undivided fold', async () => {
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
          const way = farStore(world.inner, world.far, { torn });
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
            else if (one.does === 'wait') for (let left = one.turns; left > 0; left--) await setImmediate();
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
