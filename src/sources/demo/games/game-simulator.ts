import type { Pair } from '../simulation/chances.ts';
import type { Game } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';

/** Who plays, as far as it decides the game. */
interface Matchup {
  readonly strengths: Pair;
  /** Nobody plays at home. */
  readonly neutral: boolean;
  /** A draw is played out. */
  readonly knockout: boolean;
}

/** Plays a game from its beginning to its end. Pure: the same matchup and the same draws, the same game. */
export type SimulateGame = (matchup: Matchup, random: Random) => Game;

/** The advantage of the first side in units of strength. */
export const strengthGap = ({ strengths: [first, second], neutral }: Matchup, homeAdvantage: number): number =>
  first - second + (neutral ? 0 : homeAdvantage);
