import { calibrated, calibrationAfter, uncalibrated } from './calibration.ts';
import { bounded, carried, type Estimate, estimateAfter } from './estimate.ts';
import { keyedNormal, keysAfter, noKeys } from './keyed-normal.ts';
import type { Fixture, Forecast, Game, Memory, Model } from './model.ts';
import { type QuarterbackConstants, quarterbackOnTheDay } from './quarterbacks.ts';
import { newStarter, type StarterConstants, starterAfter, startersEdge } from './starters.ts';
import type { Team, TeamLeague } from './team-memory.ts';
import { signsOf } from './whole-numbers.ts';

/** Points are the sport's own (points, runs, goals). */
export interface TeamConstants {
  readonly version: string;
  readonly margin: RatingConstants;
  readonly total: RatingConstants;
  /** Home's advantage and a game's points before the first game. */
  readonly home: number;
  readonly points: number;
  /** The part of an error that home's advantage and the league's points take over. */
  readonly homeGain: number;
  readonly pointsGain: number;
  /** The standard deviation of a side's own advantage at home around that of the league. */
  readonly ground: number;
  /** Points that a side loses whose last game was less than 36 hours ago, and gains after ten days or more. */
  readonly tired: number;
  readonly rested: number;
  /** The last numbers that are keys, of the margin and of the total; -1 for none. */
  readonly keys: { readonly margin: number; readonly total: number };
  /** The weight of the prior, and the slope to start from. */
  readonly calibration: { readonly weight: number; readonly slope: number };
  readonly starters: StarterConstants | null;
  readonly quarterbacks: QuarterbackConstants | null;
}

export interface RatingConstants {
  /** Standard deviations: of one game around what was expected, of newcomers around their mean. */
  readonly noise: number;
  readonly newcomers: number;
  /** What a side is believed to be that is first seen when the league is known: those come from below. */
  readonly newcomer: number;
  /** What a day adds to the variance of a rating. */
  readonly drift: number;
  /**
   * The part of a rating that stays over a break between seasons. The rest comes back as these parts of its long mean
   * and of the mean of its opponents: strong conferences stay strong.
   */
  readonly carry: number;
  readonly longMean: number;
  readonly company: number;
  /** No error counts more than this. */
  readonly bound: number;
}

const DAY = 86_400_000;
/** A break between seasons. The longest within one, for games of stars, is ten days. */
const BREAK = 60 * DAY;
const NOTHING: Estimate = { mean: 0, variance: 0 };
const LONG_MEAN_GAIN = 0.4;
const COMPANY_GAIN = 0.1;
/** Where the starters stand among the sides. */
const STARTERS = 2;
/** After as many games the sides of a league are known. */
const KNOWN = 800;

/**
 * Ratings of teams by margin and by points. Each is a number seen through the noise of games (a Kalman filter with a
 * variance for each side and no covariances): margin = home + H - A, points = league + H + A, so that a side of which
 * little is known learns fast, and a forecast about it is less sure.
 */
export function teamModel(constants: TeamConstants): Model<TeamLeague, Team> {
  const { calibration } = constants;
  return {
    version: constants.version,
    newLeague: {
      games: 0,
      home: constants.home,
      points: constants.points,
      calibration: uncalibrated(calibration.weight, calibration.slope),
      marginKeys: noKeys(constants.keys.margin),
      totalKeys: noKeys(constants.keys.total),
      early: constants.starters?.early ?? 0,
    },
    newSide: {
      games: 0,
      last: null,
      margin: { mean: 0, variance: constants.margin.newcomers ** 2 },
      total: { mean: 0, variance: constants.total.newcomers ** 2 },
      longMean: 0,
      company: 0,
      ground: { mean: 0, variance: constants.ground ** 2 },
      starter: constants.starters === null ? null : newStarter(constants.starters),
      staff: 0,
      named: false,
    },
    sidesOf: ({ home, away, starters }) => [
      `team:${home}`,
      `team:${away}`,
      ...(constants.starters === null && constants.quarterbacks === null
        ? []
        : [starters.home, starters.away].map((id) => id && `starter:${id}`)),
    ],
    forecast: (memory, fixture) => forecastOf(memory.league, expectedOf(constants, memory, fixture)),
    learn: (memory, game) => learnt(constants, memory, game),
  };
}

/** What is expected of a game, with the ratings as they stand on its day. */
function expectedOf(constants: TeamConstants, { league, sides }: Memory<TeamLeague, Team>, fixture: Fixture) {
  const [home, away] = [sides[0]!, sides[1]!].map((team) => onTheDay(constants, league, team, fixture.startsAt));
  const rest = restOf(constants, home!, fixture) - restOf(constants, away!, fixture);
  const edge =
    constants.starters === null
      ? 0
      : startersEdge(constants.starters, [home!, away!], [sides[STARTERS]!, sides[STARTERS + 1]!], fixture);
  const ground: Estimate = fixture.isNeutral ? NOTHING : home!.ground;
  const advantage = fixture.isNeutral ? 0 : league.home + ground.mean;
  const passers = passersOf(constants, [home!, away!], sides, fixture);
  const passing = passers === null ? 0 : passers[0]!.mean - passers[1]!.mean;
  const margin = curveOf(constants.margin, advantage + rest + edge + passing + home!.margin.mean - away!.margin.mean, [
    home!.margin,
    away!.margin,
  ]);
  margin.spread += ground.variance;
  if (passers !== null) margin.spread += passers[0]!.variance + passers[1]!.variance;
  return {
    home: home!,
    away: away!,
    passers,
    margin,
    total: curveOf(constants.total, league.points + home!.total.mean + away!.total.mean, [home!.total, away!.total]),
  };
}

function passersOf(
  { quarterbacks }: TeamConstants,
  teams: readonly Team[],
  sides: readonly Team[],
  { starters, startsAt }: Fixture,
) {
  if (quarterbacks === null) return null;
  return [starters.home, starters.away].map((name, i) =>
    quarterbackOnTheDay(quarterbacks, {
      team: teams[i]!,
      player: name === null ? null : sides[STARTERS + i]!,
      startsAt,
    }),
  );
}

type Expected = ReturnType<typeof expectedOf>;

const curveOf = ({ noise }: RatingConstants, mean: number, [home, away]: readonly [Estimate, Estimate]) => ({
  mean,
  spread: noise * noise + home.variance + away.variance,
});

function onTheDay(constants: TeamConstants, league: TeamLeague, team: Team, startsAt: number): Team {
  if (team.last === null) return league.games < KNOWN ? team : newcomer(constants, team);
  const away = Math.max(0, startsAt - team.last);
  if (away >= BREAK) {
    const { margin, total } = constants;
    const longMean = team.longMean + LONG_MEAN_GAIN * (team.margin.mean - team.longMean);
    const centre = margin.longMean * longMean + margin.company * team.company;
    return {
      ...team,
      longMean,
      margin: carried(team.margin, margin.carry, centre, margin.newcomers ** 2),
      total: carried(team.total, total.carry, 0, total.newcomers ** 2),
    };
  }
  const drifted = ({ mean, variance }: Estimate, { drift, newcomers }: RatingConstants): Estimate => ({
    mean,
    variance: Math.min(newcomers * newcomers, variance + (drift * away) / DAY),
  });
  return {
    ...team,
    margin: drifted(team.margin, constants.margin),
    total: drifted(team.total, constants.total),
  };
}

function newcomer({ margin: { newcomer: mean } }: TeamConstants, team: Team): Team {
  return { ...team, longMean: mean, margin: { mean, variance: team.margin.variance } };
}

function restOf({ tired, rested }: TeamConstants, { last }: Team, { startsAt }: Fixture): number {
  if (last === null || startsAt - last >= BREAK) return 0;
  if (startsAt - last < 1.5 * DAY) return -tired;
  return startsAt - last >= 10 * DAY ? rested : 0;
}

const marginCurve = ({ margin }: Expected) => ({
  mean: margin.mean,
  sd: Math.sqrt(margin.spread),
  least: -Infinity,
  isSymmetric: true,
});

const totalCurve = ({ total }: Expected) => ({
  mean: total.mean,
  sd: Math.sqrt(total.spread),
  least: 0,
  isSymmetric: false,
});

function forecastOf(league: TeamLeague, expected: Expected): Forecast {
  const margin = keyedNormal(league.marginKeys, marginCurve(expected));
  const home = calibrated(league.calibration, winnerOf(margin));
  return {
    home,
    draw: null,
    away: 1 - home,
    margin,
    total: keyedNormal(league.totalKeys, totalCurve(expected)),
  };
}

/** Kept off 0 and 1, where log odds end. */
function winnerOf(margin: Forecast['margin']): number {
  const { above, below } = signsOf(margin);
  return Math.min(0.9999, Math.max(0.0001, above / (above + below)));
}

function learnt(constants: TeamConstants, memory: Memory<TeamLeague, Team>, game: Game): Memory<TeamLeague, Team> {
  const { league } = memory;
  const expected = expectedOf(constants, memory, game);
  const [margin, total] = [game.score.home - game.score.away, game.score.home + game.score.away];
  const errors = {
    margin: bounded(margin - expected.margin.mean, constants.margin.bound),
    total: bounded(total - expected.total.mean, constants.total.bound),
  };
  const after = (team: Team, other: Team, sign: 1 | -1): Team => ({
    ...team,
    company: team.company + COMPANY_GAIN * (other.margin.mean - team.company),
    games: team.games + 1,
    last: game.startsAt,
    margin: estimateAfter(team.margin, errors.margin, sign, expected.margin.spread),
    total: estimateAfter(team.total, errors.total, 1, expected.total.spread),
  });
  const atHome = (team: Team): Team =>
    game.isNeutral ? team : { ...team, ground: estimateAfter(team.ground, errors.margin, 1, expected.margin.spread) };
  const teams = [atHome(after(expected.home, expected.away, 1)), after(expected.away, expected.home, -1)] as const;
  const isWarm = league.games >= 100;
  const p = winnerOf(keyedNormal(league.marginKeys, marginCurve(expected)));
  const learnsCalibration = isWarm && game.winner !== null;
  const next: TeamLeague = {
    games: league.games + 1,
    home: game.isNeutral ? league.home : league.home + constants.homeGain * errors.margin,
    points: league.points + constants.pointsGain * errors.total,
    calibration: learnsCalibration
      ? calibrationAfter(league.calibration, {
          p,
          outcome: game.winner === 'home' ? 1 : 0,
          // Home's advantage is learnt by itself: on neutral ground the sides can be swapped.
          hasShift: false,
        })
      : league.calibration,
    marginKeys: keysAfter(league.marginKeys, marginCurve(expected), margin),
    totalKeys: keysAfter(league.totalKeys, totalCurve(expected), total),
    early: league.early,
  };
  if (expected.passers !== null) {
    const names = [game.starters.home, game.starters.away];
    const passersAfter = expected.passers.map((passer, i) =>
      names[i] === null
        ? memory.sides[STARTERS + i]!
        : {
            ...memory.sides[STARTERS + i]!,
            games: memory.sides[STARTERS + i]!.games + 1,
            last: game.startsAt,
            margin: estimateAfter(passer, errors.margin, i === 0 ? 1 : -1, expected.margin.spread),
          },
    );
    const led = teams.map((team, i) =>
      names[i] === null ? team : { ...team, named: true, staff: passersAfter[i]!.margin.mean },
    );
    return { league: next, sides: [...led, ...passersAfter] };
  }
  if (constants.starters === null) return { league: next, sides: teams };
  return starterAfter(constants.starters, { league: next, teams, starters: memory.sides.slice(STARTERS), game });
}
