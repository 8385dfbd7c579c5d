import { describe, expect, it } from 'vitest';
import { playSeeds, seedsOf, timeFor } from './play-seeds.ts';
import { simulateSeveral } from './simulate-several.ts';

/**
 * Several processes of each role on services that are far away; see `simulate-several.ts`.
 *
 * SEVERAL_SEED=n plays that seed and prints what happened. SEEDS=n SEED=m plays n of them from m on.
 */
const seeds = seedsOf(300, 1);
const ONE = process.env['SEVERAL_SEED'];

if (ONE !== undefined) {
  it(`seed ${ONE}`, async () => {
    const { lines, failure } = await simulateSeveral(Number(ONE), true);
    console.log(lines!.join('\n'));
    if (failure) throw failure;
  });
} else {
  describe('several processes of each role on far services', () => {
    it(
      `lose nothing, double nothing and never go back: ${seeds.runs} seeds from ${seeds.from} on`,
      () => playSeeds(seeds),
      timeFor(seeds.runs),
    );

    it('play a seed the same way every time', async () => {
      for (const seed of [seeds.from, seeds.from + 1, seeds.from + 2]) {
        const { digest, steps } = await simulateSeveral(seed);
        expect(await simulateSeveral(seed)).toMatchObject({ digest, steps });
      }
    });
  });
}
