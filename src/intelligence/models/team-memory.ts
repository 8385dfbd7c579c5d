import type { Calibration } from './calibration.ts';
import type { KeyNumbers } from './key-numbers.ts';
import type { Estimate } from './online-estimates.ts';
import type { TeamScope } from './team-scope.ts';

export interface TeamLeagueMemory {
  readonly games: number;
  readonly home: number;
  readonly points: number;
  readonly calibration: Calibration;
  readonly marginKeys: KeyNumbers;
  readonly totalKeys: KeyNumbers;
  /** Runs of a side in the first five innings. */
  readonly early: number;
  /** Null in a sport whose games have no part with lines of its own. */
  readonly scope: TeamScope | null;
}

export interface TeamMemory {
  readonly games: number;
  /** Start of the last game, milliseconds; null before the first. */
  readonly last: number | null;
  /** Of a quarterback: points that he is worth. */
  readonly margin: Estimate;
  readonly total: Estimate;
  /** The mean of the rating over seasons. */
  readonly longMean: number;
  /** The mean rating of those it played, the last ones above all. */
  readonly opponentMean: number;
  /** What the side gains at home beside the league's advantage. */
  readonly homeAdvantage: Estimate;
  /** Of a starting pitcher: runs that the other side makes in the first five innings, above the league's mean. */
  readonly starter: Estimate | null;
  /** Of a team: the mean of those who started for it. */
  readonly staff: number;
  /** Of a team: what its last quarterback is worth in points; null before one was named. */
  readonly quarterback: number | null;
}
