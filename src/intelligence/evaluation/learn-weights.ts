import { ownValue } from '../../domain/primitives/own-properties.ts';
import { roundTo } from '../prices/rounding.ts';

/** The views of the bookmakers at the start of a game that has a result. */
export interface ClosedGame {
  /** The chances of the outcomes without the margin, by book. */
  readonly views: Readonly<Record<string, readonly number[]>>;
  /** The index of the outcome that occurred. */
  readonly outcome: number;
}

/** Weights by book. */
export type BookWeights = Readonly<Record<string, number>>;

/** A book with fewer views keeps its constant. */
const LEAST_VIEWS = 100;
/** The books with the most views are learnt: the work grows with their square. */
const MAX_BOOKS = 30;
/**
 * How strongly weights are held to the constants: a weight that is one away costs as much as this many half nats of log
 * loss over all games.
 */
const SHRINKAGE = 8;
/** A book that is no reference becomes one with this weight: less is not told from chance. */
const LEAST_NEW_WEIGHT = 0.25;
/** What every book has while it is learnt, so that games without a reference book tell something too. */
const FLOOR = 0.02;
/** The least chance that a view is taken at. */
const LEAST_CHANCE = 1e-4;
const MAX_STEPS = 25;
const MAX_HALVINGS = 8;
/** A step that moves no weight by more is the last one. */
const SMALLEST_STEP = 0.002;
/** Games that are gone through before the event loop gets a turn. */
const GAMES_PER_TURN = 64;

/**
 * The weights with which the consensus, the weighted geometric mean of the books' views, had the smallest log loss on
 * these games, held to the constants by a quadratic penalty (ridge: Arthur E. Hoerl and Robert W. Kennard, Technometrics
 * 12, 1970) and never below 0. Such a mean is a logarithmic opinion pool (Christian Genest and James V. Zidek,
 * Statistical Science 1, 1986). It is found by Newton's method with the expected second derivatives.
 *
 * A book that is not among the references becomes one only with a weight of a quarter or more. Two decimals.
 * @param games in a fixed order: sums depend on it in their last digits
 * @param constants by book; others have 0
 * @param pause awaited between pieces of work
 * @returns of the books that were learnt and count; null: too few games or books to learn from
 */
export async function learnWeights(
  games: readonly ClosedGame[],
  constants: BookWeights,
  pause: () => Promise<void> = async () => {},
  shrinkage = SHRINKAGE,
): Promise<BookWeights | null> {
  const books = booksOf(games);
  if (books.length < 2) return null;
  const prior = books.map((book) => ownValue(constants, book) ?? 0);
  const pooled = await readViews(games, books, pause);
  if (pooled.length < LEAST_VIEWS) return null;
  const penalty = (weights: readonly number[]) =>
    (shrinkage / 2) * weights.reduce((sum, weight, book) => sum + (weight - prior[book]!) ** 2, 0);
  let weights: number[] = [...prior];
  let at = await lossOf(pooled, weights, pause);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { gradient, curvature } = at;
    for (const [book, weight] of weights.entries()) {
      gradient[book]! += shrinkage * (weight - prior[book]!);
      curvature[book]![book]! += shrinkage;
    }
    const aim = nonNegativeMinimum(weights, gradient, curvature);
    const before = at.loss + penalty(weights);
    let found: { weights: number[]; at: PooledLoss } | undefined;
    for (let share = 1, tries = 0; tries < MAX_HALVINGS; tries++, share /= 2) {
      const tried = weights.map((weight, book) => weight + share * (aim[book]! - weight));
      const there = await lossOf(pooled, tried, pause);
      if (there.loss + penalty(tried) > before) continue;
      found = { weights: tried, at: there };
      break;
    }
    if (!found) break;
    const moved = Math.max(...found.weights.map((weight, book) => Math.abs(weight - weights[book]!)));
    ({ weights, at } = found);
    if (moved < SMALLEST_STEP) break;
  }
  return countedWeights(books, weights, prior);
}

/** Null if no book would count. */
function countedWeights(
  books: readonly string[],
  weights: readonly number[],
  prior: readonly number[],
): BookWeights | null {
  const counted = books.flatMap((book, place): [string, number][] => {
    const weight = roundTo(weights[place]!, 2);
    if (prior[place]! > 0) return [[book, weight]];
    return weight < LEAST_NEW_WEIGHT ? [] : [[book, weight]];
  });
  return counted.some(([, weight]) => weight > 0) ? Object.fromEntries(counted) : null;
}

/** The books with views enough beside another one, by name. */
function booksOf(games: readonly ClosedGame[]): string[] {
  const counts = new Map<string, number>();
  for (const { views } of games) {
    const books = Object.keys(views);
    if (books.length < 2) continue;
    for (const book of books) counts.set(book, (counts.get(book) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, views]) => views >= LEAST_VIEWS)
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_BOOKS)
    .map(([book]) => book)
    .sort();
}

interface PooledGame {
  /** Places of the books that have a view, and the logarithms of what each says. */
  readonly books: readonly number[];
  readonly logs: readonly (readonly number[])[];
  readonly outcome: number;
}

async function readViews(
  games: readonly ClosedGame[],
  books: readonly string[],
  pause: () => Promise<void>,
): Promise<PooledGame[]> {
  const pooled: PooledGame[] = [];
  for (const [index, { views, outcome }] of games.entries()) {
    if (index % GAMES_PER_TURN === 0) await pause();
    const known = books.flatMap((book, place) => {
      const view = ownValue(views, book);
      return view ? [{ place, logs: view.map((chance) => Math.log(Math.max(chance, LEAST_CHANCE))) }] : [];
    });
    if (known.length < 2) continue;
    pooled.push({ books: known.map(({ place }) => place), logs: known.map(({ logs }) => logs), outcome });
  }
  return pooled;
}

/** The log loss of the consensus in nats, with its first derivatives and the expected second ones. */
interface PooledLoss {
  readonly loss: number;
  readonly gradient: number[];
  readonly curvature: number[][];
}

async function lossOf(
  games: readonly PooledGame[],
  weights: readonly number[],
  pause: () => Promise<void>,
): Promise<PooledLoss> {
  const gradient = weights.map(() => 0);
  const curvature = weights.map(() => weights.map(() => 0));
  let loss = 0;
  for (const [index, { books, logs, outcome }] of games.entries()) {
    if (index % GAMES_PER_TURN === 0) await pause();
    let total = 0;
    const means = logs[0]!.map(() => 0);
    for (const [row, book] of books.entries()) {
      const weight = weights[book]! + FLOOR;
      total += weight;
      for (let one = 0; one < means.length; one++) means[one]! += weight * logs[row]![one]!;
    }
    let sum = 0;
    const chances = means.map((_, one) => {
      means[one]! /= total;
      const chance = Math.exp(means[one]!);
      sum += chance;
      return chance;
    });
    for (let one = 0; one < chances.length; one++) chances[one]! /= sum;
    loss -= Math.log(chances[outcome]!);
    // How the logarithm of each chance moves with the weight of each book, less its mean over the outcomes.
    const pulls = logs.map((log) => {
      const pull = log.map((value, one) => (value - means[one]!) / total);
      const mean = pull.reduce((part, value, one) => part + chances[one]! * value, 0);
      return pull.map((value) => value - mean);
    });
    for (const [row, book] of books.entries()) {
      gradient[book]! -= pulls[row]![outcome]!;
      for (let other = 0; other <= row; other++) {
        let product = 0;
        for (let one = 0; one < chances.length; one++) {
          product += chances[one]! * pulls[row]![one]! * pulls[other]![one]!;
        }
        curvature[book]![books[other]!]! += product;
        if (other < row) curvature[books[other]!]![book]! += product;
      }
    }
  }
  return { loss, gradient, curvature };
}

/** Rounds over all weights, each of which is set to its best value beside the others: enough to settle them. */
const ROUNDS = 60;

/** Where the quadratic model around these weights is smallest, with no weight below 0. */
function nonNegativeMinimum(
  weights: readonly number[],
  gradient: readonly number[],
  curvature: readonly (readonly number[])[],
): number[] {
  const found = [...weights];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [book, row] of curvature.entries()) {
      let slope = gradient[book]!;
      for (const [other, value] of row.entries()) slope += value * (found[other]! - weights[other]!);
      found[book] = Math.max(0, found[book]! - slope / row[book]!);
    }
  }
  return found;
}
