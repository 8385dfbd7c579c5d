import type { QuarterbackConstants } from './quarterbacks.ts';
import type { StarterConstants } from './starters.ts';
import type { ScopeConstants } from './team-scope.ts';

/** Points are those of the sport (points, runs, goals). */
export interface TeamConstants {
  readonly version: string;
  readonly margin: RatingConstants;
  readonly total: RatingConstants;
  /** Home's advantage and the points of a game, before the first game. */
  readonly home: number;
  readonly points: number;
  /** The share of an error that home's advantage and the league's points take over. */
  readonly homeGain: number;
  readonly pointsGain: number;
  /** The standard deviation of a side's own home advantage around that of the league. */
  readonly homeAdvantageSd: number;
  /** The points that a side loses if its last game was less than 36 hours ago, and gains after ten days or more. */
  readonly tiredPenalty: number;
  readonly restedBonus: number;
  /** The last key numbers of the margin and of the total; -1 for none. */
  readonly keys: { readonly margin: number; readonly total: number };
  /** The weight of the prior, the initial slope, and the trust of `applyCalibration`. */
  readonly calibration: { readonly weight: number; readonly slope: number; readonly trust: number };
  /** For the first half, or five innings; null if there are no lines for such a part. */
  readonly scope: ScopeConstants | null;
  readonly starters: StarterConstants | null;
  readonly quarterbacks: QuarterbackConstants | null;
}

export interface RatingConstants {
  /** Standard deviations: of one game around what was expected, and of newcomers around their mean. */
  readonly noise: number;
  readonly newcomerSd: number;
  /** The initial rating of a side that is first seen when the league is known: such sides come from a lower league. */
  readonly newcomerMean: number;
  /** What a day adds to the variance of a rating. */
  readonly drift: number;
  /**
   * The share of a rating that remains over a break between seasons. The rest is replaced by these shares of its long
   * mean and of the mean of its opponents, because strong conferences stay strong.
   */
  readonly carry: number;
  readonly longMean: number;
  readonly opponentMean: number;
  /** No error counts more than this. */
  readonly bound: number;
}
