import { applyCalibration, type Calibration, newCalibration, updateCalibration } from './calibration.ts';
import { normalizeWeights } from './discrete-distribution.ts';
import type { Forecast, HomeAway } from './model.ts';

/** How sets end: the games of the winner and of the loser, and how often, at first, between equal players. */
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
  /** By ending: how often it occurred, and how often it was expected. */
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

/** @param match the probability that home wins a match of at most `bestOf` sets */
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

/** Learns from a first set. Ignores a set with an unusual ending. */
export function updateFirstSets(
  sets: FirstSetMemory,
  match: number,
  bestOf: number,
  { home, away }: HomeAway<number>,
): FirstSetMemory {
  const [won, lost] = [Math.max(home, away), Math.min(home, away)];
  const occurred = ENDINGS.findIndex((ending) => ending.won === won && ending.lost === lost);
  if (occurred === -1) return sets;
  const p = setProbability(match, bestOf);
  const predicted = endingsOf(
    ENDINGS.map(({ usual }) => usual),
    applyCalibration(sets.calibration, p),
  );
  return {
    matches: sets.matches + 1,
    calibration: updateCalibration(sets.calibration, { p, outcome: home > away ? 1 : 0, hasShift: false }),
    seen: sets.seen.map((count, i) => count + (i === occurred ? 1 : 0)),
    expected: sets.expected.map((count, i) => count + predicted[0][i]! + predicted[1][i]!),
  };
}

/** The number of imaginary matches with the usual endings at the start. */
const PRIOR = 50;

function weightOf({ seen, expected }: FirstSetMemory, i: number): number {
  const { usual } = ENDINGS[i]!;
  return (usual * (seen[i]! + PRIOR * usual)) / (expected[i]! + PRIOR * usual);
}

/**
 * The probability of winning a set that gives this probability of winning the match, if all sets had the same
 * probability.
 */
export function setProbability(match: number, bestOf: number): number {
  const matchOf =
    bestOf > 3 ? (s: number) => s * s * s * (6 * s * s - 15 * s + 10) : (s: number) => s * s * (3 - 2 * s);
  return solveByBisection(matchOf, match, 0, 1);
}

/**
 * The probabilities of each ending, for sets that home wins and that away wins. A larger margin is likelier for the
 * better side: each game of the margin counts a factor, such that home wins the set with probability `home`.
 */
function endingsOf(weights: readonly number[], home: number): readonly [readonly number[], readonly number[]] {
  const tilted = (tilt: number) => {
    const [one, other] = [1, -1].map((sign) =>
      ENDINGS.map(({ won, lost }, i) => weights[i]! * Math.exp(sign * tilt * (won - lost))),
    ) as [number[], number[]];
    const [wins, losses] = [sumOf(one), sumOf(other)];
    return { one, other, home: wins / (wins + losses), sum: wins + losses };
  };
  const { one, other, sum } = tilted(solveByBisection((tilt) => tilted(tilt).home, home, -MAX_TILT, MAX_TILT));
  return [one.map((weight) => weight / sum), other.map((weight) => weight / sum)];
}

/** The maximum tilt: beyond it no set is lost. */
const MAX_TILT = 4;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Finds by bisection where a rising function has a value, to the precision of numbers. */
export function solveByBisection(rising: (x: number) => number, value: number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
