import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { mixtureOf, type Part } from './mixture.ts';
import type { Model } from './model.ts';
import { ATP, MLB, NBA, NCAAB, NCAAF, NFL, NHL, SOCCER, WTA } from './model-constants.ts';
import { bentMargin } from './parts/bent-margin.ts';
import { crowdedSchedule } from './parts/crowded-schedule.ts';
import { firstHalfMargin } from './parts/first-half-margin.ts';
import { gamesShare, recentGamesShare, surfaceGamesShare } from './parts/games-share.ts';
import { homeStand } from './parts/home-stand.ts';
import { lastMeeting } from './parts/last-meeting.ts';
import { matchesWon } from './parts/matches-won.ts';
import { soccerModel } from './soccer-model.ts';
import { teamModel } from './team-model.ts';
import { tennisModel } from './tennis-model.ts';

/**
 * A model and the parts that are mixed with it, each with its weight before the first game, and how firmly this one is
 * held. Give it a new version with each change of a part.
 */
interface Mixture {
  readonly first: Model<any, any>;
  readonly parts: readonly (readonly [part: Part<any, any>, initial: number, firmness: number])[];
  readonly version: string;
}

/** A signal's weight is small and takes many games to learn. */
const FIRM = 1500;

const alone = (first: Model<any, any>): Mixture => ({ first, parts: [], version: first.version });

const TENNIS = {
  parts: [
    [gamesShare, 0, 20],
    [recentGamesShare, 0, 20],
    [surfaceGamesShare, 0, 20],
    [matchesWon, 0, 20],
  ],
  version: 'tennis-2.0',
} as const satisfies Omit<Mixture, 'first'>;

const TOURS = { atp: { ...TENNIS, first: tennisModel(ATP) }, wta: { ...TENNIS, first: tennisModel(WTA) } };

const MIXTURES: Readonly<Record<SportSlug, Mixture>> = {
  soccer: alone(soccerModel(SOCCER)),
  nfl: {
    first: teamModel(NFL),
    parts: [
      [bentMargin, 0.3, 30],
      [crowdedSchedule, -0.1, FIRM],
    ],
    version: 'nfl-2.1',
  },
  ncaaf: { first: teamModel(NCAAF), parts: [[lastMeeting, -0.1, FIRM]], version: 'ncaaf-2.0' },
  nba: { first: teamModel(NBA), parts: [[crowdedSchedule, -0.03, FIRM]], version: 'nba-2.0' },
  ncaab: {
    first: teamModel(NCAAB),
    parts: [
      [firstHalfMargin, 0, 30],
      [homeStand, 0, FIRM],
      [lastMeeting, -0.15, FIRM],
    ],
    version: 'ncaab-2.1',
  },
  mlb: alone(teamModel(MLB)),
  nhl: alone(teamModel(NHL)),
  tennis: TOURS.atp,
};

/** By sport, for example `nfl-1.0`. A published forecast keeps the version under which it was made. */
export const MODEL_VERSION = Object.fromEntries(
  SPORT_SLUGS.map((sport) => [sport, MIXTURES[playsLike(sport)].version]),
) as Readonly<Record<SportSlug, string>>;

const mixtureIn = (sport: SportSlug, league: string): Mixture =>
  sport === 'tennis' && league.toLowerCase().includes('wta') ? TOURS.wta : MIXTURES[playsLike(sport)];

/** The ids of the parts that are mixed with the first model of a sport. */
export const partsOf = (sport: SportSlug): readonly string[] => MIXTURES[playsLike(sport)].parts.map(([{ id }]) => id);

const MODELS = new Map([...Object.values(MIXTURES), TOURS.wta].map((mixture) => [mixture, modelWithout(mixture, [])]));

/**
 * The model of a league. Each league of a sport has its own memory under the model. `league` is the league's key.
 * @param without ids of parts that are left out, to judge what they bring
 */
export function modelOf(sport: SportSlug, league: string, without: readonly string[] = []): Model<any, any> {
  const mixture = mixtureIn(sport, league);
  return without.length === 0 ? MODELS.get(mixture)! : modelWithout(mixture, without);
}

function modelWithout({ first, parts, version }: Mixture, without: readonly string[]): Model<any, any> {
  const kept = parts.filter(([{ id }]) => !without.includes(id));
  if (kept.length === 0) return first;
  const weights = {
    initial: kept.map(([, initial]) => initial),
    firmness: kept.map(([, , firmness]) => firmness),
    version,
  };
  return mixtureOf(
    first,
    kept.map(([part]) => part),
    weights,
  );
}
