import { solve } from './linear-equations.ts';
import type { WinnerForecast } from './model.ts';

/**
 * How far a forecast goes from its first model to each of the other parts, as log odds: `first + sum weight * (part -
 * first)`. Learned from the log loss of the mixture itself: an online Newton step of logistic regression a game.
 */
export interface MixtureWeights {
  readonly weights: readonly number[];
  /** Second derivatives of the loss. */
  readonly curvature: readonly (readonly number[])[];
}

export interface WeightConstants {
  /** The weights before the first game, in the order of the parts. */
  readonly initial: readonly number[];
  /** How firmly each is held, in units of curvature. */
  readonly firmness: readonly number[];
}

/** The factor by which each game reduces the weight of the past: about the last 10,000 games count. */
const DECAY = 0.9999;

export const newMixtureWeights = ({ initial, firmness }: WeightConstants): MixtureWeights => ({
  weights: initial,
  curvature: initial.map((_, i) => initial.map((__, j) => (i === j ? firmness[i]! : 0))),
});

/** Log odds of home against away, the draw aside. */
export interface PartOdds {
  readonly first: number;
  /** In the order of the weights. */
  readonly others: readonly number[];
}

/** What the mixture adds to the log odds of its first model. */
export const mixtureShift = ({ weights }: MixtureWeights, { first, others }: PartOdds): number =>
  others.reduce((shift, odds, i) => shift + weights[i]! * (odds - first), 0);

/** How much of a shift of the log odds each outcome gets: home against away, none of it for a draw. */
export const SHARES = { home: 0.5, draw: 0, away: -0.5 } as const;

export function shiftOutcomes({ home, draw, away }: WinnerForecast, shift: number): WinnerForecast {
  const [one, two] = [home * Math.exp(SHARES.home * shift), away * Math.exp(SHARES.away * shift)];
  if (draw === null) {
    const first = one / (one + two);
    return { home: first, draw, away: 1 - first };
  }
  const sum = one + draw + two;
  return { home: one / sum, draw: draw / sum, away: two / sum };
}

/**
 * @param mixed the forecast that the weights gave
 * @param outcome what came
 */
export function updateMixtureWeights(
  before: MixtureWeights,
  { initial, firmness }: WeightConstants,
  odds: PartOdds,
  mixed: WinnerForecast,
  outcome: keyof typeof SHARES,
): MixtureWeights {
  const mean = SHARES.home * mixed.home + SHARES.away * mixed.away;
  const variance = SHARES.home ** 2 * mixed.home + SHARES.away ** 2 * mixed.away - mean * mean;
  const steps = odds.others.map((other) => other - odds.first);
  const curvature = before.curvature.map((row, i) =>
    row.map((past, j) => DECAY * past + (i === j ? (1 - DECAY) * firmness[i]! : 0) + variance * steps[i]! * steps[j]!),
  );
  const error = SHARES[outcome] - mean;
  const newton = solve(
    curvature,
    steps.map((step) => error * step),
  );
  return { weights: initial.map((_, i) => before.weights[i]! + newton[i]!), curvature };
}
