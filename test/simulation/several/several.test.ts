import { describe, expect, it } from 'vitest';
import { simulateSeveral } from './simulate-several.ts';

/**
 * Several processes of each role on services that are far away; see `simulate-several.ts`.
 *
 * SEVERAL_SEED=n plays that seed and prints what happened. SEVERAL_RUNS says how many are played, SEVERAL_FROM the first.
 */
const RUNS = Number(process.env['SEVERAL_RUNS'] ?? 300);
const FROM = Number(process.env['SEVERAL_FROM'] ?? 1);
const SEED = process.env['SEVERAL_SEED'];

const COMMAND = 'npx vitest run --project unit test/simulation/several';

if (SEED !== undefined) {
  it(`seed ${SEED}`, async () => {
    const { lines, failure } = await simulateSeveral(Number(SEED), true);
    console.log(lines!.join('\n'));
    if (failure) throw failure;
  });
} else {
  describe('several processes of each role on far services', () => {
    it(
      `lose nothing, double nothing and never go back: seeds ${FROM} to ${FROM + RUNS - 1}`,
      async () => {
        let steps = 0;
        for (let seed = FROM; seed < FROM + RUNS; seed++) {
          const outcome = await simulateSeveral(seed);
          steps += outcome.steps;
          if (!outcome.failure) continue;
          outcome.failure.message = `seed ${seed}: ${outcome.failure.message}\nto see what happened: SEVERAL_SEED=${seed} ${COMMAND}`;
          throw outcome.failure;
        }
        expect(steps).toBeGreaterThan(RUNS * 100);
      },
      60_000 + RUNS * 1000,
    );

    it('play a seed the same way every time', async () => {
      for (const seed of [FROM, FROM + 1, FROM + 2]) {
        const { digest, steps } = await simulateSeveral(seed);
        expect(await simulateSeveral(seed)).toMatchObject({ digest, steps });
      }
    });
  });
}
