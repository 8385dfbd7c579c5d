import { applyCalibration, type Calibration, newCalibration, updateCalibration } from './calibration.ts';
import { winProbability } from './discrete-distribution.ts';
import { type Curve, type KeyNumbers, newKeyNumbers, normalWithKeyNumbers, updateKeyNumbers } from './key-numbers.ts';
import type { Forecast, HomeAway } from './model.ts';
import { type DecayedShare, shareValue, updateShare } from './online-estimates.ts';

export interface ScopeConstants {
  /** The share of a game's points, and of its variance, that falls into the part, before the first game. */
  readonly share: number;
  /** The last key numbers of the margin and of the total; -1 for none. */
  readonly keys: { readonly margin: number; readonly total: number };
}

/** What is known of the first half, or of the first five innings, beside the whole game. */
export interface TeamScope {
  readonly games: number;
  /** Home's points there beyond its share of the margin: more of its advantage falls into the beginning of a game. */
  readonly home: DecayedShare;
  readonly margin: Part;
  readonly total: Part;
  readonly calibration: Calibration;
}

interface Part {
  /** The share of what is expected of the whole game, by least squares. */
  readonly mean: DecayedShare;
  readonly variance: DecayedShare;
  readonly keys: KeyNumbers;
}

/** What is expected of the whole game. */
export interface ExpectedGame {
  readonly margin: ExpectedNumber;
  readonly total: ExpectedNumber;
  /** Whether no side plays at home. */
  readonly isNeutral: boolean;
}

interface ExpectedNumber {
  readonly mean: number;
  readonly spread: number;
  /** What belongs to the part entirely, beside its share of the mean. */
  readonly offset: number;
}

/** The constants of a sport from which its part starts. */
interface WholeGame {
  readonly scope: ScopeConstants | null;
  readonly margin: { readonly noise: number };
  readonly total: { readonly noise: number };
  readonly points: number;
  readonly calibration: { readonly weight: number };
}

/**
 * After this many games the initial constants count half. Margins say less: for them it takes more games.
 */
const PRIOR = 100;
const PRIOR_OF_MARGIN = 5;

export function newTeamScope({ scope, margin, total, points, calibration }: WholeGame): TeamScope | null {
  if (scope === null) return null;
  const prior = (whole: number): DecayedShare => ({ part: scope.share * whole, whole });
  const part = (square: number, spread: number, keys: number): Part => ({
    mean: prior(square),
    variance: prior(PRIOR * spread),
    keys: newKeyNumbers(keys),
  });
  const [ofMargin, ofTotal] = [margin.noise ** 2, total.noise ** 2];
  return {
    games: 0,
    home: { part: 0, whole: PRIOR },
    margin: part(PRIOR_OF_MARGIN * ofMargin, ofMargin, scope.keys.margin),
    total: part(PRIOR * points ** 2, ofTotal, scope.keys.total),
    calibration: newCalibration(calibration.weight, 1),
  };
}

function curvesOf({ margin, total }: TeamScope, expected: ExpectedGame) {
  const curve = ({ mean, variance }: Part, whole: ExpectedNumber) => ({
    mean: shareValue(mean) * whole.mean + whole.offset,
    sd: Math.sqrt(shareValue(variance) * whole.spread),
  });
  return {
    margin: { ...curve(margin, expected.margin), min: -Infinity, isSymmetric: true },
    total: { ...curve(total, expected.total), min: 0, isSymmetric: false },
  };
}

function atHome({ home }: TeamScope, expected: ExpectedGame): ExpectedGame {
  if (expected.isNeutral) return expected;
  const { margin } = expected;
  return { ...expected, margin: { ...margin, offset: margin.offset + shareValue(home) } };
}

export function teamScopeForecast(scope: TeamScope, expected: ExpectedGame, trust: number): Forecast {
  const curves = curvesOf(scope, atHome(scope, expected));
  const margin = normalWithKeyNumbers(scope.margin.keys, curves.margin);
  const home = applyCalibration(scope.calibration, winProbability(margin), trust);
  return { home, draw: null, away: 1 - home, margin, total: normalWithKeyNumbers(scope.total.keys, curves.total) };
}

export function updateTeamScope(scope: TeamScope, whole: ExpectedGame, { home, away }: HomeAway<number>): TeamScope {
  const expected = atHome(scope, whole);
  const curves = curvesOf(scope, expected);
  const p = winProbability(normalWithKeyNumbers(scope.margin.keys, curves.margin));
  return {
    games: scope.games + 1,
    home: whole.isNeutral
      ? scope.home
      : updateShare(scope.home, home - away - curves.margin.mean + shareValue(scope.home), 1),
    margin: partAfter(scope.margin, expected.margin, curves.margin, home - away),
    total: partAfter(scope.total, expected.total, curves.total, home + away),
    // Home's advantage is part of the margin's mean: on neutral ground the sides can be swapped.
    calibration:
      home === away
        ? scope.calibration
        : updateCalibration(scope.calibration, { p, outcome: home > away ? 1 : 0, hasShift: false }),
  };
}

function partAfter(part: Part, whole: ExpectedNumber, curve: Curve, value: number): Part {
  return {
    mean: updateShare(part.mean, (value - whole.offset) * whole.mean, whole.mean * whole.mean),
    variance: updateShare(part.variance, (value - curve.mean) ** 2, whole.spread),
    keys: updateKeyNumbers(part.keys, curve, value),
  };
}
