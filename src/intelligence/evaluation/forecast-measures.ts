import { logistic, logit } from '../models/logit.ts';
import { meanOfValues } from './mean-of-values.ts';

/** With fewer games no measures are reported. */
export const MIN_GAMES = 30;

export interface Measures {
  readonly n: number;
  readonly log_loss: number | null;
  readonly brier: number | null;
  readonly slope: number | null;
  readonly intercept: number | null;
}

/** The log loss (natural log) of one game. */
const logLoss = ({ probabilities, outcome }: EvaluatedForecast): number =>
  -Math.log(clampProbability(probabilities[outcome]!));

/** Two-way: the squared error of the first outcome; three-way: the sum over the outcomes. */
function brier({ probabilities, outcome }: EvaluatedForecast): number {
  const squares = probabilities.map((p, i) => (p - (i === outcome ? 1 : 0)) ** 2);
  return squares.length === 2 ? squares[0]! : squares.reduce((sum, square) => sum + square, 0);
}

/**
 * Means over the games of one market. Below 30 games all members but `n` are null. The calibration line is also null if
 * none fits.
 */
export function computeMeasures(games: readonly EvaluatedForecast[]): Measures {
  const n = games.length;
  if (n < MIN_GAMES) return { n, log_loss: null, brier: null, slope: null, intercept: null };
  const mean = (of: (game: EvaluatedForecast) => number) => games.reduce((sum, game) => sum + of(game), 0) / n;
  const line: CalibrationLine | null = fitCalibrationLine(games.flatMap(pointsOf));
  return {
    n,
    log_loss: mean(logLoss),
    brier: mean(brier),
    slope: line?.slope ?? null,
    intercept: line?.intercept ?? null,
  };
}

/** Two-way: a point for the first outcome. Three-way: a point for each outcome against the rest. */
function pointsOf({ probabilities, outcome }: EvaluatedForecast) {
  const counted = probabilities.length === 2 ? probabilities.slice(0, 1) : probabilities;
  return counted.map((p, i) => ({ p: clampProbability(p), happened: i === outcome }));
}

export interface PairedDifference {
  readonly n: number;
  /** Mean log loss of `one` minus that of `other` on the same games: negative if `one` is better. */
  readonly difference: number | null;
  /** The standard error of that mean. */
  readonly se: number | null;
}

/** `one[i]` and `other[i]` must be forecasts of the same game. */
export function pairedDifference(
  one: readonly EvaluatedForecast[],
  other: readonly EvaluatedForecast[],
): PairedDifference {
  if (one.length !== other.length) throw new RangeError(`${one.length} games are compared with ${other.length}`);
  const n = one.length;
  const differences = one.map((game, i) => logLoss(game) - logLoss(other[i]!));
  const { mean, se } = meanOfValues(differences, MIN_GAMES);
  return { n, difference: mean, se };
}

/** A forecast of one market of one game, with its outcomes in order (home, draw, away; home, away; over, under). */
export interface EvaluatedForecast {
  /** Two or three probabilities, all above 0, that sum to 1. */
  readonly probabilities: readonly number[];
  /** The index of the outcome that occurred. Ties of two-way markets, pushes and the like are left out before. */
  readonly outcome: number;
}

/** Clamps to [EDGE, 1 - EDGE]. A probability of 0 or 1 has no log odds, and a single miss would have infinite loss. */
const EDGE = 1e-6;
const clampProbability = (p: number): number => Math.min(1 - EDGE, Math.max(EDGE, p));

/** `logit P(happened) = intercept + slope * logit p`: 0 and 1 for a calibrated forecast. */
interface CalibrationLine {
  readonly slope: number;
  readonly intercept: number;
}

interface Point {
  /** Between 0 and 1, excluding both. */
  readonly p: number;
  readonly happened: boolean;
}

const MAX_STEPS = 100;
const TOLERANCE = 1e-10;

/**
 * The line of maximum likelihood, by Newton's method. A step that does not improve it is halved. Null if there is no
 * line: all p are equal, or p separates the outcomes perfectly.
 */
function fitCalibrationLine(points: readonly Point[]): CalibrationLine | null {
  const xs = points.map(({ p, happened }) => ({ x: logit(p), y: happened ? 1 : 0 }));
  let line: CalibrationLine = { slope: 1, intercept: 0 };
  for (let step = 0; step < MAX_STEPS; step++) {
    let [gi, gs, ii, is, ss] = [0, 0, 0, 0, 0];
    for (const { x, y } of xs) {
      const predicted = logistic(line.intercept + line.slope * x);
      const weight = predicted * (1 - predicted);
      gi += y - predicted;
      gs += (y - predicted) * x;
      ii += weight;
      is += weight * x;
      ss += weight * x * x;
    }
    const determinant = ii * ss - is * is;
    if (!(determinant > 1e-9 * ii * ss)) return null;
    const [di, ds] = [(ss * gi - is * gs) / determinant, (ii * gs - is * gi) / determinant];
    line = dampedStep(xs, line, di, ds);
    if (Math.abs(di) < TOLERANCE && Math.abs(ds) < TOLERANCE) return line;
  }
  return null;
}

type Seen = readonly { readonly x: number; readonly y: number }[];

function dampedStep(xs: Seen, from: CalibrationLine, di: number, ds: number): CalibrationLine {
  const before = likelihood(xs, from);
  for (let part = 1; part > 1e-4; part /= 2) {
    const line = { intercept: from.intercept + part * di, slope: from.slope + part * ds };
    if (likelihood(xs, line) >= before) return line;
  }
  return { intercept: from.intercept + di, slope: from.slope + ds };
}

function likelihood(xs: Seen, { slope, intercept }: CalibrationLine): number {
  let sum = 0;
  for (const { x, y } of xs) {
    const odds = intercept + slope * x;
    // log(1 + e^z) without overflow of e^z.
    const z = y === 1 ? -odds : odds;
    sum -= z > 0 ? z + Math.log(1 + Math.exp(-z)) : Math.log(1 + Math.exp(z));
  }
  return sum;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** The mean probability, and the share of outcomes that occurred. */
  readonly predicted: number;
  readonly observed: number;
}

const BINS = 10;

/**
 * Ten bins of equal width over the probability, without the empty ones. A probability on an edge belongs to the bin
 * above it; 1 belongs to the last bin. Two-way: the first outcome is an entry; three-way: each outcome is.
 */
export function calibrationBins(games: readonly EvaluatedForecast[]): Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ n: 0, predicted: 0, observed: 0 }));
  for (const { probabilities, outcome } of games) {
    const counted = probabilities.length === 2 ? probabilities.slice(0, 1) : probabilities;
    for (const [i, p] of counted.entries()) {
      const bin = bins[Math.min(BINS - 1, Math.floor(p * BINS))]!;
      bin.n += 1;
      bin.predicted += p;
      bin.observed += i === outcome ? 1 : 0;
    }
  }
  return bins.flatMap(({ n, predicted, observed }, i) =>
    n === 0 ? [] : [{ from: i / BINS, to: (i + 1) / BINS, n, predicted: predicted / n, observed: observed / n }],
  );
}
