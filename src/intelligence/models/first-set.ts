import { applyCalibration, type Calibration, newCalibration, updateCalibration } from './calibration.ts';
import { normalizeWeights } from './discrete-distribution.ts';
import type { Forecast, HomeAway } from './model.ts';

/** How sets end, by the games of the winner and of the other, with how often they do between equals at first. */
const ENDINGS = [
  { won: 6, lost: 0, usual: 0.02 },
  { won: 6, lost: 1, usual: 0.075 },
  { won: 6, lost: 2, usual: 0.14 },
  { won: 6, lost: 3, usual: 0.205 },
  { won: 6, lost: 4, usual: 0.25 },
  { won: 7, lost: 5, usual: 0.11 },
  { won: 7, lost: 6, usual: 0.2 },
] as const;

export interface FirstSetMemory {
  readonly matches: number;
  readonly calibration: Calibration;
  /** By ending: how often it came, and how often it was expected. */
  readonly seen: readonly number[];
  readonly expected: readonly number[];
}

const NONE = ENDINGS.map(() => 0);

export const newFirstSetMemory = (weight: number): FirstSetMemory => ({
  matches: 0,
  calibration: newCalibration(weight, 1),
  seen: NONE,
  expected: NONE,
});

/** @param match the probability that home wins, in as many sets at most */
export function firstSetForecast(sets: FirstSetMemory, match: number, bestOf: number, trust: number): Forecast {
  const home = applyCalibration(sets.calibration, setProbability(match, bestOf), trust);
  const weights = ENDINGS.map((_, i) => weightOf(sets, i));
  const [homeEndings, awayEndings] = endingsOf(weights, home);
  const margins = Array.from({ length: 13 }, () => 0);
  const totals = Array.from({ length: 14 }, () => 0);
  for (const [i, { won, lost }] of ENDINGS.entries()) {
    margins[6 + won - lost]! += homeEndings[i]!;
    margins[6 - won + lost]! += awayEndings[i]!;
    totals[won + lost]! += homeEndings[i]! + awayEndings[i]!;
  }
  return {
    home,
    draw: null,
    away: 1 - home,
    margin: normalizeWeights(-6, margins),
    total: normalizeWeights(0, totals),
  };
}

/** A set that ended otherwise than by the usual rules teaches nothing. */
export function updateFirstSets(
  sets: FirstSetMemory,
  match: number,
  bestOf: number,
  { home, away }: HomeAway<number>,
): FirstSetMemory {
  const [won, lost] = [Math.max(home, away), Math.min(home, away)];
  const came = ENDINGS.findIndex((ending) => ending.won === won && ending.lost === lost);
  if (came === -1) return sets;
  const p = setProbability(match, bestOf);
  const said = endingsOf(
    ENDINGS.map(({ usual }) => usual),
    applyCalibration(sets.calibration, p),
  );
  return {
    matches: sets.matches + 1,
    calibration: updateCalibration(sets.calibration, { p, outcome: home > away ? 1 : 0, hasShift: false }),
    seen: sets.seen.map((count, i) => count + (i === came ? 1 : 0)),
    expected: sets.expected.map((count, i) => count + said[0][i]! + said[1][i]!),
  };
}

/** Matches that never were, which went as usual. */
const PRIOR = 50;

function weightOf({ seen, expected }: FirstSetMemory, i: number): number {
  const { usual } = ENDINGS[i]!;
  return (usual * (seen[i]! + PRIOR * usual)) / (expected[i]! + PRIOR * usual);
}

/** The probability of a set that wins a match so often, if each set were won as often as another. */
export function setProbability(match: number, bestOf: number): number {
  const matchOf =
    bestOf > 3 ? (s: number) => s * s * s * (6 * s * s - 15 * s + 10) : (s: number) => s * s * (3 - 2 * s);
  return solveByBisection(matchOf, match, 0, 1);
}

/**
 * How a set ends, won by home and won by the other. The greater a victory, the likelier it is for the better side: each
 * game of the margin counts a factor, such that home wins the set as often as it should.
 */
function endingsOf(weights: readonly number[], home: number): readonly [readonly number[], readonly number[]] {
  const tilted = (tilt: number) => {
    const [one, other] = [1, -1].map((sign) =>
      ENDINGS.map(({ won, lost }, i) => weights[i]! * Math.exp(sign * tilt * (won - lost))),
    ) as [number[], number[]];
    const [wins, losses] = [sumOf(one), sumOf(other)];
    return { one, other, home: wins / (wins + losses), sum: wins + losses };
  };
  const { one, other, sum } = tilted(solveByBisection((tilt) => tilted(tilt).home, home, -STEEPEST, STEEPEST));
  return [one.map((weight) => weight / sum), other.map((weight) => weight / sum)];
}

/** Beyond it no set is lost. */
const STEEPEST = 4;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Where a rising function has a value, by halving: as exact as numbers are. */
function solveByBisection(rising: (x: number) => number, value: number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
