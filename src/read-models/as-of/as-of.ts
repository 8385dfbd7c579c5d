/** What a moment is compared with: when the server learned a fact, or when its source observed it. */
export const AS_OF_BASES = ['recorded', 'observed'] as const;

export interface AsOf {
  /** Milliseconds; what has this very time is included. */
  readonly at: number;
  readonly basis: (typeof AS_OF_BASES)[number];
}
