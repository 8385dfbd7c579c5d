import { logistic, logit } from './logit.ts';

/**
 * A line through log odds, `shift + slope * logit p`, learnt from one outcome after the other: the estimate and the
 * curvature of logistic regression, an online Newton step for each game. It starts at shift 0 with the weight of the
 * prior.
 */
export interface Calibration {
  readonly shift: number;
  readonly slope: number;
  /** Second derivatives of the loss: of the shift, of both, of the slope. */
  readonly curvature: readonly [number, number, number];
}

/** `weight` is in units of curvature: at log odds of about 1 a game adds a fifth of one. */
export const newCalibration = (weight: number, slope: number): Calibration => ({
  shift: 0,
  slope,
  curvature: [weight, 0, weight],
});

/** What stays of the past with each game: about the last 2,000 games count. */
const DECAY = 0.9995;

/**
 * The corrected probability.
 * @param trust the part of the log odds that stays: what was fitted to years gone by is too sure of later ones
 */
export function applyCalibration({ shift, slope }: Calibration, p: number, trust = 1): number {
  return logistic(trust * (shift + slope * logit(p)));
}

/**
 * After an outcome, 1 or 0, of which the model alone said p. `hasShift` is false where the two sides could be swapped:
 * then the probability of the one must stay 1 minus that of the other.
 */
export function updateCalibration(
  before: Calibration,
  { p, outcome, hasShift }: { readonly p: number; readonly outcome: number; readonly hasShift: boolean },
): Calibration {
  const x = logit(p);
  const said = applyCalibration(before, p);
  const weight = said * (1 - said);
  const error = outcome - said;
  const [a, b, c] = before.curvature.map((past) => DECAY * past) as [number, number, number];
  if (!hasShift) {
    const curve = c + weight * x * x;
    return { shift: 0, slope: before.slope + (error * x) / curve, curvature: [a, b, curve] };
  }
  const [aa, bb, cc] = [a + weight, b + weight * x, c + weight * x * x];
  const determinant = aa * cc - bb * bb;
  return {
    shift: before.shift + (error * (cc - bb * x)) / determinant,
    slope: before.slope + (error * (aa * x - bb)) / determinant,
    curvature: [aa, bb, cc],
  };
}

/**
 * What makes calibrated probabilities of home, draw and away: `p ** slope`, the draw's times `exp(draw)`, scaled to 1.
 * Either number is learnt by an online Newton step of its own for each match.
 */
export interface ThreeWayCalibration {
  readonly slope: number;
  readonly draw: number;
  /** Second derivatives of the loss: of the slope, of the draw. */
  readonly curvature: readonly [number, number];
}

export type ThreeWay = readonly [home: number, draw: number, away: number];

/** Weights are in units of curvature: a match adds about a third of one to the slope's, a fifth to the draw's. */
export const newThreeWayCalibration = (weights: readonly [number, number], slope: number): ThreeWayCalibration => ({
  slope,
  draw: 0,
  curvature: weights,
});

/** What stays of the past with each match: about the last 5,000 count. */
const THREE_WAY_DECAY = 0.9998;

/** @param trust as of `calibrated` */
export function applyThreeWayCalibration({ slope, draw }: ThreeWayCalibration, p: ThreeWay, trust = 1): ThreeWay {
  const [home, tie, away] = p.map((one, i) => Math.exp(trust * (slope * Math.log(one) + (i === 1 ? draw : 0))));
  const sum = home! + tie! + away!;
  return [home! / sum, tie! / sum, away! / sum];
}

/** After a match whose outcome was the one at `outcome`, of which the model alone said p. */
export function updateThreeWayCalibration(
  before: ThreeWayCalibration,
  p: ThreeWay,
  outcome: 0 | 1 | 2,
): ThreeWayCalibration {
  const said = applyThreeWayCalibration(before, p);
  const logs = p.map(Math.log);
  let [mean, square] = [0, 0];
  for (const [i, log] of logs.entries()) {
    mean += said[i]! * log;
    square += said[i]! * log * log;
  }
  const slopes = THREE_WAY_DECAY * before.curvature[0] + square - mean * mean;
  const draws = THREE_WAY_DECAY * before.curvature[1] + said[1] * (1 - said[1]);
  return {
    slope: before.slope + (logs[outcome]! - mean) / slopes,
    draw: before.draw + ((outcome === 1 ? 1 : 0) - said[1]) / draws,
    curvature: [slopes, draws],
  };
}
