import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { isRegular, type Step } from '../boxes/played-game.ts';
import { brownianChances, normalBelow } from '../simulation/brownian-model.ts';
import type { Chances, Pair } from '../simulation/chances.ts';
import { poissonChances } from '../simulation/poisson-model.ts';

/** A bookmaker's expectation of a whole game: the first side's margin, and the total. */
export type Expected = Pick<Chances, 'margin' | 'total'>;

/** A part of a game that has markets of its own. */
interface Scope {
  readonly name: '1H' | 'F5' | 'S1';
  readonly holds: (period: string) => boolean;
  /** Its share of the points of a game. */
  readonly share: number;
}

const HALF: Scope = { name: '1H', holds: (period) => /^(?:1|2|1H)$/.test(period), share: 0.5 };
const FIRST_FIVE: Scope = { name: 'F5', holds: (period) => /^(?:Top|Mid|Bot|End) [1-5]$/.test(period), share: 5 / 9 };
const FIRST_SET: Scope = { name: 'S1', holds: (period) => period === 'Set 1', share: 0.42 };
const SCOPES: Readonly<Record<SportSlug, Scope | null>> = {
  nfl: HALF,
  ncaaf: HALF,
  nba: HALF,
  ncaab: HALF,
  soccer: HALF,
  mlb: FIRST_FIVE,
  tennis: FIRST_SET,
  nhl: null,
};
export const scopeOf = (sport: SportSlug): Scope | null => SCOPES[sport];

/** Standard deviations of the margin and the total of a whole game, in sports with large scores. */
const DEVIATIONS: Partial<Record<SportSlug, Pair>> = {
  nfl: [13.2, 13.5],
  ncaaf: [15.5, 16],
  nba: [14.5, 17],
  ncaab: [12, 14],
};
/** For the games of a set. */
const SET = { total: 9.8, marginDeviation: 3.2, totalDeviation: 1.9 } as const;

/**
 * The possible results of a sport's scope.
 * @param score within the scope
 * @param left the share of the scope still to be played
 */
export function scopeChances(sport: SportSlug, scope: Scope, expected: Expected, score: Pair, left: number): Chances {
  const margin = expected.margin * scope.share;
  if (sport === 'tennis') return brownianChances({ ...SET, margin }, score, left);
  const total = expected.total * scope.share;
  const deviations = DEVIATIONS[sport];
  if (deviations) {
    const [marginDeviation, totalDeviation] = deviations.map((one) => one * Math.sqrt(scope.share)) as unknown as Pair;
    return brownianChances({ margin, total, marginDeviation, totalDeviation }, score, left);
  }
  const goals: Pair = [((total + margin) / 2) * left, ((total - margin) / 2) * left];
  return poissonChances({ expected: goals, draws: true, leastSpread: 0.5 }, score);
}

/** The possible final values of a number that still grows. */
export type GrowingTotal = Pick<Chances, 'over' | 'total'>;

/** @param mean of the rest @param deviation of the rest; absent for events counted one by one */
export function growingTotal(current: number, mean: number, deviation?: number): GrowingTotal {
  const total = current + mean;
  return {
    total,
    over: (point) => {
      if (current > point) return 1;
      return deviation === undefined
        ? 1 - poissonUpTo(Math.floor(point) - current, mean)
        : normalBelow((total - point) / Math.max(0.01, deviation));
    },
  };
}

/** Probability of at most `most` events, by the Poisson distribution. */
function poissonUpTo(most: number, mean: number): number {
  let term = Math.exp(-mean);
  let sum = term;
  for (let count = 1; count <= most; count++) {
    term *= mean / count;
    sum += term;
  }
  return Math.min(1, sum);
}

/** The possible final scores of one side. @param left the share of the game still to be played */
export function sideTotal(sport: SportSlug, expected: Expected, side: 0 | 1, score: Pair, left: number): GrowingTotal {
  const mean = ((expected.total + (side === 0 ? expected.margin : -expected.margin)) / 2) * left;
  const deviations = DEVIATIONS[sport];
  if (!deviations) return growingTotal(score[side], mean);
  return growingTotal(score[side], mean, (Math.hypot(...deviations) / 2) * Math.sqrt(left));
}

/** Progress of a game at each of its steps. */
interface Progress {
  /** The remaining share of regular time, and that of the scope: 0 when it is over. */
  readonly left: number;
  readonly ofScope: number;
}

export function progressOf(steps: readonly Step[], scope: Scope | null): Progress[] {
  const sum = (list: readonly Step[]) => list.reduce((all, { play }) => all + play, 0);
  const regular = sum(steps.filter(isRegular));
  const inScope = sum(steps.filter(({ period }) => scope?.holds(period)));
  let played = 0;
  return steps.map(({ play, period }) => {
    played += play;
    const share = (all: number) => (all === 0 ? 0 : Math.max(0, 1 - played / all));
    return { left: share(regular), ofScope: scope?.holds(period) ? share(inScope) : 0 };
  });
}
