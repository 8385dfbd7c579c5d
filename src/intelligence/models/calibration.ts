import { logistic, logit } from './logit.ts';

/**
 * A line through log odds, `shift + slope * logit p`, learned from one outcome after another: the estimate and the
 * curvature of a logistic regression, with an online Newton step for each game. Starts at shift 0 with the weight of
 * the prior.
 */
export interface Calibration {
  readonly shift: number;
  readonly slope: number;
  /** Second derivatives of the loss: by the shift, by both, by the slope. */
  readonly curvature: readonly [number, number, number];
}

/** `weight` is in units of curvature: at log odds of about 1 a game adds a fifth of a unit. */
export const newCalibration = (weight: number, slope: number): Calibration => ({
  shift: 0,
  slope,
  curvature: [weight, 0, weight],
});

/** The factor by which each game reduces the weight of the past: about the last 2,000 games count. */
const DECAY = 0.9995;

/**
 * Returns the corrected probability.
 * @param trust the factor on the log odds: a calibration on past years is overconfident about later ones
 */
export function applyCalibration({ shift, slope }: Calibration, p: number, trust = 1): number {
  return logistic(trust * (shift + slope * logit(p)));
}

/**
 * Learns from an outcome, 1 or 0, for which the model alone had the probability p. `hasShift` is false if the two sides
 * could be swapped: then the probability of one side must stay 1 minus that of the other.
 */
export function updateCalibration(
  before: Calibration,
  { p, outcome, hasShift }: { readonly p: number; readonly outcome: number; readonly hasShift: boolean },
): Calibration {
  const x = logit(p);
  const predicted = applyCalibration(before, p);
  const weight = predicted * (1 - predicted);
  const error = outcome - predicted;
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
 * Calibrates the probabilities of home, draw and away: `p ** slope`, the draw's times `exp(draw)`, scaled to sum 1.
 * Each of the two numbers is learned with an online Newton step of its own for each match.
 */
export interface ThreeWayCalibration {
  readonly slope: number;
  readonly draw: number;
  /** Second derivatives of the loss: by the slope, by the draw. */
  readonly curvature: readonly [number, number];
}

export type ThreeWay = readonly [home: number, draw: number, away: number];

/**
 * Weights are in units of curvature: a match adds about a third of a unit to that of the slope, and a fifth to that of
 * the draw.
 */
export const newThreeWayCalibration = (weights: readonly [number, number], slope: number): ThreeWayCalibration => ({
  slope,
  draw: 0,
  curvature: weights,
});

/** The factor by which each match reduces the weight of the past: about the last 5,000 count. */
const THREE_WAY_DECAY = 0.9998;

/** @param trust as for `applyCalibration` */
export function applyThreeWayCalibration({ slope, draw }: ThreeWayCalibration, p: ThreeWay, trust = 1): ThreeWay {
  const [home, tie, away] = p.map((one, i) => Math.exp(trust * (slope * Math.log(one) + (i === 1 ? draw : 0))));
  const sum = home! + tie! + away!;
  return [home! / sum, tie! / sum, away! / sum];
}

/** Learns from a match whose outcome has the index `outcome`. The model alone had the probabilities p. */
export function updateThreeWayCalibration(
  before: ThreeWayCalibration,
  p: ThreeWay,
  outcome: 0 | 1 | 2,
): ThreeWayCalibration {
  const predicted = applyThreeWayCalibration(before, p);
  const logs = p.map(Math.log);
  let [mean, square] = [0, 0];
  for (const [i, log] of logs.entries()) {
    mean += predicted[i]! * log;
    square += predicted[i]! * log * log;
  }
  const slopes = THREE_WAY_DECAY * before.curvature[0] + square - mean * mean;
  const draws = THREE_WAY_DECAY * before.curvature[1] + predicted[1] * (1 - predicted[1]);
  return {
    slope: before.slope + (logs[outcome]! - mean) / slopes,
    draw: before.draw + ((outcome === 1 ? 1 : 0) - predicted[1]) / draws,
    curvature: [slopes, draws],
  };
}
