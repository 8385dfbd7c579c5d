/** A forecast of the outcomes of one market of one game, in their order (home, draw, away; home, away; over, under). */
export interface Judged {
  /** They sum to 1; two or three of them, all above 0. */
  readonly probabilities: readonly number[];
  /** Which of them came. Ties of two-way markets, pushes and the like are left out before. */
  readonly outcome: number;
}

/** Probabilities at 0 or 1 would make a single miss infinite, and have no log odds. */
const EDGE = 1e-6;
export const inside = (p: number): number => Math.min(1 - EDGE, Math.max(EDGE, p));
