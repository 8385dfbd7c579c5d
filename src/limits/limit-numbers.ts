import type { Budget } from './limits.ts';

/** Of each API key, whatever its plan: "Other limits" of the specification. */
export const IN_FLIGHT = 16;
export const STREAMS = 5;

/** What calls of one kind share: so many in 60 seconds, and so many at the same moment; undefined: no limit. */
export const BUDGETS: Readonly<Record<Budget, { readonly inWindow?: number; readonly atOnce: number }>> = {
  score_poll: { inWindow: 20, atOnce: 4 },
  slip_grading: { atOnce: 3 },
};

/** Seconds that a caller waits who has too much under way. */
export const RETRY_AT_ONCE = 1;
