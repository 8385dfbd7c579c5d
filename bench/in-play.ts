import { computeMeasures, pairedDifference } from '../src/intelligence/evaluation/forecast-measures.ts';
import { modelOf } from '../src/intelligence/models/index.ts';
import { solve } from '../src/intelligence/models/linear-equations.ts';
import { logistic, logit } from '../src/intelligence/models/logit.ts';
import type { Forecast } from '../src/intelligence/models/model.ts';
import { forecastInPlay, type PlayState } from '../src/intelligence/play/in-play-forecast.ts';
import { REST_OF_PLAY, type RestOfPlay } from '../src/intelligence/play/play-constants.ts';
import { walkForward } from '../src/intelligence/walk-forward.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { HISTORIES } from './history/index.ts';

/**
 * What is judged are the games from these moments on. The constants of their seasons are fitted here on other seasons:
 * on the four before each, or on all others, as the regression is. `before`: the program's own, which were fitted on the
 * games before this moment. NCAAF has one season with quarters.
 */
const JUDGED = [
  { name: 'nfl', from: Date.UTC(2019, 7, 1), fitted: 'four before' },
  { name: 'ncaaf', from: Date.UTC(2023, 9, 8), fitted: 'before' },
  { name: 'ncaab', from: Date.UTC(2017, 9, 1), fitted: 'before' },
  { name: 'nhl', from: Date.UTC(2015, 8, 1), fitted: 'all others' },
  { name: 'mlb', from: Date.UTC(2014, 0, 1), fitted: 'before' },
] as const;
type Judged = (typeof JUDGED)[number];
/** Seasons: chosen on 2014 to 2018 among two, three, four, six and all, before later ones were looked at with it. */
const WINDOW = 4;
/** As many results of its league must be known before a game. */
const EARLIER = 100;

/** A game at the end of a period. */
interface Moment {
  readonly forecast: Forecast;
  readonly state: PlayState;
  readonly season: number;
  readonly startsAt: number;
  readonly lead: number;
  /** Log odds before the start. */
  readonly before: number;
  /** 1: home won. */
  readonly won: 0 | 1;
}

/** What probabilities of games that are being played are worth, beside a regression of the score and the forecast. */
export const inPlay: Benchmark = {
  name: 'in-play',
  summary: 'probabilities at the ends of periods, against a regression fitted on other seasons (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const sports = quick ? JUDGED.slice(0, 1) : JUDGED;
    return sports.flatMap((judged) => measured(judged, data, say));
  },
};

function measured({ name, from, fitted }: Judged, data: string, say: (text: string) => void): Figure[] {
  const byPeriod = momentsOf(name, data);
  const all = byPeriod.flat();
  const own = REST_OF_PLAY[name]!;
  const seasons = [...new Set(all.filter(({ startsAt }) => startsAt >= from).map(({ season }) => season))];
  const newest = Math.max(...seasons);
  const isLearnedFrom = (one: number, season: number) =>
    fitted === 'all others' ? one !== season : one < season && one >= season - WINDOW;
  const constants = new Map(
    seasons.map((season) => [
      season,
      fitted === 'before'
        ? own
        : constantsFrom(
            name,
            own,
            all.filter((one) => isLearnedFrom(one.season, season)),
          ),
    ]),
  );
  if (fitted !== 'before') {
    const last = all.filter(({ season }) => fitted === 'all others' || season > newest - WINDOW);
    say(
      `${name}: constants of seasons ${JSON.stringify([...constants])}, for later ones ${JSON.stringify(constantsFrom(name, own, last))}`,
    );
  }
  return byPeriod.map((moments, period): Figure => {
    const judged = moments.filter(({ startsAt }) => startsAt >= from);
    const ours = judged.map((moment) => {
      const now = probabilityOf(name, moment, constants.get(moment.season)!);
      return { probabilities: [now, 1 - now], outcome: 1 - moment.won };
    });
    const regressions = new Map(
      [...new Set(judged.map(({ season }) => season))].map((season) => [season, regressionFor(moments, season, from)]),
    );
    const theirs = judged.map((moment) => {
      const p = logistic(oddsOf(regressions.get(moment.season)!, moment));
      return { probabilities: [p, 1 - p], outcome: 1 - moment.won };
    });
    const [mine, other] = [computeMeasures(ours), computeMeasures(theirs)];
    const { difference, se } = pairedDifference(ours, theirs);
    const digits = (value: number | null) => value?.toFixed(4) ?? 'none';
    say(
      `${name} after ${period + 1}: n ${mine.n}, log loss ${digits(mine.log_loss)}, slope ${mine.slope?.toFixed(2)}; ` +
        `regression ${digits(other.log_loss)}; difference ${digits(difference)} ± ${digits(se)}`,
    );
    return {
      what: `${name} after period ${period + 1}: log loss above the regression`,
      value: difference ?? Number.NaN,
      unit: 'nats',
      goal: { of: 'value', bound: 'at most', number: 0 },
    };
  });
}

/** By period, the last one left out. */
function momentsOf(name: string, data: string): Moment[][] {
  const { sport, games } = HISTORIES.find((history) => history.name === name)!;
  const byPeriod: Moment[][] = [];
  for (const { game, forecast, earlier } of walkForward(games(data), (league) => modelOf(sport, league))) {
    if (game.periods === undefined || earlier < EARLIER || game.winner === null) continue;
    const { home, away } = game.periods;
    const score = { home: 0, away: 0 };
    for (let period = 0; period < home.length - 1; period++) {
      score.home += home[period]!;
      score.away += away[period]!;
      const state = { score: { ...score }, timeLeft: 1 - (period + 1) / home.length };
      const ofPeriod = byPeriod[period] ?? [];
      byPeriod[period] = ofPeriod;
      ofPeriod.push({
        season: game.season,
        startsAt: game.startsAt,
        lead: score.home - score.away,
        before: logit(forecast.home),
        forecast,
        state,
        won: game.winner === 'home' ? 1 : 0,
      });
    }
  }
  return byPeriod;
}

const probabilityOf = (sport: string, { forecast, state }: Moment, rest: RestOfPlay): number =>
  Math.min(1 - 1e-6, Math.max(1e-6, forecastInPlay(sport, forecast, state, rest)!.home));

/** A descent along one constant after the other, with smaller and smaller steps. */
function constantsFrom(sport: string, begun: RestOfPlay, moments: readonly Moment[]): RestOfPlay {
  const lossOf = (rest: RestOfPlay) =>
    moments.reduce((sum, moment) => {
      const home = probabilityOf(sport, moment, rest);
      return sum - Math.log(moment.won ? home : 1 - home);
    }, 0);
  let [rest, loss] = [begun, lossOf(begun)];
  for (let step = 0.2; step > 0.02; step /= 2) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const constant of ['margin', 'variance', 'power'] as const) {
        for (const by of [1 + step, 1 / (1 + step)]) {
          const tried = { ...rest, [constant]: rest[constant] * by };
          const lossThen = lossOf(tried);
          if (lossThen < loss) [rest, loss] = [tried, lossThen];
        }
      }
    }
  }
  return rest;
}

const ROUNDS = 3;

type Regression = readonly [number, number, number];
const inputsOf = ({ lead, before }: Moment) => [1, lead, before] as const;
const oddsOf = (weights: Regression, moment: Moment): number =>
  inputsOf(moment).reduce((sum, input, i) => sum + input * weights[i]!, 0);

/** Of all other seasons; where there is one season alone, of its games before a moment. */
function regressionFor(moments: readonly Moment[], season: number, from: number): Regression {
  const others = moments.filter((one) => one.season !== season);
  return regressionOf(others.length > 0 ? others : moments.filter(({ startsAt }) => startsAt < from));
}

/** Logistic regression by Newton steps. */
function regressionOf(moments: readonly Moment[]): Regression {
  let weights: Regression = [0, 0, 0];
  for (let step = 0; step < 20; step++) {
    const rows = [0, 1, 2].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1e-6 : 0)));
    for (const moment of moments) {
      const inputs = inputsOf(moment);
      const p = logistic(oddsOf(weights, moment));
      for (const [i, row] of rows.entries()) {
        for (let j = 0; j < 3; j++) row[j]! += p * (1 - p) * inputs[i]! * inputs[j]!;
        row[3]! += (moment.won - p) * inputs[i]!;
      }
    }
    const [a, b, c] = solve(
      rows.map((row) => row.slice(0, 3)),
      rows.map((row) => row[3]!),
    );
    weights = [weights[0] + a!, weights[1] + b!, weights[2] + c!];
  }
  return weights;
}
