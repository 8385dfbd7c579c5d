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
export const uncalibratedThreeWay = (weights: readonly [number, number], slope: number): ThreeWayCalibration => ({
  slope,
  draw: 0,
  curvature: weights,
});

/** What stays of the past with each match: about the last 5,000 count. */
const KEPT = 0.9998;

/** @param trust as of `calibrated` */
export function calibratedThreeWay({ slope, draw }: ThreeWayCalibration, p: ThreeWay, trust = 1): ThreeWay {
  const [home, tie, away] = p.map((one, i) => Math.exp(trust * (slope * Math.log(one) + (i === 1 ? draw : 0))));
  const sum = home! + tie! + away!;
  return [home! / sum, tie! / sum, away! / sum];
}

/** After a match whose outcome was the one at `outcome`, of which the model alone said p. */
export function threeWayAfter(before: ThreeWayCalibration, p: ThreeWay, outcome: 0 | 1 | 2): ThreeWayCalibration {
  const said = calibratedThreeWay(before, p);
  const logs = p.map(Math.log);
  let [mean, square] = [0, 0];
  for (const [i, log] of logs.entries()) {
    mean += said[i]! * log;
    square += said[i]! * log * log;
  }
  const slopes = KEPT * before.curvature[0] + square - mean * mean;
  const draws = KEPT * before.curvature[1] + said[1] * (1 - said[1]);
  return {
    slope: before.slope + (logs[outcome]! - mean) / slopes,
    draw: before.draw + ((outcome === 1 ? 1 : 0) - said[1]) / draws,
    curvature: [slopes, draws],
  };
}
