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
  /** Null in a sport without a part that has lines of its own. */
  readonly scope: TeamScope | null;
}

export interface TeamMemory {
  readonly games: number;
  /** Start of the last game, in milliseconds; null before the first. */
  readonly last: number | null;
  /** For a quarterback: the points that he is worth. */
  readonly margin: Estimate;
  readonly total: Estimate;
  /** The mean of the rating over seasons. */
  readonly longMean: number;
  /** The mean rating of its opponents; the last ones count most. */
  readonly opponentMean: number;
  /** The side's home advantage, beyond that of the league. */
  readonly homeAdvantage: Estimate;
  /** For a starting pitcher: runs of the other side in the first five innings, above the league's mean. */
  readonly starter: Estimate | null;
  /** For a team: the mean of its starters. */
  readonly staff: number;
  /** For a team: the value of its last quarterback in points; null before one was named. */
  readonly quarterback: number | null;
}
