/** The estimate of a number that is observed only through noise, with its variance. */
export interface Estimate {
  readonly mean: number;
  readonly variance: number;
}

/**
 * A scalar Kalman step. `error` is the observed minus the expected value; `share` is the estimate's factor in it (1 or
 * -1).
 */
export function updateEstimate({ mean, variance }: Estimate, error: number, share: number, spread: number): Estimate {
  const gain = (variance * share) / spread;
  return { mean: mean + gain * error, variance: variance * (1 - gain * share) };
}

/** Between seasons: draws the estimate towards `centre`, and restores part of a newcomer's variance. */
export function carryOverSeason(
  { mean, variance }: Estimate,
  carry: number,
  centre: number,
  newcomer: number,
): Estimate {
  return {
    mean: carry * mean + (1 - carry) * centre,
    variance: carry * carry * variance + (1 - carry * carry) * newcomer,
  };
}

/** Reduces large errors, so that none counts more than `bound`; small errors stay nearly unchanged. */
export const dampenError = (error: number, bound: number): number =>
  error / Math.sqrt(1 + (error / bound) * (error / bound));

/** A share that is learned as one decayed sum over another. */
export interface DecayedShare {
  readonly part: number;
  readonly whole: number;
}

/** The factor by which each game reduces the weight of the past: about the last 2,000 games count. */
const DECAY = 0.9995;

export const updateShare = ({ part, whole }: DecayedShare, value: number, of: number): DecayedShare => ({
  part: DECAY * part + value,
  whole: DECAY * whole + of,
});

export const shareValue = ({ part, whole }: DecayedShare): number => part / whole;
