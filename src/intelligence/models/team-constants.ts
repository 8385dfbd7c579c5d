import type { QuarterbackConstants } from './quarterbacks.ts';
import type { StarterConstants } from './starters.ts';
import type { ScopeConstants } from './team-scope.ts';

/** Points are the sport's own (points, runs, goals). */
export interface TeamConstants {
  readonly version: string;
  readonly margin: RatingConstants;
  readonly total: RatingConstants;
  /** Home's advantage and a game's points before the first game. */
  readonly home: number;
  readonly points: number;
  /** The part of an error that home's advantage and the league's points take over. */
  readonly homeGain: number;
  readonly pointsGain: number;
  /** The standard deviation of a side's own advantage at home around that of the league. */
  readonly homeAdvantageSd: number;
  /** Points that a side loses whose last game was less than 36 hours ago, and gains after ten days or more. */
  readonly tiredPenalty: number;
  readonly restedBonus: number;
  /** The last numbers that are keys, of the margin and of the total; -1 for none. */
  readonly keys: { readonly margin: number; readonly total: number };
  /** The weight of the prior, the slope to start from, and the trust of `calibrated`. */
  readonly calibration: { readonly weight: number; readonly slope: number; readonly trust: number };
  /** Of the first half, or of five innings; null without lines of such a part. */
  readonly scope: ScopeConstants | null;
  readonly starters: StarterConstants | null;
  readonly quarterbacks: QuarterbackConstants | null;
}

export interface RatingConstants {
  /** Standard deviations: of one game around what was expected, of newcomers around their mean. */
  readonly noise: number;
  readonly newcomerSd: number;
  /** What a side is believed to be that is first seen when the league is known: those come from below. */
  readonly newcomerMean: number;
  /** What a day adds to the variance of a rating. */
  readonly drift: number;
  /**
   * The part of a rating that stays over a break between seasons. The rest comes back as these parts of its long mean
   * and of the mean of its opponents: strong conferences stay strong.
   */
  readonly carry: number;
  readonly longMean: number;
  readonly opponentMean: number;
  /** No error counts more than this. */
  readonly bound: number;
}
