import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { mixtureOf } from './mixture.ts';
import type { Model } from './model.ts';
import { ATP, MLB, NBA, NCAAB, NCAAF, NFL, NHL, SOCCER, WTA } from './model-constants.ts';
import { bentMargin } from './parts/bent-margin.ts';
import { firstHalfMargin } from './parts/first-half-margin.ts';
import { gamesShare, recentGamesShare, surfaceGamesShare } from './parts/games-share.ts';
import { matchesWon } from './parts/matches-won.ts';
import { soccerModel } from './soccer-model.ts';
import { teamModel } from './team-model.ts';
import { tennisModel } from './tennis-model.ts';

/** Each part has a weight before the first game; the weights are learned (`mixture-weights.ts`). */
const TENNIS_PARTS = [gamesShare, recentGamesShare, surfaceGamesShare, matchesWon];
const TENNIS_WEIGHTS = { version: 'tennis-2.0', initial: [0, 0, 0, 0], firmness: 20 };
const TENNIS = {
  atp: mixtureOf(tennisModel(ATP), TENNIS_PARTS, TENNIS_WEIGHTS),
  wta: mixtureOf(tennisModel(WTA), TENNIS_PARTS, TENNIS_WEIGHTS),
};

const MODELS = {
  soccer: soccerModel(SOCCER),
  nfl: mixtureOf(teamModel(NFL), [bentMargin], { version: 'nfl-2.0', initial: [0.3], firmness: 30 }),
  ncaaf: teamModel(NCAAF),
  nba: teamModel(NBA),
  ncaab: mixtureOf(teamModel(NCAAB), [firstHalfMargin], { version: 'ncaab-2.0', initial: [0], firmness: 30 }),
  mlb: teamModel(MLB),
  nhl: teamModel(NHL),
  tennis: TENNIS.atp,
} as const satisfies Record<SportSlug, Model<any, any>>;

/** By sport, for example `nfl-1.0`. A published forecast keeps the version under which it was made. */
export const MODEL_VERSION = Object.fromEntries(
  Object.entries(MODELS).map(([sport, { version }]) => [sport, version]),
) as Readonly<Record<SportSlug, string>>;

/** The model of a league. Each league of a sport has its own memory under the model. `league` is the league's key. */
export function modelOf(sport: SportSlug, league: string): Model<any, any> {
  return sport === 'tennis' && league.toLowerCase().includes('wta') ? TENNIS.wta : MODELS[sport];
}
