import { expect } from 'vitest';
import { simulateSeveral } from './simulate-several.ts';

const COMMAND = 'npx vitest run --project unit test/system/simulation/several';

/** So many seeds, one after the other, up to the first that does not hold. SEEDS and SEED say which: how many, and the
 *  first. So all of them can be divided among processes. */
export const seedsOf = (runs: number, from: number) => ({
  runs: Number(process.env['SEEDS'] ?? runs),
  from: Number(process.env['SEED'] ?? from),
});

/** For `it`: milliseconds, on a machine that has much else to do. */
export const timeFor = (runs: number): number => 60_000 + runs * 1000;

export async function playSeeds({ runs, from }: ReturnType<typeof seedsOf>): Promise<void> {
  let steps = 0;
  for (let seed = from; seed < from + runs; seed++) {
    const { steps: taken, failure } = await simulateSeveral(seed);
    steps += taken;
    if (!failure) continue;
    failure.message = `seed ${seed}: ${failure.message}\nto see what happened: SEVERAL_SEED=${seed} ${COMMAND}`;
    throw failure;
  }
  expect(steps).toBeGreaterThan(runs * 100);
}
