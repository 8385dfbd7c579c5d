import { DAY } from '../../domain/primitives/time.ts';
import {
  applyThreeWayCalibration,
  newThreeWayCalibration,
  type ThreeWayCalibration,
  updateThreeWayCalibration,
} from './calibration.ts';
import { type ScoreDistributions, scoreDistributions } from './dixon-coles.ts';
import {
  type FinishedGame,
  type Fixture,
  type Forecast,
  MIN_SCOPE_GAMES,
  type Model,
  type ModelInput,
  type ModelMemory,
} from './model.ts';
import { type DecayedShare, shareValue, updateShare } from './online-estimates.ts';

export interface SoccerConstants {
  readonly version: string;
  /** The log of the goals of an unknown side, and home's advantage. */
  readonly goals: number;
  readonly home: number;
  /** The share of an error that a side's ratings take over, and that the league's two numbers take over. */
  readonly gain: number;
  readonly goalsGain: number;
  readonly homeGain: number;
  /** An error of one goal counts 1 / (1 + bend). */
  readonly bend: number;
  /** The factor on a rating over the break between seasons; attack and defence of a newcomer. */
  readonly carry: number;
  readonly newcomer: number;
  /**
   * A newcomer learns faster, and so does every side in a new season: the gain is increased by these shares of itself.
   * The increase fades over some ten games, and some four games of the season.
   */
  readonly newcomerGainBoost: number;
  readonly newSeasonGainBoost: number;
  /** Ratings of the last weeks, beside those of years: their gain, and the factor by which each match reduces them. */
  readonly form: { readonly gain: number; readonly kept: number };
  /** Dixon and Coles: how much 0-0, 1-0, 0-1 and 1-1 differ from independent goals. */
  readonly rho: number;
  /**
   * The weight of goals where chances are known (the rest is the weight of chances), and the initial number of goals
   * per chance.
   */
  readonly goalShare: number;
  readonly goalsOfChance: number;
  /** The share of the goals in the first half, before the first match is learned. */
  readonly half: { readonly share: number };
  readonly calibration: {
    readonly weights: readonly [slope: number, draw: number];
    readonly slope: number;
    readonly trust: number;
  };
}

interface SoccerLeagueMemory {
  readonly games: number;
  readonly goals: number;
  readonly home: number;
  readonly goalsOfChance: number;
  readonly calibration: ThreeWayCalibration;
  readonly half: FirstHalf;
}

/** What is known of first halves, beside whole matches. */
interface FirstHalf {
  readonly games: number;
  /** The share of the goals that are expected of the match. */
  readonly goals: DecayedShare;
  readonly calibration: ThreeWayCalibration;
}

interface ClubMemory {
  readonly games: number;
  readonly last: number | null;
  readonly attack: number;
  readonly defence: number;
  /** Since the last break between seasons. */
  readonly gamesOfSeason: number;
  readonly form: { readonly attack: number; readonly defence: number };
}

const BREAK = 50 * DAY;
const NO_FORM = { attack: 0, defence: 0 };
/** After this many games the increase of the gain is halved: for a newcomer, and in a new season. */
const KNOWN = 10;
const SETTLED = 4;
/** The number of imaginary goals from which the share of the first half starts. */
const PRIOR_GOALS = 200;
/** After this many games of the league, a side that was not seen before counts as promoted. */
const WARM = 200;

/**
 * Goals as independent Poisson counts with corrected low scores. The log means are attack minus the other side's
 * defence.
 */
export function soccerModel(constants: SoccerConstants): Model<SoccerLeagueMemory, ClubMemory> {
  const { weights, slope } = constants.calibration;
  return {
    version: constants.version,
    newLeague: {
      games: 0,
      goals: constants.goals,
      home: constants.home,
      goalsOfChance: constants.goalsOfChance,
      calibration: newThreeWayCalibration(weights, slope),
      half: {
        games: 0,
        goals: { part: PRIOR_GOALS * constants.half.share, whole: PRIOR_GOALS },
        calibration: newThreeWayCalibration(weights, slope),
      },
    },
    newSide: { games: 0, last: null, attack: 0, defence: 0, gamesOfSeason: 0, form: NO_FORM },
    sidesOf: ({ home, away }) => [home, away],
    winner: (memory, fixture) => forecastOf(constants, memory, fixture),
    forecast: (memory, fixture) => forecastOf(constants, memory, fixture),
    scope: (memory, fixture) => halfForecastOf(constants, memory, fixture),
    learn: (memory, game) => learnGame(constants, memory, game),
    gamesPlayed: ({ games }) => games,
    inputs: inputsOf,
  };
}

function inputsOf(
  memory: ModelMemory<SoccerLeagueMemory, ClubMemory>,
  fixture: Fixture,
): ModelInput<SoccerLeagueMemory, ClubMemory>[] {
  const strengths = (['home', 'away'] as const).flatMap((role, index) =>
    (['attack', 'defence'] as const).map((strength) => ({
      id: `${role}_${strength}`,
      value: memory.sides[index]![strength],
      fixture,
      memory: {
        ...memory,
        sides: memory.sides.map((side, i) => (i === index ? { ...side, [strength]: 0 } : side)),
      },
    })),
  );
  if (fixture.isNeutral) return strengths;
  const advantage = {
    id: 'home_advantage',
    value: memory.league.home,
    memory,
    fixture: { ...fixture, isNeutral: true },
  };
  return [...strengths, advantage];
}

function expectedOf(
  constants: SoccerConstants,
  { league, sides }: ModelMemory<SoccerLeagueMemory, ClubMemory>,
  fixture: Fixture,
) {
  const [home, away] = sides.map((club) => clubOnDate(constants, league, club, fixture.startsAt));
  const advantage = fixture.isNeutral ? 0 : league.home;
  const goals = (edge: number, of: ClubMemory, against: ClubMemory) => {
    const log = league.goals + edge + of.attack + of.form.attack - against.defence - against.form.defence;
    return Math.min(8, Math.max(0.05, Math.exp(log)));
  };
  return {
    home: home!,
    away: away!,
    homeGoals: goals(advantage / 2, home!, away!),
    awayGoals: goals(-advantage / 2, away!, home!),
  };
}

function clubOnDate(
  { carry, newcomer }: SoccerConstants,
  league: SoccerLeagueMemory,
  club: ClubMemory,
  startsAt: number,
): ClubMemory {
  if (club.last === null) {
    return league.games < WARM ? club : { ...club, attack: newcomer, defence: newcomer };
  }
  if (startsAt - club.last < BREAK) return club;
  return { ...club, attack: carry * club.attack, defence: carry * club.defence, gamesOfSeason: 0, form: NO_FORM };
}

function forecastOf(
  constants: SoccerConstants,
  memory: ModelMemory<SoccerLeagueMemory, ClubMemory>,
  fixture: Fixture,
): Forecast {
  const { homeGoals, awayGoals } = expectedOf(constants, memory, fixture);
  const { results, margin, total } = scoreDistributions(constants.rho, homeGoals, awayGoals);
  const [home, draw, away] = applyThreeWayCalibration(memory.league.calibration, results, constants.calibration.trust);
  return { home, draw, away, margin, total };
}

function halfForecastOf(
  constants: SoccerConstants,
  memory: ModelMemory<SoccerLeagueMemory, ClubMemory>,
  fixture: Fixture,
): Forecast | null {
  const { half } = memory.league;
  if (half.games < MIN_SCOPE_GAMES) return null;
  const { results, margin, total } = halfScoresOf(constants, half, expectedOf(constants, memory, fixture));
  const [home, draw, away] = applyThreeWayCalibration(half.calibration, results, constants.calibration.trust);
  return { home, draw, away, margin, total };
}

const halfScoresOf = (
  constants: SoccerConstants,
  { goals }: FirstHalf,
  { homeGoals, awayGoals }: { readonly homeGoals: number; readonly awayGoals: number },
): ScoreDistributions =>
  scoreDistributions(constants.rho, shareValue(goals) * homeGoals, shareValue(goals) * awayGoals);

function halfAfter(
  constants: SoccerConstants,
  half: FirstHalf,
  expected: ReturnType<typeof expectedOf>,
  game: FinishedGame,
) {
  if (game.scope === null) return half;
  const { home, away } = game.scope;
  const { results } = halfScoresOf(constants, half, expected);
  return {
    games: half.games + 1,
    goals: updateShare(half.goals, home + away, expected.homeGoals + expected.awayGoals),
    calibration: updateThreeWayCalibration(half.calibration, results, wonBy(home, away)),
  };
}

const wonBy = (home: number, away: number): 0 | 1 | 2 => (home > away ? 0 : home === away ? 1 : 2);

function learnGame(
  constants: SoccerConstants,
  memory: ModelMemory<SoccerLeagueMemory, ClubMemory>,
  game: FinishedGame,
) {
  const { league } = memory;
  const expected = expectedOf(constants, memory, game);
  const { home, away, homeGoals, awayGoals } = expected;
  const { score, detail } = game;
  const seen = (goals: number, chances: number | undefined): number =>
    chances === undefined
      ? goals
      : constants.goalShare * goals + (1 - constants.goalShare) * chances * league.goalsOfChance;
  const errors = [seen(score.home, detail?.home) - homeGoals, seen(score.away, detail?.away) - awayGoals];
  const [homeError, awayError] = errors.map((error) => error / (1 + constants.bend * Math.abs(error))) as [
    number,
    number,
  ];
  const { results } = scoreDistributions(constants.rho, homeGoals, awayGoals);
  const won = wonBy(score.home, score.away);
  const chances = detail === null ? 0 : detail.home + detail.away;
  const goals = score.home + score.away;
  const after = (club: ClubMemory, scored: number, conceded: number) =>
    clubAfter(constants, club, { startsAt: game.startsAt, scored, conceded });
  return {
    league: {
      games: league.games + 1,
      goals: league.goals + constants.goalsGain * (homeError + awayError),
      home: game.isNeutral ? league.home : league.home + constants.homeGain * (homeError - awayError),
      goalsOfChance: league.goalsOfChance + (detail === null ? 0 : 0.0005 * (goals - chances * league.goalsOfChance)),
      calibration:
        league.games < WARM ? league.calibration : updateThreeWayCalibration(league.calibration, results, won),
      half: halfAfter(constants, league.half, expected, game),
    },
    sides: [after(home, homeError, awayError), after(away, awayError, homeError)],
  };
}

function clubAfter(
  { gain: baseGain, newcomerGainBoost, newSeasonGainBoost, form }: SoccerConstants,
  club: ClubMemory,
  { startsAt, scored, conceded }: { readonly startsAt: number; readonly scored: number; readonly conceded: number },
): ClubMemory {
  const gain =
    baseGain *
    (1 + newcomerGainBoost / (1 + club.games / KNOWN) + newSeasonGainBoost / (1 + club.gamesOfSeason / SETTLED));
  return {
    games: club.games + 1,
    last: startsAt,
    attack: club.attack + gain * scored,
    defence: club.defence - gain * conceded,
    gamesOfSeason: club.gamesOfSeason + 1,
    form: {
      attack: form.kept * club.form.attack + form.gain * scored,
      defence: form.kept * club.form.defence - form.gain * conceded,
    },
  };
}
