import { measureRatings } from './measure-ratings.ts';

/** NFL: the square root of the margin. The last points of a game that is decided say little. */
export const bentMargin = measureRatings({
  id: 'bent_margin',
  constants: {
    noise: 3.5,
    newcomerSd: 1.5,
    newcomerMean: 0,
    drift: 0.01,
    bound: 10.5,
    home: 0.7,
    homeGain: 0.001,
    season: { carry: 0.6, longMean: 0.3 },
  },
  measure({ score }) {
    const margin = score.home - score.away;
    return Math.sign(margin) * Math.sqrt(Math.abs(margin));
  },
});
