import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEAGUES } from '../../intelligence/seasons.ts';
import { cases } from '../../support/cases.ts';
import { createLearnedWorld, GAMES, type Step } from './learned-world.ts';

const BYTES_OF_RESULT = 1500;

const aGame = fc.nat({ max: GAMES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('play' as const), count: fc.integer({ min: 1, max: 80 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('correct' as const, 'mend' as const, 'remove' as const, 'repeat' as const, 'rank' as const),
      game: aGame,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('save' as const, 'restart' as const, 'crash' as const) }) },
);
const stories = fc.record({
  league: fc.constantFrom(...LEAGUES),
  seed: fc.nat(),
  steps: fc.array(step, { minLength: 4, maxLength: 10 }),
  limit: fc.constantFrom(undefined, 300 * BYTES_OF_RESULT),
});

it('gives the same numbers, to the last bit, after any restarts, crashes, corrections and mends as learning from nothing', async () => {
  let [used, tried] = [0, 0];
  await fc.assert(
    fc.asyncProperty(stories, async ({ league: { sport, league }, seed, steps, limit }) => {
      const world = createLearnedWorld(sport, league, seed, limit);
      await world.take({ kind: 'play', count: 260 });
      await world.take({ kind: 'restart' });
      for (const one of steps) await world.take(one);
      const [kept, anew] = await world.remembered();
      // Thousands of numbers: a message with all of them would tell nothing.
      expect(isDeepStrictEqual(kept, anew)).toBe(true);
      used += world.used;
      tried++;
    }),
    { numRuns: cases(10, 5) },
  );
  expect(used).toBeGreaterThanOrEqual(tried);
}, 120_000);
