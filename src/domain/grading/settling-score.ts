import { isWinner, type Played, resultType } from '../results.ts';
import { isTennis } from '../sides.ts';
import { pointsOf } from './points.ts';
import { hasExtraTime, settlingPoints } from './regular-time.ts';
import { gamesWon } from './tennis-games.ts';

/** Scores of home (or player_1) and of the other; null where one is not known. */
export type SettlingScores = readonly [number | null, number | null];

/**
 * The scores that the game legs of slips settle on: games in tennis, 90 minutes in soccer, one goal more for who has won
 * a shootout of ice hockey; in all other sports overtime counts. Null before the start, and where nobody tells.
 */
export function settlingScores(played: Played): SettlingScores {
  if (isTennis(played.sport)) return [gamesWon(played, 0), gamesWon(played, 1)];
  const [home, away] = [settlingPoints(played, 0), settlingPoints(played, 1)];
  if (!isLevelHockey(played)) return [home, away];
  return [home! + Number(isWinner(played, 0) === true), away! + Number(isWinner(played, 1) === true)];
}

/** A shootout has decided the game, and nobody has told for whom. */
export const lacksShootoutWinner = (played: Played): boolean =>
  isLevelHockey(played) && resultType(played) === 'shootout' && !isWinner(played, 0) && !isWinner(played, 1);

/** The score is known, but not that after 90 minutes, which alone settles. */
export const lacksRegularTime = (played: Played): boolean =>
  hasExtraTime(played) && ([0, 1] as const).some((index) => settlingPoints(played, index) === null);

/** Of a game that is over: what some sources tell of a shootout is only who has won it. */
function isLevelHockey(played: Played): boolean {
  if (played.sport !== 'nhl' || played.event.status !== 'final') return false;
  const home = pointsOf(played, 0);
  return home !== null && home === pointsOf(played, 1);
}
