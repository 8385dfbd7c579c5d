import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { truthOf, whyLate, whyUntrue } from './afternoon.ts';
import { AFTERNOON_LEAGUES, generatedAfternoon } from './generated-afternoons.ts';
import { toldOf } from './told.ts';

/** An interval of a scoreboard while games are played, and the time over which three answers must agree. */
const WITHIN_MS = 16_500 + 45_000;

it.each(AFTERNOON_LEAGUES)(
  'given an afternoon of %s with stale, cut and regressed answers between, nothing is told that was not so, and every correction within a minute',
  async (league) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const afternoon = generatedAfternoon(league, 4, seed);
        const told = await toldOf(afternoon, seed + 1);
        for (const game of afternoon.games) {
          const [scheduled, ...truth] = truthOf(game);
          const heard = [{ at: 0, heard: scheduled!.heard }, ...(told.get(game.id) ?? [])];
          expect(whyUntrue([scheduled!, ...truth], heard)).toBeUndefined();
          expect(whyLate([scheduled!, ...truth], heard, WITHIN_MS)).toBeUndefined();
        }
      }),
      { numRuns: cases(40, 2) },
    );
  },
);
