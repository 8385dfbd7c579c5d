import { describe, expect, it } from 'vitest';
import { applyCalibration, newCalibration, updateCalibration } from '../../../src/intelligence/models/calibration.ts';
import { coverProbability, type DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import { MODEL_VERSION } from '../../../src/intelligence/models/index.ts';
import { newKeyNumbers, normalWithKeyNumbers, updateKeyNumbers } from '../../../src/intelligence/models/key-numbers.ts';
import { logit } from '../../../src/intelligence/models/logit.ts';
import { SOCCER } from '../../../src/intelligence/models/model-constants.ts';
import { soccerModel } from '../../../src/intelligence/models/soccer-model.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const fixture = gamesOf('soccer', 'epl', 1, numbersOf(2))[0]!;

describe('goals of a match', () => {
  // The means, rho, and the probabilities by Dixon and Coles: home, draw, away, over 2.5, home -1.5.
  it.each([
    [1.6, 1.2, 0, 0.466563, 0.247115, 0.286322, 0.530546, 0.240701],
    [1.6, 1.2, -0.1, 0.454887, 0.270466, 0.274647, 0.530546, 0.240701],
    [1.35, 1.05, -0.05, 0.429679, 0.285591, 0.28473, 0.430291, null],
  ])('of %f and %f with rho %f', (home, away, rho, ...expected) => {
    const constants = { ...SOCCER, rho, goals: Math.log(home * away) / 2, home: Math.log(home / away) };
    const calibration = { ...constants.calibration, slope: 1, trust: 1 };
    const memory = new LeagueMemory(soccerModel({ ...constants, calibration }));
    const forecast = memory.forecast({ ...fixture, isNeutral: false });
    const told = [forecast.home, forecast.draw, forecast.away];
    told.push(coverProbability(forecast.total, -2.5), coverProbability(forecast.margin, -1.5));
    for (const [i, value] of expected.entries()) if (value !== null) expect(told[i]).toBeCloseTo(value, 6);
  });
});

describe('a line', () => {
  // Margins -1, 0, 1, 2 with these probabilities.
  const margins: DiscreteDistribution = { from: -1, probabilities: [0.3, 0.2, 0.35, 0.15] };
  it.each([
    ['half', -0.5, 0.5],
    ['whole, the push left out', 0, 0.5 / 0.8],
    ['whole, with another push', -1, 0.15 / 0.65],
    ['a quarter down: half of the stake comes back at 0', -0.25, 0.5 / 0.9],
    ['a quarter up: half of the stake wins at 0', 0.25, 0.6 / 0.9],
    ['three quarters down: half of the stake comes back at 1', -0.75, (0.15 + 0.35 / 2) / (1 - 0.35 / 2)],
    ['out of reach', -9.5, 0],
    ['given', 9, 1],
  ])('%s', (_, line, expected) => {
    expect(coverProbability(margins, line)).toBeCloseTo(expected, 12);
  });

  it('that decides nothing has no probability', () => {
    expect(coverProbability({ from: 3, probabilities: [1] }, -3)).toBeNull();
  });
});

describe('a normal curve with key numbers', () => {
  const curve = { mean: 3, sd: 13.2, min: -Infinity, isSymmetric: true };

  it('is the normal curve while no game was learned', () => {
    expect(coverProbability(normalWithKeyNumbers(newKeyNumbers(20), curve), -3.5)).toBeCloseTo(0.484892, 4);
  });

  it('gives 3 and -3 the weight that games gave them', () => {
    const at = (numbers: DiscreteDistribution, value: number) => numbers.probabilities[value - numbers.from]!;
    let keys = newKeyNumbers(20);
    for (let game = 0; game < 400; game++)
      keys = updateKeyNumbers(keys, curve, game % 5 === 0 ? (game % 2 ? 3 : -3) : 8);
    const [bent, bare] = [normalWithKeyNumbers(keys, curve), normalWithKeyNumbers(newKeyNumbers(20), curve)];
    expect(at(bent, 3)).toBeGreaterThan(2 * at(bare, 3));
    expect(at(bent, -3) / at(bent, 3)).toBeCloseTo(at(bare, -3) / at(bare, 3), 9);
    expect(at(bent, 4)).toBeLessThan(0.2 * at(bare, 4));
  });
});

describe('a calibration', () => {
  it('learns the slope of an overconfident model', () => {
    const random = numbersOf(11);
    let calibration = newCalibration(20, 1);
    for (let game = 0; game < 40_000; game++) {
      const p = 0.05 + 0.9 * random();
      const outcome = random() < 1 / (1 + Math.exp(-(0.2 + 0.7 * logit(p)))) ? 1 : 0;
      calibration = updateCalibration(calibration, { p, outcome, hasShift: true });
    }
    expect(calibration.slope).toBeCloseTo(0.7, 1);
    expect(calibration.shift).toBeCloseTo(0.2, 1);
  });

  it('without a shift keeps the sum of two sides at 1', () => {
    const calibration = updateCalibration(newCalibration(5, 1.3), { p: 0.7, outcome: 0, hasShift: false });
    expect(applyCalibration(calibration, 0.3) + applyCalibration(calibration, 0.7)).toBeCloseTo(1, 12);
  });
});

it('every sport has a version', () => {
  expect(Object.keys(MODEL_VERSION).sort()).toEqual(['mlb', 'nba', 'ncaab', 'ncaaf', 'nfl', 'nhl', 'soccer', 'tennis']);
  for (const [sport, version] of Object.entries(MODEL_VERSION))
    expect(version).toMatch(new RegExp(`^${sport}-\\d+\\.\\d+$`));
});
