import type { SportSlug } from '../../src/domain/catalogue/catalogue.ts';
import { nbaGames } from './basketball.ts';
import { ncaafGames, nflGames } from './football.ts';
import type { PricedGame } from './past-game.ts';
import { soccerGames } from './soccer.ts';
import { tennisGames } from './tennis.ts';
import { mlbGames, ncaabGames, nhlGames } from './two-row-files.ts';

/** What is measured on: constants were fitted before season `judgedFrom`, and are judged from it on. */
export interface History {
  readonly name: string;
  readonly sport: SportSlug;
  readonly judgedFrom: number;
  /** What the log loss may be above that of the close. */
  readonly aim: number;
  games(folder: string): PricedGame[];
}

export const HISTORIES: readonly History[] = [
  { name: 'nfl', sport: 'nfl', judgedFrom: 2016, aim: 0.017, games: nflGames },
  { name: 'nba', sport: 'nba', judgedFrom: 2015, aim: 0.015, games: nbaGames },
  { name: 'mlb', sport: 'mlb', judgedFrom: 2014, aim: 0.0035, games: mlbGames },
  { name: 'nhl', sport: 'nhl', judgedFrom: 2015, aim: 0.004, games: nhlGames },
  { name: 'ncaaf', sport: 'ncaaf', judgedFrom: 2021, aim: 0.011, games: ncaafGames },
  { name: 'ncaab', sport: 'ncaab', judgedFrom: 2017, aim: 0.01, games: ncaabGames },
  { name: 'atp', sport: 'tennis', judgedFrom: 2016, aim: 0.024, games: (folder) => tennisGames(folder, 'atp') },
  { name: 'wta', sport: 'tennis', judgedFrom: 2017, aim: 0.025, games: (folder) => tennisGames(folder, 'wta') },
  { name: 'soccer', sport: 'soccer', judgedFrom: 2017, aim: 0.01, games: soccerGames },
];
