import { overSets } from './games-share.ts';
import { measureRatings } from './measure-ratings.ts';

/** Tennis: matches won and lost alone, whatever their games. */
export const matchesWon = measureRatings({
  id: 'matches_won',
  constants: {
    noise: 1.25,
    newcomerSd: 0.75,
    newcomerMean: -0.375,
    drift: 0.00025,
    bound: 3,
    home: 0,
    homeGain: 0,
    season: null,
  },
  measure: ({ winner }) => (winner === null ? null : winner === 'home' ? 1 : -1),
  factor: overSets,
});
