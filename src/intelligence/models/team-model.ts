import { applyCalibration, newCalibration, updateCalibration } from './calibration.ts';
import { type DiscreteDistribution, winProbability } from './discrete-distribution.ts';
import { newKeyNumbers, normalWithKeyNumbers, updateKeyNumbers } from './key-numbers.ts';
import {
  type FinishedGame,
  type Fixture,
  type Forecast,
  MIN_SCOPE_GAMES,
  type Model,
  type ModelInput,
  type ModelMemory,
  twoWay,
} from './model.ts';
import { dampenError, type Estimate, updateEstimate } from './online-estimates.ts';
import { quarterbackValues, updateQuarterbacks } from './quarterbacks.ts';
import { newStarter, runsSaved, updateStarters } from './starters.ts';
import type { RatingConstants, TeamConstants } from './team-constants.ts';
import type { TeamLeagueMemory, TeamMemory } from './team-memory.ts';
import { ratingsOnDate, restEffect } from './team-ratings-on-date.ts';
import { type ExpectedGame, newTeamScope, teamScopeForecast, updateTeamScope } from './team-scope.ts';

const NOTHING: Estimate = { mean: 0, variance: 0 };
const NOBODY = [0, 0] as const;
const OPPONENT_MEAN_GAIN = 0.1;
/** The index of the first starter among the sides. */
const STARTERS = 2;

/**
 * Ratings of teams by margin and by points. Each rating is a number that is observed through the noise of games: a
 * Kalman filter with a variance for each side and no covariances. margin = home + H - A, points = league + H + A. So a
 * little-known side learns fast, and its forecasts are less sure.
 */
export function teamModel(constants: TeamConstants): Model<TeamLeagueMemory, TeamMemory> {
  const { calibration } = constants;
  return {
    version: constants.version,
    newLeague: {
      games: 0,
      home: constants.home,
      points: constants.points,
      calibration: newCalibration(calibration.weight, calibration.slope),
      marginKeys: newKeyNumbers(constants.keys.margin),
      totalKeys: newKeyNumbers(constants.keys.total),
      early: constants.starters?.early ?? 0,
      scope: newTeamScope(constants),
    },
    newSide: {
      games: 0,
      last: null,
      margin: { mean: 0, variance: constants.margin.newcomerSd ** 2 },
      total: { mean: 0, variance: constants.total.newcomerSd ** 2 },
      longMean: 0,
      opponentMean: 0,
      homeAdvantage: { mean: 0, variance: constants.homeAdvantageSd ** 2 },
      starter: constants.starters === null ? null : newStarter(constants.starters),
      staff: 0,
      quarterback: null,
    },
    sidesOf: ({ home, away, starters }) => [
      `team:${home}`,
      `team:${away}`,
      ...(constants.starters === null && constants.quarterbacks === null
        ? []
        : [starters.home, starters.away].map((id) => id && `starter:${id}`)),
    ],
    winner: (memory, fixture) =>
      winnerOf(constants, memory.league, marginOf(memory.league, expectedOf(constants, memory, fixture))),
    forecast: (memory, fixture) => forecastOf(constants, memory.league, expectedOf(constants, memory, fixture)),
    scope(memory, fixture) {
      const { scope } = memory.league;
      if (scope === null || scope.games < MIN_SCOPE_GAMES) return null;
      return teamScopeForecast(
        scope,
        scopeGameOf(constants, expectedOf(constants, memory, fixture), fixture),
        calibration.trust,
      );
    },
    learn: (memory, game) => learnGame(constants, memory, game),
    gamesPlayed: ({ games }) => games,
    inputs: (memory, fixture) => inputsOf(memory, fixture),
  };
}

function inputsOf(
  memory: ModelMemory<TeamLeagueMemory, TeamMemory>,
  fixture: Fixture,
): ModelInput<TeamLeagueMemory, TeamMemory>[] {
  const unrated = ({ margin, total }: TeamMemory) => ({ margin: { ...margin, mean: 0 }, total: { ...total, mean: 0 } });
  const ratings = (['home', 'away'] as const).map((role, index) => ({
    id: `${role}_rating`,
    value: memory.sides[index]!.margin.mean,
    fixture,
    memory: {
      ...memory,
      sides: memory.sides.map((side, i) => (i === index ? { ...side, ...unrated(side) } : side)),
    },
  }));
  if (fixture.isNeutral) return ratings;
  const advantage = {
    id: 'home_advantage',
    value: memory.league.home,
    memory,
    fixture: { ...fixture, isNeutral: true },
  };
  return [...ratings, advantage];
}

/** What is expected of a game, with the ratings as on its day. */
function expectedOf(
  constants: TeamConstants,
  { league, sides }: ModelMemory<TeamLeagueMemory, TeamMemory>,
  fixture: Fixture,
) {
  const [home, away] = [sides[0]!, sides[1]!].map((team) =>
    ratingsOnDate(constants, league, team, fixture.startsAt),
  ) as [TeamMemory, TeamMemory];
  const starters = [sides[STARTERS]!, sides[STARTERS + 1]!] as const;
  const rest = restEffect(constants, home, fixture) - restEffect(constants, away, fixture);
  const saved = constants.starters === null ? NOBODY : runsSaved(constants.starters, [home, away], starters, fixture);
  const edge = (constants.starters?.weight ?? 0) * (saved[0] - saved[1]);
  const ground = fixture.isNeutral ? NOTHING : home.homeAdvantage;
  const advantage = fixture.isNeutral ? 0 : league.home + ground.mean;
  const quarterbacks =
    constants.quarterbacks === null
      ? ([NOTHING, NOTHING] as const)
      : quarterbackValues(constants.quarterbacks, { teams: [home, away], quarterbacks: starters }, fixture);
  const passing = quarterbacks[0].mean - quarterbacks[1].mean;
  return {
    home,
    away,
    quarterbacks,
    saved,
    margin: curveOf(constants.margin, advantage + rest + edge + passing + home.margin.mean - away.margin.mean, [
      ...[home.margin, away.margin, ground],
      ...quarterbacks,
    ]),
    total: curveOf(constants.total, league.points + home.total.mean + away.total.mean, [home.total, away.total]),
  };
}

/** A run that a starter saves is a run of the first five innings, whatever it is worth in the whole game. */
function scopeGameOf(
  { starters }: TeamConstants,
  { margin, total, saved: [home, away] }: Expected,
  { isNeutral }: Fixture,
): ExpectedGame {
  const edge = (starters?.weight ?? 0) * (home - away);
  return {
    margin: { ...margin, mean: margin.mean - edge, offset: home - away },
    total: { ...total, offset: 0 - home - away },
    isNeutral,
  };
}

type Expected = ReturnType<typeof expectedOf>;

const curveOf = ({ noise }: RatingConstants, mean: number, parts: readonly Estimate[]) => ({
  mean,
  spread: parts.reduce((sum, { variance }) => sum + variance, noise * noise),
});

const marginCurve = ({ margin }: Expected) => ({
  mean: margin.mean,
  sd: Math.sqrt(margin.spread),
  min: -Infinity,
  isSymmetric: true,
});

const totalCurve = ({ total }: Expected) => ({
  mean: total.mean,
  sd: Math.sqrt(total.spread),
  min: 0,
  isSymmetric: false,
});

const marginOf = ({ marginKeys }: TeamLeagueMemory, expected: Expected): DiscreteDistribution =>
  normalWithKeyNumbers(marginKeys, marginCurve(expected));

const winnerOf = ({ calibration }: TeamConstants, league: TeamLeagueMemory, margin: DiscreteDistribution) =>
  twoWay(applyCalibration(league.calibration, winProbability(margin), calibration.trust));

function forecastOf(constants: TeamConstants, league: TeamLeagueMemory, expected: Expected): Forecast {
  const margin = marginOf(league, expected);
  return {
    ...winnerOf(constants, league, margin),
    margin,
    total: normalWithKeyNumbers(league.totalKeys, totalCurve(expected)),
  };
}

function learnGame(
  constants: TeamConstants,
  memory: ModelMemory<TeamLeagueMemory, TeamMemory>,
  game: FinishedGame,
): ModelMemory<TeamLeagueMemory, TeamMemory> {
  const { league } = memory;
  const expected = expectedOf(constants, memory, game);
  const [margin, total] = [game.score.home - game.score.away, game.score.home + game.score.away];
  const errors = {
    margin: dampenError(margin - expected.margin.mean, constants.margin.bound),
    total: dampenError(total - expected.total.mean, constants.total.bound),
  };
  const after = (team: TeamMemory, other: TeamMemory, sign: 1 | -1): TeamMemory => ({
    ...team,
    opponentMean: team.opponentMean + OPPONENT_MEAN_GAIN * (other.margin.mean - team.opponentMean),
    games: team.games + 1,
    last: game.startsAt,
    margin: updateEstimate(team.margin, errors.margin, sign, expected.margin.spread),
    total: updateEstimate(team.total, errors.total, 1, expected.total.spread),
  });
  const atHome = (team: TeamMemory): TeamMemory =>
    game.isNeutral
      ? team
      : { ...team, homeAdvantage: updateEstimate(team.homeAdvantage, errors.margin, 1, expected.margin.spread) };
  const teams = [atHome(after(expected.home, expected.away, 1)), after(expected.away, expected.home, -1)] as const;
  const isWarm = league.games >= 100;
  const p = winProbability(normalWithKeyNumbers(league.marginKeys, marginCurve(expected)));
  const learnsCalibration = isWarm && game.winner !== null;
  const next: TeamLeagueMemory = {
    games: league.games + 1,
    home: game.isNeutral ? league.home : league.home + constants.homeGain * errors.margin,
    points: league.points + constants.pointsGain * errors.total,
    calibration: learnsCalibration
      ? updateCalibration(league.calibration, {
          p,
          outcome: game.winner === 'home' ? 1 : 0,
          // Home's advantage is learned separately: on neutral ground the sides can be swapped.
          hasShift: false,
        })
      : league.calibration,
    marginKeys: updateKeyNumbers(league.marginKeys, marginCurve(expected), margin),
    totalKeys: updateKeyNumbers(league.totalKeys, totalCurve(expected), total),
    early: league.early,
    scope:
      league.scope && game.scope
        ? updateTeamScope(league.scope, scopeGameOf(constants, expected, game), game.scope)
        : league.scope,
  };
  const starters = memory.sides.slice(STARTERS);
  if (constants.quarterbacks !== null) {
    const sides = { teams, quarterbacks: [starters[0]!, starters[1]!] } as const;
    const error = { of: errors.margin, spread: expected.margin.spread };
    return { league: next, sides: updateQuarterbacks(sides, expected.quarterbacks, error, game) };
  }
  if (constants.starters === null) return { league: next, sides: teams };
  return updateStarters(constants.starters, { league: next, teams, starters, game });
}
