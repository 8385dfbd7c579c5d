import { expect, it } from 'vitest';
import { simulateSeason } from '../../../../src/api/operations/intelligence/simulated-season.ts';
import type { SeasonLeft } from '../../../../src/intelligence/seasons/season-chances.ts';

const margins = Int16Array.of(1, 2);
const seasonOf = (homeWins: number): SeasonLeft => ({
  teams: [10, 9].map((points) => ({ points, difference: 0, played: 5, conference: null, division: null })),
  games: [{ home: 1, away: 0, homeWins, draw: 0.2, homeMargins: margins, awayMargins: margins }],
  worth: { win: 3, draw: 1, loss: 0, lateWin: 3, lateLoss: 0, lateShare: 0 },
  byPoints: true,
  byDifference: true,
  format: { isTitleOfTable: true, relegated: 0, promoted: null, playoffs: null, doubleRoundOf: null, games: 6 },
  unsure: 0,
  series: null,
});

it('given the same season and seed twice, then it is played once', async () => {
  const [one, other] = await Promise.all([simulateSeason(seasonOf(0.4), 1), simulateSeason(seasonOf(0.4), 1)]);
  expect(other).toBe(one);
  expect(one[1]!.title).toBeCloseTo(0.4, 1);
});

it('given another chance of a game, or another seed, then it is played anew', async () => {
  const one = await simulateSeason(seasonOf(0.4), 1);
  expect((await simulateSeason(seasonOf(0.5), 1))[1]!.title).toBeGreaterThan(one[1]!.title!);
  expect(await simulateSeason(seasonOf(0.4), 2)).not.toBe(one);
});
