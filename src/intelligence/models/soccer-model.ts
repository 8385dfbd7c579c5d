import { type Calibration, calibrated, calibrationAfter, uncalibrated } from './calibration.ts';
import type { Fixture, Forecast, Game, Memory, Model } from './model.ts';
import { distributionOf } from './whole-numbers.ts';

export interface SoccerConstants {
  readonly version: string;
  /** Log of the goals of a side without anything known, and home's advantage. */
  readonly goals: number;
  readonly home: number;
  /** The part of an error that a side's ratings take over, and the league's two numbers. */
  readonly gain: number;
  readonly goalsGain: number;
  readonly homeGain: number;
  /** An error of one goal counts 1 / (1 + bend). */
  readonly bend: number;
  /** What stays of a rating over the break between seasons; attack and defence of a newcomer. */
  readonly carry: number;
  readonly newcomer: number;
  /** A newcomer learns faster: gain (1 + fresh / (1 + games)). */
  readonly fresh: number;
  /** Dixon and Coles: how much 0-0, 1-0, 0-1 and 1-1 differ from independent goals. */
  readonly rho: number;
  /** How much a goal counts where shots on target are known, the rest is shots; goals of a shot at first. */
  readonly goalShare: number;
  readonly goalsOfShot: number;
  readonly calibration: { readonly weight: number; readonly slope: number };
}

export interface SoccerLeague {
  readonly games: number;
  readonly goals: number;
  readonly home: number;
  readonly goalsOfShot: number;
  /** Of a win, home's or away's alike, and of a draw: each against the rest. */
  readonly winning: Calibration;
  readonly drawing: Calibration;
}

export interface Club {
  readonly games: number;
  readonly last: number | null;
  readonly attack: number;
  readonly defence: number;
}

const BREAK = 50 * 86_400_000;
const MOST_GOALS = 14;
/** After as many games a side that has not been seen is one that came up. */
const WARM = 200;

/** Goals as independent Poisson counts, the few low scores corrected; log means are attack minus the other's defence. */
export function soccerModel(constants: SoccerConstants): Model<SoccerLeague, Club> {
  const { weight, slope } = constants.calibration;
  const start = uncalibrated(weight, slope);
  return {
    version: constants.version,
    newLeague: {
      games: 0,
      goals: constants.goals,
      home: constants.home,
      goalsOfShot: constants.goalsOfShot,
      winning: start,
      drawing: start,
    },
    newSide: { games: 0, last: null, attack: 0, defence: 0 },
    sidesOf: ({ home, away }) => [home, away],
    forecast: (memory, fixture) => forecastOf(constants, memory, fixture),
    learn: (memory, game) => learnt(constants, memory, game),
  };
}

function expectedOf(constants: SoccerConstants, { league, sides }: Memory<SoccerLeague, Club>, fixture: Fixture) {
  const [home, away] = sides.map((club) => onTheDay(constants, league, club, fixture.startsAt));
  const advantage = fixture.isNeutral ? 0 : league.home;
  const mean = (log: number) => Math.min(8, Math.max(0.05, Math.exp(log)));
  return {
    home: home!,
    away: away!,
    homeGoals: mean(league.goals + advantage / 2 + home!.attack - away!.defence),
    awayGoals: mean(league.goals - advantage / 2 + away!.attack - home!.defence),
  };
}

function onTheDay({ carry, newcomer }: SoccerConstants, league: SoccerLeague, club: Club, startsAt: number): Club {
  if (club.last === null) {
    return league.games < WARM ? club : { ...club, attack: newcomer, defence: newcomer };
  }
  if (startsAt - club.last < BREAK) return club;
  return { ...club, attack: carry * club.attack, defence: carry * club.defence };
}

interface Scores {
  readonly results: readonly [number, number, number];
  readonly margin: Forecast['margin'];
  readonly total: Forecast['total'];
}

function scoresOf({ rho }: SoccerConstants, homeGoals: number, awayGoals: number): Scores {
  const [home, away] = [poisson(homeGoals), poisson(awayGoals)];
  const margins = Array.from({ length: 2 * MOST_GOALS + 1 }, () => 0);
  const totals = Array.from({ length: 2 * MOST_GOALS + 1 }, () => 0);
  for (let h = 0; h <= MOST_GOALS; h++) {
    for (let a = 0; a <= MOST_GOALS; a++) {
      const p = home[h]! * away[a]! * Math.max(0, lowScore(rho, { h, a, homeGoals, awayGoals }));
      margins[h - a + MOST_GOALS]! += p;
      totals[h + a]! += p;
    }
  }
  const margin = distributionOf(-MOST_GOALS, margins);
  const results: [number, number, number] = [0, 0, 0];
  for (const [i, p] of margin.probabilities.entries()) results[i > MOST_GOALS ? 0 : i === MOST_GOALS ? 1 : 2] += p;
  return { results, margin, total: distributionOf(0, totals) };
}

function lowScore(rho: number, score: { h: number; a: number; homeGoals: number; awayGoals: number }): number {
  const { h, a, homeGoals, awayGoals } = score;
  if (h === 0 && a === 0) return 1 - homeGoals * awayGoals * rho;
  if (h === 0 && a === 1) return 1 + homeGoals * rho;
  if (h === 1 && a === 0) return 1 + awayGoals * rho;
  return h === 1 && a === 1 ? 1 - rho : 1;
}

function poisson(mean: number): number[] {
  const p = [Math.exp(-mean)];
  for (let k = 1; k <= MOST_GOALS; k++) p.push((p[k - 1]! * mean) / k);
  return p;
}

function forecastOf(constants: SoccerConstants, memory: Memory<SoccerLeague, Club>, fixture: Fixture): Forecast {
  const { homeGoals, awayGoals } = expectedOf(constants, memory, fixture);
  const { results, margin, total } = scoresOf(constants, homeGoals, awayGoals);
  const { winning, drawing } = memory.league;
  const scaled = results.map((p, i) => calibrated(i === 1 ? drawing : winning, p));
  const sum = scaled[0]! + scaled[1]! + scaled[2]!;
  return { home: scaled[0]! / sum, draw: scaled[1]! / sum, away: scaled[2]! / sum, margin, total };
}

function learnt(constants: SoccerConstants, memory: Memory<SoccerLeague, Club>, game: Game) {
  const { league } = memory;
  const { home, away, homeGoals, awayGoals } = expectedOf(constants, memory, game);
  const { score, detail } = game;
  const seen = (goals: number, shots: number | undefined): number =>
    shots === undefined ? goals : constants.goalShare * goals + (1 - constants.goalShare) * shots * league.goalsOfShot;
  const errors = [seen(score.home, detail?.home) - homeGoals, seen(score.away, detail?.away) - awayGoals];
  const [homeError, awayError] = errors.map((error) => error / (1 + constants.bend * Math.abs(error))) as [
    number,
    number,
  ];
  const after = (club: Club, scored: number, conceded: number): Club => {
    const gain = constants.gain * (1 + constants.fresh / (1 + club.games));
    return {
      games: club.games + 1,
      last: game.startsAt,
      attack: club.attack + gain * scored,
      defence: club.defence - gain * conceded,
    };
  };
  const { results } = scoresOf(constants, homeGoals, awayGoals);
  const won = score.home > score.away ? 0 : score.home === score.away ? 1 : 2;
  const isWarm = league.games >= WARM;
  const judged = (before: Calibration, i: 0 | 1 | 2): Calibration =>
    isWarm ? calibrationAfter(before, { p: results[i], outcome: won === i ? 1 : 0, hasShift: true }) : before;
  const shots = detail === null ? 0 : detail.home + detail.away;
  const goals = score.home + score.away;
  return {
    league: {
      games: league.games + 1,
      goals: league.goals + constants.goalsGain * (homeError + awayError),
      home: game.isNeutral ? league.home : league.home + constants.homeGain * (homeError - awayError),
      goalsOfShot: league.goalsOfShot + (detail === null ? 0 : 0.0005 * (goals - shots * league.goalsOfShot)),
      winning: judged(judged(league.winning, 0), 2),
      drawing: judged(league.drawing, 1),
    },
    sides: [after(home, homeError, awayError), after(away, awayError, homeError)],
  };
}
