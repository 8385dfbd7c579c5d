import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { Model } from './model.ts';
import { ATP, MLB, NBA, NCAAB, NCAAF, NFL, NHL, SOCCER, WTA } from './model-constants.ts';
import { soccerModel } from './soccer-model.ts';
import { teamModel } from './team-model.ts';
import { tennisModel } from './tennis-model.ts';

const TENNIS = { atp: tennisModel(ATP), wta: tennisModel(WTA) };

const MODELS = {
  soccer: soccerModel(SOCCER),
  nfl: teamModel(NFL),
  ncaaf: teamModel(NCAAF),
  nba: teamModel(NBA),
  ncaab: teamModel(NCAAB),
  mlb: teamModel(MLB),
  nhl: teamModel(NHL),
  tennis: TENNIS.atp,
} as const satisfies Record<SportSlug, Model<any, any>>;

/** By sport, for example `nfl-1.0`. A published forecast keeps the version under which it was made. */
export const MODEL_VERSION = Object.fromEntries(
  SPORT_SLUGS.map((sport) => [sport, MODELS[playsLike(sport)].version]),
) as Readonly<Record<SportSlug, string>>;

/** The model of a league. Each league of a sport has its own memory under the model. `league` is the league's key. */
export function modelOf(sport: SportSlug, league: string): Model<any, any> {
  return sport === 'tennis' && league.toLowerCase().includes('wta') ? TENNIS.wta : MODELS[playsLike(sport)];
}
