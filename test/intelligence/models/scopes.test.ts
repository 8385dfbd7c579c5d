import { describe, expect, it } from 'vitest';
import type { DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import {
  firstSetForecast,
  newFirstSetMemory,
  setProbability,
  updateFirstSets,
} from '../../../src/intelligence/models/first-set.ts';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { NFL } from '../../../src/intelligence/models/model-constants.ts';
import { newTeamScope, teamScopeForecast, updateTeamScope } from '../../../src/intelligence/models/team-scope.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const meanOf = ({ from, probabilities }: DiscreteDistribution): number =>
  probabilities.reduce((sum, probability, i) => sum + probability * (from + i), 0);

describe('the first half', () => {
  const expected = (margin: number) => ({
    margin: { mean: margin, spread: 160, offset: 0 },
    total: { mean: 44, spread: 170, offset: 0 },
    isNeutral: true,
  });

  it('has the share of margin, total and variance that past halves had', () => {
    let scope = newTeamScope(NFL)!;
    const before = teamScopeForecast(scope, expected(10), 1);
    expect(meanOf(before.margin)).toBeCloseTo(5, 1);
    expect(meanOf(before.total)).toBeCloseTo(22, 0);
    // Home makes .8 of its margin, and both 16 points, in every first half.
    for (let game = 0; game < 4000; game++) {
      const margin = game % 2 === 0 ? 10 : -10;
      const part = 0.8 * margin + (game % 4 < 2 ? 2 : -2);
      scope = updateTeamScope(scope, expected(margin), { home: (16 + part) / 2, away: (16 - part) / 2 });
    }
    const after = teamScopeForecast(scope, expected(10), 1);
    expect(meanOf(after.margin)).toBeGreaterThan(6.5);
    expect(meanOf(after.total)).toBeCloseTo(16, 0);
    expect(after.home).toBeGreaterThan(0.9);
    const widthOf = ({ from, probabilities }: DiscreteDistribution) =>
      probabilities.reduce((sum, p, i) => sum + p * (from + i) ** 2, 0);
    const centred = teamScopeForecast(scope, expected(0), 1);
    expect(widthOf(centred.margin)).toBeLessThan(
      0.3 * widthOf(teamScopeForecast(newTeamScope(NFL)!, expected(0), 1).margin),
    );
  });
});

it('home has more of its advantage at the beginning if past halves show it, and none on neutral ground', () => {
  const game = (isNeutral: boolean) => ({
    margin: { mean: 2, spread: 160, offset: 0 },
    total: { mean: 44, spread: 170, offset: 0 },
    isNeutral,
  });
  let scope = newTeamScope(NFL)!;
  for (let n = 0; n < 1000; n++) scope = updateTeamScope(scope, game(false), { home: 14, away: n % 2 === 0 ? 5 : 11 });
  const [home, neutral] = [game(false), game(true)].map((one) => teamScopeForecast(scope, one, 1));
  expect(meanOf(home!.margin)).toBeGreaterThan(4.5);
  expect(meanOf(neutral!.margin)).toBeLessThan(meanOf(home!.margin) - 2);
});

describe('first five innings', () => {
  it('are worse for a side that faces a better starter, by more than the whole game', () => {
    const memory = new LeagueMemory(modelOf('mlb', 'mlb'));
    for (const [n, game] of gamesOf('mlb', 'mlb', 400, numbersOf(3)).entries()) {
      // The side that faces the ace makes no run in five innings.
      const isAce = n % 2 === 0;
      const starters = { home: isAce ? 'ace' : game.starters.home, away: null };
      const detail = isAce ? { home: 2, away: 0 } : { home: 2, away: 2 };
      memory.learn({ ...game, starters, detail, scope: detail });
    }
    const next = { ...gamesOf('mlb', 'mlb', 401, numbersOf(3)).at(-1)!, home: 'side 2', away: 'side 3' };
    const [plain, ace] = [null, 'ace'].map((home) => ({ ...next, starters: { home, away: null } }));
    const gain = (of: 'forecast' | 'scope') => memory[of](ace!)!.home - memory[of](plain!)!.home;
    expect(gain('forecast')).toBeGreaterThan(0);
    expect(gain('scope')).toBeGreaterThan(gain('forecast'));
    expect(meanOf(memory.scope(ace!)!.total)).toBeLessThan(meanOf(memory.scope(plain!)!.total));
  });
});

describe('the first set', () => {
  it.each([
    [0.55, 0.533383],
    [0.6, 0.567069],
    [0.7, 0.636743],
    [0.8, 0.712859],
    [0.9, 0.8042],
  ])('is won by who wins a match of three sets with %d with %d', (match, set) => {
    expect(setProbability(match, 3)).toBeCloseTo(set, 5);
    expect(setProbability(1 - match, 3)).toBeCloseTo(1 - set, 5);
  });

  it.each([
    [0.562407, 0.533383],
    [0.624254, 0.567069],
    [0.945255, 0.8042],
  ])('is won by who wins a match of five sets with %d with %d', (match, set) => {
    expect(setProbability(match, 5)).toBeCloseTo(set, 5);
  });

  it('is short if one player is much better, ends as past sets did, and is won as the margin says', () => {
    const even = firstSetForecast(newFirstSetMemory(100), 0.5, 3, 1);
    const onesided = firstSetForecast(newFirstSetMemory(100), 0.95, 3, 1);
    expect(meanOf(onesided.total)).toBeLessThan(meanOf(even.total) - 0.3);
    expect(meanOf(even.margin)).toBeCloseTo(0, 9);
    const above = onesided.margin.probabilities.slice(7).reduce((sum, p) => sum + p, 0);
    expect(above).toBeCloseTo(onesided.home, 9);
    let sets = newFirstSetMemory(100);
    for (let match = 0; match < 500; match++) {
      sets = updateFirstSets(sets, 0.5, 3, match % 2 === 0 ? { home: 7, away: 6 } : { home: 6, away: 7 });
    }
    expect(firstSetForecast(sets, 0.5, 3, 1).total.probabilities[13]).toBeGreaterThan(0.6);
    expect(updateFirstSets(sets, 0.5, 3, { home: 4, away: 2 })).toBe(sets);
  });
});
