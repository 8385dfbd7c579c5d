import type { Chances } from '../simulation/chances.ts';
import type { Bookmaker } from './demo-bookmakers.ts';

export type MarketKey = 'h2h' | 'spreads' | 'totals';

/** One market of a bookmaker: its probabilities, and the point from the first side's view. */
export interface Line {
  readonly key: MarketKey;
  readonly probabilities: readonly number[];
  readonly point?: number;
}

/** A line keeps its point while the probability of its first outcome is in this range. */
const STAYS = { from: 0.41, to: 0.59 };
/** Outside this range nobody offers a handicap or a total any more. */
const OPEN = { from: 0.22, to: 0.78 };
/** Above this probability a moneyline is nearly decided. */
const DECIDED = 0.965;

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
/** A probability moved by an opinion, in logits. */
const movedByOpinion = (probability: number, opinion: number): number => {
  const bounded = Math.min(0.9999, Math.max(0.0001, probability));
  return logistic(Math.log(bounded / (1 - bounded)) + opinion);
};

/** The moneyline; null if it is withdrawn. */
export function moneyline(chances: Chances, book: Bookmaker, opinion: number): Line | null {
  const [first, second, draw] = chances.win;
  if (book.takesDown && Math.max(first, second, draw ?? 0) > DECIDED) return null;
  const decisive = first + second;
  const share = movedByOpinion(decisive > 0 ? first / decisive : 0.5, opinion);
  const probabilities = [share * decisive, (1 - share) * decisive];
  return { key: 'h2h', probabilities: draw === undefined ? probabilities : [...probabilities, draw] };
}

const halfPoint = (value: number): number => Math.floor(value) + 0.5;

/** The point near `guess` at which both outcomes are nearest to even. */
function evenPoint(guess: number, probability: (point: number) => number, allowed: (point: number) => boolean): number {
  const middle = halfPoint(guess);
  const points = [-2, -1, 0, 1, 2].map((offset) => middle + offset).filter(allowed);
  const distance = (point: number) => Math.abs(probability(point) - 0.5);
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best), points[0]!);
}

function pointLine(
  key: 'spreads' | 'totals',
  present: number | undefined,
  probability: (point: number) => number,
  best: () => number,
): Line | null {
  const stays = present !== undefined && inside(probability(present), STAYS);
  const point = stays ? present : best();
  const first = probability(point);
  return inside(first, OPEN) ? { key, point, probabilities: [first, 1 - first] } : null;
}
const inside = (value: number, { from, to }: typeof OPEN): boolean => value >= from && value <= to;

/** @param present the bookmaker's present point, if any */
export function spread(chances: Chances, opinion: number, present: number | undefined): Line | null {
  const { leastSpread } = chances;
  const probability = (point: number) => movedByOpinion(chances.cover(point), opinion);
  const allowed = (point: number) => Math.abs(point) >= leastSpread;
  return pointLine('spreads', present, probability, () => evenPoint(-chances.margin, probability, allowed));
}

/** @param present as for `spread` */
export function total(
  chances: Pick<Chances, 'over' | 'total'>,
  opinion: number,
  present: number | undefined,
): Line | null {
  const probability = (point: number) => movedByOpinion(chances.over(point), opinion);
  return pointLine('totals', present, probability, () => evenPoint(chances.total, probability, (point) => point > 0));
}

/** Distances of alternate lines from the main line. */
const ALTERNATE_STEPS = [-2, -1, 1, 2];

/** Alternate lines of the same market, with the probability of their first outcome. */
export function alternateLines(line: Line, chances: Chances, opinion: number): Line[] {
  const probability = (point: number) =>
    movedByOpinion(line.key === 'spreads' ? chances.cover(point) : chances.over(point), opinion);
  return ALTERNATE_STEPS.map((step) => line.point! + step)
    .filter((point) => (line.key === 'spreads' ? Math.abs(point) >= chances.leastSpread : point > 0))
    .map((point) => ({ key: line.key, point, probabilities: [probability(point), 1 - probability(point)] }))
    .filter(({ probabilities: [first] }) => inside(first!, { from: 0.08, to: 0.92 }));
}

type Side = 'home' | 'away' | 'player_1' | 'player_2';
export interface OfferedOutcome {
  readonly outcome: Side | 'draw' | 'over' | 'under';
  readonly price: number;
  readonly point?: number;
}

/** The outcomes of a line as a message states them. @param sides roles of the first and second side */
export function outcomesOf(line: Line, book: Bookmaker, sides: readonly [Side, Side]): OfferedOutcome[] {
  const prices = pricesWithMargin(line.probabilities, book.margin, book.step);
  const { key, point } = line;
  if (key === 'totals')
    return (['over', 'under'] as const).map((outcome, index) => ({ outcome, price: prices[index]!, point: point! }));
  const names = [...sides, 'draw'] as const;
  return prices.map((price, index) => ({
    outcome: names[index]!,
    price,
    ...(point === undefined ? {} : { point: index === 0 ? point : -point }),
  }));
}

/** The highest and the lowest offered price, as probabilities. */
const MAX_PROBABILITY = 0.985;
const MIN_PROBABILITY = 0.004;
/** Newton's method approaches the wanted power from below, because the sum falls and becomes flatter. */
const FIRST_GUESS = 0.6;
const ROUNDS = 7;

/**
 * Prices with a bookmaker's margin: every probability is raised to the same power, so that they sum to 1 + margin.
 * Compared with other methods, this one keeps the prices of long shots long (S. R. Clarke, S. Kovalchik, M. Ingram,
 * "Adjusting bookmaker's odds to allow for overround", 2017).
 * @returns American prices in the same order; their implied probabilities sum to about 1 + margin or more
 */
export function pricesWithMargin(probabilities: readonly number[], margin: number, step: number): number[] {
  const logarithms = probabilities.map((probability) =>
    Math.log(Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability))),
  );
  let power = FIRST_GUESS;
  for (let round = 0; round < ROUNDS; round++) {
    let excess = -1 - margin;
    let slope = 0;
    for (const logarithm of logarithms) {
      const implied = Math.exp(power * logarithm);
      excess += implied;
      slope += implied * logarithm;
    }
    power -= excess / slope;
  }
  return logarithms.map((logarithm) => americanPrice(Math.exp(power * logarithm), step));
}

/** Rounds to the bookmaker's step, in larger steps for long prices, and never in favour of the client. */
function americanPrice(implied: number, step: number): number {
  const exact = implied >= 0.5 ? (-100 * implied) / (1 - implied) : (100 * (1 - implied)) / implied;
  const size = Math.abs(exact);
  const grain = step * (size < 200 ? 1 : size < 400 ? 2 : size < 1000 ? 5 : 20);
  return Math.floor(exact / grain) * grain;
}
