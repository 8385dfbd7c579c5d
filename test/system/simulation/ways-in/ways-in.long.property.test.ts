import { describe, expect, it } from 'vitest';
import { cases, STRIDE } from '../../../support/cases.ts';
import { simulateWaysIn } from './simulate-ways-in.ts';

/**
 * Two doors and the command on one data folder; see `simulate-doors.ts`.
 *
 * DOORS_SEED=n plays that seed and prints what happened, with CRASH_AT=m one in which the process of step m dies.
 * SEEDS=n SEED=m plays n of them from m on.
 */
const RUNS = Number(process.env['SEEDS'] ?? cases(100));
const FROM = Number(process.env['SEED'] ?? 1);
const ONE = process.env['DOORS_SEED'];
const CRASH_AT = process.env['CRASH_AT'];

if (ONE !== undefined) {
  it(`seed ${ONE}`, async () => {
    const crash = CRASH_AT === undefined ? {} : { crashAt: Number(CRASH_AT) };
    const { lines, failure } = await simulateWaysIn(Number(ONE), { traced: true, ...crash });
    console.log(lines!.join('\n'));
    if (failure) throw failure;
  });
} else {
  describe('two doors and the command on one data folder', () => {
    it(
      `fault 22: lose nothing that was acknowledged, whatever dies: ${RUNS} seeds from ${FROM} on`,
      async () => {
        let crashes = 0;
        for (let seed = FROM; seed < FROM + RUNS; seed++) {
          const played = await simulateWaysIn(seed);
          crashes += played.crashes;
          if (played.failure) {
            played.failure.message = `seed ${seed}: ${played.failure.message}\nto see what happened: DOORS_SEED=${seed}`;
            throw played.failure;
          }
        }
        expect(crashes).toBeGreaterThan(RUNS);
      },
      60_000 + RUNS * 4000,
    );

    it('fault 22: lose nothing that was acknowledged, at whichever step a process dies', async () => {
      const { awaits } = await simulateWaysIn(FROM, { crashAt: 0 });
      let deaths = 0;
      for (let crashAt = 1 + (FROM % STRIDE); crashAt <= awaits; crashAt += STRIDE) {
        const { crashes, failure } = await simulateWaysIn(FROM, { crashAt });
        // The last steps are those of what looks at the end result: it lives.
        if (crashes === 0) break;
        deaths++;
        if (failure) {
          failure.message = `${failure.message}\nto see what happened: DOORS_SEED=${FROM} CRASH_AT=${crashAt}`;
          throw failure;
        }
      }
      expect(deaths).toBeGreaterThan(100 / STRIDE);
    }, 600_000);

    it('play a seed the same way every time', async () => {
      const { digest, awaits } = await simulateWaysIn(FROM);
      expect(await simulateWaysIn(FROM)).toMatchObject({ digest, awaits });
    });
  });
}
