import { playsLike } from '../catalogue/added-leagues.ts';
import type { SportSlug } from '../catalogue/catalogue.ts';
import { americanFootball } from './american-football-statistics.ts';
import { baseball } from './baseball-statistics.ts';
import { basketball } from './basketball-statistics.ts';
import { iceHockey } from './ice-hockey-statistics.ts';
import { soccer } from './soccer-statistics.ts';
import type { SportStatistics, StatisticsGroup } from './sport-statistics.ts';
import { tennis } from './tennis-statistics.ts';

/** The only list of statistics names; `docs/statistics.md` is generated from it. */
export const STATISTICS: Readonly<Record<SportSlug, SportStatistics>> = {
  nfl: americanFootball,
  ncaaf: americanFootball,
  nba: basketball,
  ncaab: basketball,
  mlb: baseball,
  nhl: iceHockey,
  soccer,
  tennis,
};

const namesIn = (groups: readonly StatisticsGroup[]): readonly string[] => [
  ...new Set(groups.flatMap(({ names }) => names)),
];

/** The statistics of a side. */
export const teamStatisticNames = (sport: SportSlug): readonly string[] => namesIn(STATISTICS[playsLike(sport)].teams);

/** The statistics of a player, which are also the names of player-prop markets. */
export const playerStatisticNames = (sport: SportSlug): readonly string[] =>
  namesIn(STATISTICS[playsLike(sport)].players);
