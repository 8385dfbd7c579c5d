import { measureRatings } from './measure-ratings.ts';

/** NCAAB: the margin of the first half, which no side plays to protect a lead. */
export const firstHalfMargin = measureRatings({
  id: 'first_half_margin',
  constants: {
    noise: 6.6,
    newcomerSd: 5.4,
    newcomerMean: -1.8,
    drift: 0.0054,
    bound: 20,
    home: 2,
    homeGain: 0.001,
    season: { carry: 0.8, longMean: 0.3 },
  },
  measure: ({ scope }) => scope && scope.home - scope.away,
});
