import { describe, expect, it } from 'vitest';
import { cases, STRIDE } from '../../support/cases.ts';
import { SMALL_WORLDS, smallWorld } from './settings.ts';
import { type Outcome, type SimulateOptions, simulate } from './simulate.ts';

/**
 * A world of simulated time in which everything goes wrong that may go wrong, played from a seed; see `simulate.ts`.
 *
 * SIM_SEED=n plays that one and prints what happened; SIM_WORLD=name and SIM_CRASH_AT=k with it play that small world,
 * in which the process that takes step k dies there. SIM_RUNS says how many seeds are played, SIM_FROM the first.
 */
const RUNS = Number(process.env['SIM_RUNS'] ?? cases(1000));
const FROM = Number(process.env['SIM_FROM'] ?? 1);
const SEED = process.env['SIM_SEED'];
const CRASH_AT = process.env['SIM_CRASH_AT'];
const WORLD = process.env['SIM_WORLD'];

/** Seeds that fail, after which no more are played: one fault shows by many of them. */
const MOST_RED = 10;

const COMMAND = 'npx vitest run --project unit test/system/simulation';

function expectSound({ failure }: Outcome, seed: number, small = ''): void {
  if (!failure) return;
  failure.message = `seed ${seed}: ${failure.message}\nto see what happened: SIM_SEED=${seed} ${small}${COMMAND}`;
  throw failure;
}

if (SEED !== undefined) {
  it(`seed ${SEED}`, async () => {
    const small: SimulateOptions = WORLD ? { settingsOf: smallWorld(WORLD), crashAt: Number(CRASH_AT ?? 0) } : {};
    const outcome = await simulate(Number(SEED), { ...small, traced: true });
    console.log(outcome.lines!.join('\n'));
    expectSound(outcome, Number(SEED), WORLD && `SIM_WORLD='${WORLD}' SIM_CRASH_AT=${CRASH_AT ?? 0} `);
  });
} else {
  describe('simulation', () => {
    it(
      `log, projections and score streams keep their promises: seeds ${FROM} to ${FROM + RUNS - 1}`,
      async () => {
        let steps = 0;
        const red: { readonly seed: number; readonly outcome: Outcome }[] = [];
        for (let seed = FROM; seed < FROM + RUNS && red.length < MOST_RED; seed++) {
          const outcome = await simulate(seed);
          if (outcome.failure) red.push({ seed, outcome });
          steps += outcome.steps;
        }
        if (red.length > 1) console.error(`red: ${red.map(({ seed }) => seed).join(', ')}`);
        for (const { seed, outcome } of red) expectSound(outcome, seed);
        expect(steps).toBeGreaterThan(RUNS * 100);
      },
      60_000 + RUNS * 1000,
    );

    it.each(Object.keys(SMALL_WORLDS).map((name, i) => [i + 1, name] as const))(
      'whichever step is the last one of its process: seed %i, %s',
      async (seed, name) => {
        const settingsOf = smallWorld(name);
        const text = (crashAt: number) => `SIM_WORLD='${name}' SIM_CRASH_AT=${crashAt} `;
        const whole = await simulate(seed, { settingsOf });
        expectSound(whole, seed, text(0));
        expect(whole.awaits).toBeGreaterThan(100);
        for (let crashAt = 1; crashAt <= whole.awaits; crashAt += STRIDE) {
          expectSound(await simulate(seed, { settingsOf, crashAt }), seed, text(crashAt));
        }
      },
    );

    it('a seed is played the same way every time', async () => {
      for (const seed of [FROM, FROM + 1, FROM + 2]) {
        const { digest, steps } = await simulate(seed);
        expect(await simulate(seed)).toMatchObject({ digest, steps });
      }
    });
  });
}
