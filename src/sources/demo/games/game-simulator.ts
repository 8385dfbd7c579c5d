import type { Pair } from '../simulation/chances.ts';
import type { Game } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';

/** The facts about both sides that decide a game. */
interface Matchup {
  readonly strengths: Pair;
  /** Neither side plays at home. */
  readonly neutral: boolean;
  /** A draw is played out. */
  readonly knockout: boolean;
}

/** Simulates a whole game. A pure function: the same matchup and the same random draws give the same game. */
export type SimulateGame = (matchup: Matchup, random: Random) => Game;

/** The advantage of the first side in units of strength. */
export const strengthGap = ({ strengths: [first, second], neutral }: Matchup, homeAdvantage: number): number =>
  first - second + (neutral ? 0 : homeAdvantage);
