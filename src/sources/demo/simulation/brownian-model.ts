import type { Chances, Pair } from './chances.ts';

/** Distribution function of the standard normal (Abramowitz and Stegun, 7.1.26; error below 1.5e-7). */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - series * Math.exp(-x * x);
  return z >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}

interface BrownianGame {
  /** The expected final margin of the first side and the expected total, at the start. */
  readonly margin: number;
  readonly total: number;
  /** Standard deviations of both over a whole game. */
  readonly marginDeviation: number;
  readonly totalDeviation: number;
}

/** Minimum share of a game that is left to chance: the last possession. */
const MIN_LEFT = 0.0015;

/**
 * The score as a Brownian motion with drift: the rest of a game adds a normal margin and a normal total in proportion
 * to the time left (H. S. Stern, "A Brownian Motion Model for the Progress of Sports Scores", 1994).
 * @param score the present score
 * @param left the share of the game still to be played
 */
export function brownianChances(game: BrownianGame, score: Pair, left: number): Chances {
  const share = Math.max(left, MIN_LEFT);
  const margin = score[0] - score[1] + game.margin * share;
  const total = score[0] + score[1] + game.total * share;
  const marginDeviation = game.marginDeviation * Math.sqrt(share);
  const totalDeviation = game.totalDeviation * Math.sqrt(share);
  const first = normalBelow(margin / marginDeviation);
  return {
    win: [first, 1 - first],
    margin,
    total,
    leastSpread: 0.5,
    cover: (point) => normalBelow((margin + point) / marginDeviation),
    over: (point) => normalBelow((total - point) / totalDeviation),
  };
}
