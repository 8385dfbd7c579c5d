import type { SportSlug } from '../catalogue/catalogue.ts';
import { americanFootball } from './american-football-statistics.ts';
import { baseball } from './baseball-statistics.ts';
import { basketball } from './basketball-statistics.ts';
import { iceHockey } from './ice-hockey-statistics.ts';
import { soccer } from './soccer-statistics.ts';
import type { SportStatistics, StatisticsGroup } from './sport-statistics.ts';
import { tennis } from './tennis-statistics.ts';

/** The one list of the names of statistics; `docs/statistics.md` is made from it. */
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

/** The names of a side's statistics. */
export const teamStatisticNames = (sport: SportSlug): readonly string[] => namesIn(STATISTICS[sport].teams);

/** The names of a player's statistics, which are those of player-prop markets too. */
export const playerStatisticNames = (sport: SportSlug): readonly string[] => namesIn(STATISTICS[sport].players);
