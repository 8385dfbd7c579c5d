import { inside, type Judged } from './judged.ts';
import { type Line, logisticLine } from './logistic-line.ts';

/** Below as many games nothing is said. */
export const FEWEST = 30;

export interface Measures {
  readonly n: number;
  readonly log_loss: number | null;
  readonly brier: number | null;
  readonly slope: number | null;
  readonly intercept: number | null;
}

/** The log loss (natural log) of one game. */
export const logLoss = ({ probabilities, outcome }: Judged): number => -Math.log(inside(probabilities[outcome]!));

/** Two-way: the squared error of the first outcome; three-way: the sum over the outcomes. */
export function brier({ probabilities, outcome }: Judged): number {
  const squares = probabilities.map((p, i) => (p - (i === outcome ? 1 : 0)) ** 2);
  return squares.length === 2 ? squares[0]! : squares.reduce((sum, square) => sum + square, 0);
}

/** Means over games of one market. Members but `n` are null below 30 games, the line also where none fits. */
export function measuresOf(games: readonly Judged[]): Measures {
  const n = games.length;
  if (n < FEWEST) return { n, log_loss: null, brier: null, slope: null, intercept: null };
  const mean = (of: (game: Judged) => number) => games.reduce((sum, game) => sum + of(game), 0) / n;
  const line: Line | null = logisticLine(games.flatMap(pointsOf));
  return {
    n,
    log_loss: mean(logLoss),
    brier: mean(brier),
    slope: line?.slope ?? null,
    intercept: line?.intercept ?? null,
  };
}

/** Two-way: of the first outcome. Three-way: stacked, each outcome against the rest. */
function pointsOf({ probabilities, outcome }: Judged) {
  const told = probabilities.length === 2 ? probabilities.slice(0, 1) : probabilities;
  return told.map((p, i) => ({ p: inside(p), happened: i === outcome }));
}

export interface Paired {
  readonly n: number;
  /** Mean log loss of the one minus the other's on the same games: below 0 the one is better. */
  readonly difference: number | null;
  /** The standard error of that mean. */
  readonly se: number | null;
}

/** `one[i]` and `other[i]` are of the same game. */
export function pairedDifference(one: readonly Judged[], other: readonly Judged[]): Paired {
  if (one.length !== other.length) throw new RangeError(`${one.length} games are compared with ${other.length}`);
  const n = one.length;
  if (n < FEWEST) return { n, difference: null, se: null };
  const differences = one.map((game, i) => logLoss(game) - logLoss(other[i]!));
  const difference = differences.reduce((sum, value) => sum + value, 0) / n;
  const squares = differences.reduce((sum, value) => sum + (value - difference) ** 2, 0);
  return { n, difference, se: Math.sqrt(squares / (n - 1) / n) };
}
