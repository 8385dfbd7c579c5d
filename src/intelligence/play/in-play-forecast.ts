import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import {
  type DiscreteDistribution,
  meanAndVariance,
  normalizeWeights,
  signProbabilities,
} from '../models/discrete-distribution.ts';
import { newKeyNumbers, normalWithKeyNumbers } from '../models/key-numbers.ts';
import type { Forecast, HomeAway, WinnerForecast } from '../models/model.ts';
import { REST_OF_PLAY, type RestOfPlay } from './play-constants.ts';

export interface PlayState {
  readonly score: HomeAway<number>;
  /** The share of the regular time that is left, from 0 to 1. */
  readonly timeLeft: number;
}

const NO_KEYS = newKeyNumbers(-1);
/** No side gets more in the rest of a game, when points are counted. */
const MOST_COUNTED = 30;
const LEAST_POINTS = 0.02;
/**
 * The share of a game in whose last part a level score is more and more likely to be one of extra time. Without it, even
 * chances would come in a jump at the very end.
 */
const LAST_MINUTE = 0.02;

/**
 * What is to be expected of a game that is being played: the forecast before its start, and the score. The margin is the
 * lead and what the rest of the time brings (as in Hal Stern, JASA 89, 1994). Null in a sport without a clock or
 * innings.
 * @param rest other constants than those of the sport, to judge them
 */
export function forecastInPlay(
  sport: string,
  before: Forecast,
  state: PlayState,
  rest: RestOfPlay | undefined = REST_OF_PLAY[playsLike(sport)],
): Forecast | null {
  if (!rest) return null;
  const now = scoresAhead(rest, before, state);
  const start = scoresAhead(rest, before, { score: { home: 0, away: 0 }, timeLeft: 1 });
  const ends = winnersOf(now.margin, before.draw !== null);
  return { ...now, ...bridge(ends, before, winnersOf(start.margin, before.draw !== null), state.timeLeft) };
}

function scoresAhead(rest: RestOfPlay, before: Forecast, { score, timeLeft: t }: PlayState) {
  const [margin, total] = [meanAndVariance(before.margin), meanAndVariance(before.total)];
  const factor = (near: number) => 1 + (near - 1) * (1 - t * t);
  // With exp and log, see logit.ts.
  const share = factor(rest.variance) * Math.exp(rest.power * Math.log(t));
  const ahead = factor(rest.margin) * margin.mean * t;
  const [lead, points] = [score.home - score.away, score.home + score.away];
  if (rest.form === 'counts') return countsAhead(rest, { lead, points, ahead, more: total.mean * share });
  // A curve needs some width. At the very end it is far narrower than a point.
  const sd = (variance: number) => Math.max(0.05, Math.sqrt(variance * share));
  const soon = 1 - Math.exp(-t / LAST_MINUTE);
  return {
    margin: normalWithKeyNumbers(NO_KEYS, {
      mean: lead + soon * ahead,
      sd: sd(margin.variance),
      min: -Infinity,
      isSymmetric: true,
    }),
    total: normalWithKeyNumbers(NO_KEYS, {
      mean: points + total.mean * t,
      sd: sd(total.variance),
      min: points,
      isSymmetric: false,
    }),
  };
}

/** @param of what home leads by, what was scored, and what is expected: home's points beyond away's, and all points */
function countsAhead(
  { dispersion }: RestOfPlay,
  of: { readonly lead: number; readonly points: number; readonly ahead: number; readonly more: number },
) {
  const { lead, points, ahead, more } = of;
  const [home, away] = [more + ahead, more - ahead].map((twice) =>
    counted(Math.max(LEAST_POINTS, twice / 2), dispersion),
  );
  const margins = Array.from({ length: 2 * MOST_COUNTED + 1 }, () => 0);
  const totals = margins.slice();
  for (let h = 0; h <= MOST_COUNTED; h++) {
    for (let a = 0; a <= MOST_COUNTED; a++) {
      const p = home![h]! * away![a]!;
      margins[h - a + MOST_COUNTED]! += p;
      totals[h + a]! += p;
    }
  }
  return { margin: normalizeWeights(lead - MOST_COUNTED, margins), total: normalizeWeights(points, totals) };
}

/** A Poisson count, or a negative binomial one if the variance is more than the mean. */
function counted(mean: number, dispersion: number): number[] {
  const r = dispersion > 1 ? mean / (dispersion - 1) : Number.POSITIVE_INFINITY;
  const p = [dispersion > 1 ? Math.exp(-r * Math.log(dispersion)) : Math.exp(-mean)];
  for (let k = 1; k <= MOST_COUNTED; k++) {
    const factor = dispersion > 1 ? ((r + k - 1) / k) * (1 - 1 / dispersion) : mean / k;
    p.push(p[k - 1]! * factor);
  }
  return p;
}

const CERTAIN = 1e-9;

/** Without draws a level score is decided in extra time, by either side as the others are. */
function winnersOf(margin: DiscreteDistribution, hasDraw: boolean): WinnerForecast {
  const { above, zero, below } = signProbabilities(margin);
  // A level score at the very end: even.
  if (!hasDraw && above + below < CERTAIN) return { home: 0.5, draw: null, away: 0.5 };
  return { home: above, draw: hasDraw ? zero : null, away: below };
}

/**
 * The moneyline has a calibration of its own, which the margin does not have. At the start it counts whole, then less:
 * so the first moment of a game is its forecast.
 */
function bridge(ends: WinnerForecast, before: WinnerForecast, start: WinnerForecast, timeLeft: number): WinnerForecast {
  const weight = timeLeft * timeLeft;
  const part = (end: number, then: number, at: number) =>
    Math.max(CERTAIN, end) * Math.exp(weight * Math.log(then / Math.max(CERTAIN, at)));
  const home = part(ends.home, before.home, start.home);
  const away = part(ends.away, before.away, start.away);
  if (ends.draw === null || before.draw === null || start.draw === null)
    return { home: home / (home + away), draw: null, away: away / (home + away) };
  const draw = part(ends.draw, before.draw, start.draw);
  const sum = home + draw + away;
  return { home: home / sum, draw: draw / sum, away: away / sum };
}
