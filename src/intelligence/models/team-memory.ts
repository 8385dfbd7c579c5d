import type { Calibration } from './calibration.ts';
import type { Estimate } from './estimate.ts';
import type { Keys } from './keyed-normal.ts';
import type { TeamScope } from './team-scope.ts';

export interface TeamLeague {
  readonly games: number;
  readonly home: number;
  readonly points: number;
  readonly calibration: Calibration;
  readonly marginKeys: Keys;
  readonly totalKeys: Keys;
  /** Runs of a side in the first five innings. */
  readonly early: number;
  /** Null in a sport whose games have no part with lines of its own. */
  readonly scope: TeamScope | null;
}

export interface Team {
  readonly games: number;
  /** Start of the last game, milliseconds; null before the first. */
  readonly last: number | null;
  /** Of a quarterback: points that he is worth. */
  readonly margin: Estimate;
  readonly total: Estimate;
  /** The mean of the rating over seasons. */
  readonly longMean: number;
  /** The mean rating of those it played, the last ones above all. */
  readonly company: number;
  /** What the side gains at home beside the league's advantage. */
  readonly ground: Estimate;
  /** Of a starting pitcher: runs that the other side makes in the first five innings, above the league's mean. */
  readonly starter: Estimate | null;
  /** Of a team: the mean of those who started for it. */
  readonly staff: number;
  /** Of a team: what its last quarterback is worth in points; null before one was named. */
  readonly quarterback: number | null;
}
