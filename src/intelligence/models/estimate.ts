/** A number that is not seen itself, only through noise: what is believed of it, and how far that may be off. */
export interface Estimate {
  readonly mean: number;
  readonly variance: number;
}

/** A scalar Kalman step: `error` is what was seen minus what was expected, `share` the estimate's part in it (1, -1). */
export function estimateAfter({ mean, variance }: Estimate, error: number, share: number, spread: number): Estimate {
  const gain = (variance * share) / spread;
  return { mean: mean + gain * error, variance: variance * (1 - gain * share) };
}

/** Between seasons: drawn towards `centre`, and as unsure again as a part of a newcomer. */
export function carried({ mean, variance }: Estimate, carry: number, centre: number, newcomer: number): Estimate {
  return {
    mean: carry * mean + (1 - carry) * centre,
    variance: carry * carry * variance + (1 - carry * carry) * newcomer,
  };
}

/** Far errors count less, and none more than `bound`; small ones as they are. */
export const bounded = (error: number, bound: number): number =>
  error / Math.sqrt(1 + (error / bound) * (error / bound));
