import { logistic, logit } from './logit.ts';

/**
 * A line through log odds, `shift + slope * logit p`, learnt from one outcome after the other: the estimate and the
 * curvature of logistic regression, an online Newton step for each game. It starts at shift 0 and slope 1 with the
 * weight of the prior.
 */
export interface Calibration {
  readonly shift: number;
  readonly slope: number;
  /** Second derivatives of the loss: of the shift, of both, of the slope. */
  readonly curvature: readonly [number, number, number];
}

/** `weight` is in units of curvature: about a fifth of the games after which the data count as much as the prior. */
export const uncalibrated = (weight: number, slope = 1): Calibration => ({
  shift: 0,
  slope,
  curvature: [weight, 0, weight],
});

/** `hasShift` is false where the two sides could be swapped: then one side's probability must be 1 minus the other's. */
export function calibrated({ shift, slope }: Calibration, p: number): number {
  return logistic(shift + slope * logit(p));
}

/** After an outcome, 1 or 0, of which the uncalibrated model said p. `memory` is the part of the past that is kept. */
export function calibrationAfter(
  before: Calibration,
  { p, outcome, hasShift, memory }: { p: number; outcome: number; hasShift: boolean; memory: number },
): Calibration {
  const x = logit(p);
  const said = logistic(before.shift + before.slope * x);
  const weight = said * (1 - said);
  const [a, b, c] = before.curvature;
  if (!hasShift) {
    const curve = memory * c + weight * x * x;
    return { shift: 0, slope: before.slope + ((outcome - said) * x) / curve, curvature: [a, b, curve] };
  }
  const [aa, bb, cc] = [memory * a + weight, memory * b + weight * x, memory * c + weight * x * x];
  const determinant = aa * cc - bb * bb;
  const [ga, gc] = [outcome - said, (outcome - said) * x];
  return {
    shift: before.shift + (cc * ga - bb * gc) / determinant,
    slope: before.slope + (aa * gc - bb * ga) / determinant,
    curvature: [aa, bb, cc],
  };
}
