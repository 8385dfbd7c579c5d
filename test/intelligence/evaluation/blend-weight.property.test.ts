import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { type BlendedGame, BlendLearner, blendWeightAt } from '../../../src/intelligence/evaluation/blend-weight.ts';
import { blendProbabilities, blendsOfMarket } from '../../../src/intelligence/forecasts/blend.ts';
import { roundProbabilities } from '../../../src/intelligence/prices/rounding.ts';
import { cases } from '../../support/cases.ts';
import { numbersOf } from '../seasons.ts';

const START = Date.UTC(2026, 0, 1);
const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const logit = (p: number) => Math.log(p / (1 - p));

/** Ten games a day, each known in the evening. Their truth lies this far from fair price to forecast. */
function gamesOf(count: number, truth: number, random: () => number): BlendedGame[] {
  return Array.from({ length: count }, (_, i) => {
    const [fair, forecast] = [logistic(2 * random() - 1), logistic(2 * random() - 1)];
    const home = logistic(logit(fair) + truth * (logit(forecast) - logit(fair)));
    return {
      settledAt: START + Math.floor(i / 10) * DAY + DAY / 2,
      fair: roundProbabilities([fair, 1 - fair]),
      forecast: roundProbabilities([forecast, 1 - forecast]),
      outcome: random() < home ? 0 : 1,
    };
  });
}

function learned(games: readonly BlendedGame[], until = Number.POSITIVE_INFINITY) {
  const learner = new BlendLearner();
  for (const game of games) learner.add(game);
  return { last: learner.before(until), turns: learner.turns };
}

describe('the weight of a blend', () => {
  it('is 0 below 500 games, and from then on the lower end of its interval', () => {
    const games = gamesOf(4000, 0.8, numbersOf(1));
    const { turns } = learned(games);
    expect(turns).toHaveLength(400);
    for (const { n, weight, low, high } of turns) {
      expect(low).toBeLessThan(high);
      expect(weight).toBe(n < 500 ? 0 : Math.min(1, Math.max(0, low)));
    }
    const last = turns.at(-1)!;
    expect(last.n).toBe(4000);
    expect(last.weight).toBeGreaterThan(0.4);
    expect(last.low).toBeLessThan(0.8);
    expect(last.high).toBeGreaterThan(0.8);
  });

  it('stays 0 where forecasts add nothing, with an interval that says so', () => {
    const { last } = learned(gamesOf(3000, 0, numbersOf(2)));
    expect(last).toMatchObject({ n: 3000, weight: 0 });
    expect(last.low).toBeLessThanOrEqual(0);
  });

  it('takes one step of Newton a midnight', () => {
    const game = { settledAt: START + 1, fair: [0.5, 0.5], forecast: [0.8, 0.2], outcome: 0 };
    const [turn] = learned([game]).turns;
    // Log odds differ by ln 4; halves of it go to each side.
    const curvature = 10 + (Math.log(4) / 2) ** 2;
    const estimate = Math.log(4) / 2 / curvature;
    const half = 2.3263 / Math.sqrt(curvature);
    expect(turn).toMatchObject({ at: START + DAY, n: 1, weight: 0 });
    expect(turn!.low).toBeCloseTo(estimate - half, 3);
    expect(turn!.high).toBeCloseTo(estimate + half, 3);
  });

  it('knows nothing of games that are settled later: they change no weight before', () => {
    const property = fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 0, max: 60 }), (seed, day) => {
      const games = gamesOf(600, 0.7, numbersOf(seed));
      const moment = START + day * DAY + DAY / 3;
      const others = games.map((game) =>
        game.settledAt >= START + day * DAY ? { ...game, outcome: 1 - game.outcome } : game,
      );
      const [one, other] = [learned(games).turns, learned(others).turns];
      expect(blendWeightAt(other, moment)).toEqual(blendWeightAt(one, moment));
      // What one learns step by step is what another learns at once.
      const inSteps = new BlendLearner();
      for (const game of games) {
        inSteps.before(game.settledAt - DAY / 4);
        inSteps.add(game);
      }
      expect(inSteps.before(moment)).toEqual(blendWeightAt(one, moment));
    });
    fc.assert(property, { numRuns: cases(100) });
  });
});

describe('a blend', () => {
  const probabilities = (outcomes: number) =>
    fc
      .array(fc.double({ min: 0.02, max: 1, noNaN: true }), { minLength: outcomes, maxLength: outcomes })
      .map((parts) => {
        const sum = parts.reduce((total, part) => total + part, 0);
        return roundProbabilities(parts.map((part) => part / sum));
      });
  const weights = fc.double({ min: 0, max: 1, noNaN: true });

  it('sums to 1, lies between both with two outcomes, and is the fair price at a weight of 0', () => {
    const any = fc.constantFrom(2, 3).chain((n) => fc.tuple(probabilities(n), probabilities(n), weights));
    const property = fc.property(any, ([fair, forecast, weight]) => {
      const blend = blendProbabilities(fair, forecast, weight);
      expect(Math.round(blend.reduce((sum, p) => sum + p, 0) * 1e6)).toBe(1e6);
      expect(blendProbabilities(fair, forecast, 0)).toEqual(fair);
      if (fair.length === 3) return;
      const expected = logistic(logit(fair[0]!) + weight * (logit(forecast[0]!) - logit(fair[0]!)));
      expect(blend[0]).toBeCloseTo(expected, 5);
    });
    fc.assert(property, { numRuns: cases(300) });
  });

  it('needs a fair price and counted games; without a forecast the fair price stays', () => {
    const learned = { weight: 0.4, n: 800 };
    expect(blendsOfMarket([null, null], [0.5, 0.5], learned)).toBe(null);
    expect(blendsOfMarket([0.6, 0.4], [0.5, 0.5], null)).toBe(null);
    expect(blendsOfMarket([0.6, 0.4], null, learned)).toEqual([
      { probability: 0.6, weight: 0, n: 800 },
      { probability: 0.4, weight: 0, n: 800 },
    ]);
    expect(blendsOfMarket([0.6, 0.4], [0.6, 0.4], learned)![0]).toEqual({ probability: 0.6, weight: 0.4, n: 800 });
  });
});
