/** A number that is not seen itself, only through noise: what is believed of it, and how far that may be off. */
export interface Estimate {
  readonly mean: number;
  readonly variance: number;
}

/** A scalar Kalman step: `error` is what was seen minus what was expected, `share` the estimate's part in it (1, -1). */
export function updateEstimate({ mean, variance }: Estimate, error: number, share: number, spread: number): Estimate {
  const gain = (variance * share) / spread;
  return { mean: mean + gain * error, variance: variance * (1 - gain * share) };
}

/** Between seasons: drawn towards `centre`, and as unsure again as a part of a newcomer. */
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

/** Far errors count less, and none more than `bound`; small ones as they are. */
export const dampenError = (error: number, bound: number): number =>
  error / Math.sqrt(1 + (error / bound) * (error / bound));

/** What part of something comes out, learnt as one sum over another. */
export interface DecayedShare {
  readonly part: number;
  readonly whole: number;
}

/** What stays of the past with each game: about the last 2,000 count. */
const DECAY = 0.9995;

export const updateShare = ({ part, whole }: DecayedShare, came: number, of: number): DecayedShare => ({
  part: DECAY * part + came,
  whole: DECAY * whole + of,
});

export const shareValue = ({ part, whole }: DecayedShare): number => part / whole;
