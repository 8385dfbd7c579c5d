import { describe, expect, it } from 'vitest';
import { smallSettingsOf } from './settings.ts';
import { type Outcome, type SimulateOptions, simulate } from './simulate.ts';

/**
 * A world of simulated time in which everything goes wrong that may go wrong, played from a seed; see `simulate.ts`.
 *
 * SIM_SEED=n plays that one and prints what happened; SIM_CRASH_AT=k with it lets the process that takes step k of the
 * small world die there. SIM_RUNS says how many seeds are played, SIM_FROM the first.
 */
const RUNS = Number(process.env['SIM_RUNS'] ?? 1000);
const FROM = Number(process.env['SIM_FROM'] ?? 1);
const SEED = process.env['SIM_SEED'];
const CRASH_AT = process.env['SIM_CRASH_AT'];
/** Worlds in which a crash is tried at every step. */
const CRASHED = [1, 2, 3, 4];

const COMMAND = 'npx vitest run --project unit test/simulation';

function expectSound({ failure }: Outcome, seed: number, crashAt?: number): void {
  if (!failure) return;
  const how = `SIM_SEED=${seed} ${crashAt === undefined ? '' : `SIM_CRASH_AT=${crashAt} `}${COMMAND}`;
  failure.message = `seed ${seed}: ${failure.message}\nto see what happened: ${how}`;
  throw failure;
}

if (SEED !== undefined) {
  it(`seed ${SEED}`, async () => {
    const small: SimulateOptions = { settingsOf: smallSettingsOf, crashAt: Number(CRASH_AT) };
    const outcome = await simulate(Number(SEED), { ...(CRASH_AT === undefined ? {} : small), traced: true });
    console.log(outcome.lines!.join('\n'));
    expectSound(outcome, Number(SEED), CRASH_AT === undefined ? undefined : Number(CRASH_AT));
  });
} else {
  describe('simulation', () => {
    it(
      `log, projections and score streams keep their promises: seeds ${FROM} to ${FROM + RUNS - 1}`,
      async () => {
        let steps = 0;
        for (let seed = FROM; seed < FROM + RUNS; seed++) {
          const outcome = await simulate(seed);
          expectSound(outcome, seed);
          steps += outcome.steps;
        }
        expect(steps).toBeGreaterThan(RUNS * 100);
      },
      60_000 + RUNS * 1000,
    );

    it.each(CRASHED)('whichever step is the last one of its process: seed %i', async (seed) => {
      const whole = await simulate(seed, { settingsOf: smallSettingsOf });
      expectSound(whole, seed, 0);
      expect(whole.awaits).toBeGreaterThan(100);
      for (let crashAt = 1; crashAt <= whole.awaits; crashAt++) {
        expectSound(await simulate(seed, { settingsOf: smallSettingsOf, crashAt }), seed, crashAt);
      }
    });

    it('a seed is played the same way every time', async () => {
      for (const seed of [FROM, FROM + 1, FROM + 2]) {
        const { digest, steps } = await simulate(seed);
        expect(await simulate(seed)).toMatchObject({ digest, steps });
      }
    });
  });
}
