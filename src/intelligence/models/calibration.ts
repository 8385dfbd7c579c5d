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
export const uncalibrated = (weight: number, slope: number): Calibration => ({
  shift: 0,
  slope,
  curvature: [weight, 0, weight],
});

/** What stays of the past with each game: about the last 2,000 games count. */
const KEPT = 0.9995;

/**
 * The corrected probability.
 * @param trust the part of the log odds that stays: what was fitted to years gone by is too sure of later ones
 */
export function calibrated({ shift, slope }: Calibration, p: number, trust = 1): number {
  return logistic(trust * (shift + slope * logit(p)));
}

/**
 * After an outcome, 1 or 0, of which the model alone said p. `hasShift` is false where the two sides could be swapped:
 * then the probability of the one must stay 1 minus that of the other.
 */
export function calibrationAfter(
  before: Calibration,
  { p, outcome, hasShift }: { readonly p: number; readonly outcome: number; readonly hasShift: boolean },
): Calibration {
  const x = logit(p);
  const said = calibrated(before, p);
  const weight = said * (1 - said);
  const error = outcome - said;
  const [a, b, c] = before.curvature.map((past) => KEPT * past) as [number, number, number];
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
