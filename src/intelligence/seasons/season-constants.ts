import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';

/** By sport: see `SeasonLeft.unsure`. Fitted on seasons before those that `npm run bench -- season-chances` judges. */
const UNSURE: Readonly<Record<SportSlug, number>> = {
  soccer: 0.35,
  nfl: 0.45,
  nba: 0.35,
  mlb: 0.25,
  nhl: 0.25,
  ncaaf: 0.45,
  ncaab: 0.35,
  tennis: 0,
};

export const unsureOf = (sport: SportSlug): number => UNSURE[playsLike(sport)];

/** The share of games of ice hockey that go beyond regular time: 285 of 1,312 in the NHL of 2023-24. */
export const LATE_SHARE = 0.22;
