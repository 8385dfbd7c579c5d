import type { ThreeWay } from './calibration.ts';
import { normalizeWeights } from './discrete-distribution.ts';
import type { Forecast } from './model.ts';

const MAX_GOALS = 14;

/** The distributions of the ways in which a match, or a part of it, may end. */
export interface ScoreDistributions {
  readonly results: ThreeWay;
  readonly margin: Forecast['margin'];
  readonly total: Forecast['total'];
}

/**
 * Goals as independent Poisson counts around their means, with 0-0, 1-0, 0-1 and 1-1 corrected by `rho` (Dixon and
 * Coles).
 */
export function scoreDistributions(rho: number, homeGoals: number, awayGoals: number): ScoreDistributions {
  const [home, away] = [poisson(homeGoals), poisson(awayGoals)];
  const margins = Array.from({ length: 2 * MAX_GOALS + 1 }, () => 0);
  const totals = Array.from({ length: 2 * MAX_GOALS + 1 }, () => 0);
  for (let h = 0; h <= MAX_GOALS; h++) {
    for (let a = 0; a <= MAX_GOALS; a++) {
      const p = home[h]! * away[a]! * Math.max(0, lowScore(rho, { h, a, homeGoals, awayGoals }));
      margins[h - a + MAX_GOALS]! += p;
      totals[h + a]! += p;
    }
  }
  const margin = normalizeWeights(-MAX_GOALS, margins);
  const results: [number, number, number] = [0, 0, 0];
  for (const [i, p] of margin.probabilities.entries()) results[i > MAX_GOALS ? 0 : i === MAX_GOALS ? 1 : 2] += p;
  return { results, margin, total: normalizeWeights(0, totals) };
}

function lowScore(rho: number, score: { h: number; a: number; homeGoals: number; awayGoals: number }): number {
  const { h, a, homeGoals, awayGoals } = score;
  if (h === 0 && a === 0) return 1 - homeGoals * awayGoals * rho;
  if (h === 0 && a === 1) return 1 + homeGoals * rho;
  if (h === 1 && a === 0) return 1 + awayGoals * rho;
  return h === 1 && a === 1 ? 1 - rho : 1;
}

function poisson(mean: number): number[] {
  const p = [Math.exp(-mean)];
  for (let k = 1; k <= MAX_GOALS; k++) p.push((p[k - 1]! * mean) / k);
  return p;
}
