/** The time that a moment is compared with: when the server recorded a fact, or when its source observed it. */
export const AS_OF_BASES = ['recorded', 'observed'] as const;

export interface AsOf {
  /** Milliseconds; facts of exactly this time are included. */
  readonly at: number;
  readonly basis: (typeof AS_OF_BASES)[number];
}
