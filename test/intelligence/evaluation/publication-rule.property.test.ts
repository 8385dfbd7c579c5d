import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, utcMidnightOf } from '../../../src/domain/primitives/time.ts';
import {
  computeSelectionMeasures,
  findPublicationTimes,
  isPublishedAt,
  meetsPublicationRule,
  type SettledSelection,
} from '../../../src/intelligence/evaluation/publication-rule.ts';
import { cases } from '../../support/cases.ts';

const pause = async () => {};
const FIRST = Date.UTC(2026, 0, 1);

/** So many selections on each of several days, which foresee the close and win, or do neither. */
const days = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 4 }), n: fc.integer({ min: 1, max: 400 }), isGood: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

function selectionsOf(told: readonly { gap: number; n: number; isGood: boolean }[]): SettledSelection[] {
  let day = FIRST;
  return told.flatMap(({ gap, n, isGood }) => {
    day += gap * DAY;
    return Array.from({ length: n }, (_, i) => ({
      fair: 0.5,
      close: i % 7 === 0 ? null : 0.5 + (isGood ? 0.02 : -0.03) + (i % 3) / 100,
      won: isGood ? i % 5 < 3 : i % 5 < 2,
      settledAt: day + ((i * 7919) % DAY),
    }));
  });
}

describe('publications', () => {
  it('each midnight decides by the selections settled before it, whatever their order', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.nat(), async (told, seed) => {
        const selections = selectionsOf(told);
        const turns = await findPublicationTimes(
          selections.toSorted((a, b) => ((a.settledAt * (seed + 1)) % 997) - ((b.settledAt * (seed + 1)) % 997)),
          pause,
        );
        const last = utcMidnightOf(Math.max(...selections.map(({ settledAt }) => settledAt))) + 2 * DAY;
        for (let midnight = FIRST; midnight <= last; midnight += DAY) {
          const before = selections.filter(({ settledAt }) => settledAt < midnight);
          const expected = meetsPublicationRule(computeSelectionMeasures(before));
          expect(isPublishedAt(turns, midnight)).toBe(expected);
          expect(isPublishedAt(turns, midnight + DAY - 1)).toBe(expected);
        }
      }),
      { numRuns: cases(40, 10) },
    );
  });

  it('begin at the midnight after the five hundredth selection, and end after later losses', async () => {
    const good = { gap: 1, n: 250, isGood: true };
    const bad = { gap: 1, n: 600, isGood: false };
    const turns = await findPublicationTimes(selectionsOf([good, good, bad, bad]), pause);
    expect(turns).toEqual([FIRST + 3 * DAY, FIRST + 4 * DAY]);
    expect(
      [FIRST, FIRST + 3 * DAY - 1, FIRST + 3 * DAY, FIRST + 4 * DAY].map((at) => isPublishedAt(turns, at)),
    ).toEqual([false, false, true, false]);
    expect(await findPublicationTimes([], pause)).toEqual([]);
  });

  it('a selection at midnight itself waits for the next one', async () => {
    const at = FIRST + DAY;
    const selections = selectionsOf([{ gap: 1, n: 500, isGood: true }]).map((one) => ({ ...one, settledAt: at }));
    expect(await findPublicationTimes(selections, pause)).toEqual([FIRST + 2 * DAY]);
  });
});
