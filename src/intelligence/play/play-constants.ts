/** How the rest of a game of a sport is played, beside what was expected of it before the start. */
export interface RestOfPlay {
  /** Points of high scores are a normal curve; few goals and runs are counted for each side. */
  readonly form: 'normal' | 'counts';
  /**
   * Factors on what is expected of the rest, near the end of the game: on the margin, and on the variance (counts: on
   * the points). At the start they are 1.
   */
  readonly margin: number;
  readonly variance: number;
  /** The rest of the variance (counts: of the points) is the rest of the time to this power. */
  readonly power: number;
  /** Counts only: the variance of a side's points, in units of their mean. */
  readonly dispersion: number;
}

// Fitted on the games that docs/models.md names, by coordinate descent on the log loss at the ends of periods.
// `npm run bench -- in-play` prints those of the NFL and NHL, and evaluates such constants on seasons that they have not
// seen.

const BASKETBALL: RestOfPlay = { form: 'normal', margin: 1.65, variance: 1.65, power: 0.81, dispersion: 1 };

/** Tennis has no such rest: it is played by sets. */
export const REST_OF_PLAY: Readonly<Record<string, RestOfPlay>> = {
  nfl: { form: 'normal', margin: 1.36, variance: 1.41, power: 0.93, dispersion: 1 },
  ncaaf: { form: 'normal', margin: 1.16, variance: 1, power: 0.826, dispersion: 1 },
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  nhl: { form: 'normal', margin: 1.59, variance: 1.61, power: 0.82, dispersion: 1 },
  mlb: { form: 'counts', margin: 1.54, variance: 1.17, power: 1, dispersion: 2.13 },
  // Not fitted: 55 in 100 goals fall in the second half.
  soccer: { form: 'counts', margin: 1, variance: 1, power: 0.86, dispersion: 1 },
};
