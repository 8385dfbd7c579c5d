import type { FinishedGame, Fixture } from '../model.ts';
import { SURFACES, surfaceOf } from '../surfaces.ts';
import { type MeasureConstants, measureRatings } from './measure-ratings.ts';

const CONSTANTS: MeasureConstants = {
  noise: 0.125,
  newcomerSd: 0.075,
  newcomerMean: -0.0375,
  drift: 2.5e-6,
  bound: 0.3,
  home: 0,
  homeGain: 0,
  season: null,
};

/** Half of the games is 0. Null of a match without games. */
function shareOf({ score: { home, away } }: FinishedGame): number | null {
  return home + away === 0 ? null : home / (home + away) - 0.5;
}

/** Of two sides the better one wins more surely over five sets. */
export const overSets = ({ bestOf }: Fixture): number => ((bestOf ?? 3) > 3 ? 1.3 : 1);

/** Tennis: the share of the games that a player wins. */
export const gamesShare = measureRatings({
  id: 'games_share',
  constants: CONSTANTS,
  measure: shareOf,
  factor: overSets,
});

/** Tennis: the same with a shorter memory. */
export const recentGamesShare = measureRatings({
  id: 'recent_games_share',
  constants: { ...CONSTANTS, drift: 1.9e-5 },
  measure: shareOf,
  factor: overSets,
});

/** Tennis: the same on each surface alone. */
export const surfaceGamesShare = measureRatings({
  id: 'surface_games_share',
  constants: CONSTANTS,
  measure: shareOf,
  factor: overSets,
  kinds: SURFACES,
  kindOf: (fixture) => surfaceOf(fixture) ?? 'hard',
});
