import { describe, expect, it } from 'vitest';
import {
  decimalOdds,
  evPercent,
  fairAmericanPrice,
  impliedProbability,
  kellyFraction,
  priceGap,
} from '../../../src/intelligence/prices/odds-arithmetic.ts';
import { roundProbabilities, roundTo } from '../../../src/intelligence/prices/rounding.ts';

describe('odds arithmetic', () => {
  it.each([
    [0.55, -110, 1.909091, 5, 0.055, 0.02619],
    [0.5, 105, 2.05, 2.5, 0.0238, 0.012195],
    [0.4, 160, 2.6, 4, 0.025, 0.015385],
    [0.582609, -130, 1.769231, 3.08, 0.04, 0.017392],
    [0.267857, 300, 4, 7.14, 0.0238, 0.017857],
    [0.62, -150, 1.666667, 3.33, 0.05, 0.02],
    [0.05, 2500, 26, 30, 0.012, 0.011538],
  ])('of %f at %i: decimal %f, EV %f%%, Kelly %f, gap %f', (p, price, decimal, ev, kelly, gap) => {
    expect(decimalOdds(price)).toBeCloseTo(decimal, 6);
    expect(impliedProbability(price)).toBeCloseTo(1 / decimal, 6);
    expect([evPercent(p, price), kellyFraction(p, price), priceGap(p, price)]).toEqual([ev, kelly, gap]);
  });

  it.each([
    [0.582609, -140],
    [0.417391, 140],
    [0.732143, -273],
    [0.9, -900],
    [0.1, 900],
    [0.0235, 4155],
    [0.52381, -110],
    [0.5, 100],
    [0.500001, -100],
    [0.9999, -999_900],
    [0.0001, 999_900],
  ])('makes %f a fair price of %i', (probability, price) => {
    expect(fairAmericanPrice(probability)).toBe(price);
  });

  it('knows that +100 and -100 pay the same', () => {
    expect([decimalOdds(100), impliedProbability(-100)]).toEqual([2, 0.5]);
    expect(evPercent(0.51, 100)).toBe(evPercent(0.51, -100));
  });

  it('stakes no more than the bankroll', () => {
    expect(kellyFraction(0.9999, 1_000_000)).toBeLessThanOrEqual(1);
    expect(kellyFraction(0.9999, -1_000_000)).toBeLessThanOrEqual(1);
  });

  it('rounds halves away from zero, as they are written', () => {
    expect(kellyFraction(0.50625, 100)).toBe(0.0125);
    expect(kellyFraction(0.500025, 100)).toBe(0.0001);
    expect(evPercent(0.500025, 100)).toBe(0.01);
    expect(evPercent(0.499975, 100)).toBe(-0.01);
    expect([roundTo(1.005, 2), roundTo(-1.005, 2), roundTo(-0.001, 2)]).toEqual([1.01, -1.01, 0]);
  });
});

describe('published probabilities', () => {
  it('sum to exactly 1 as written, by adjusting the largest', () => {
    expect(roundProbabilities([1 / 3, 1 / 3, 1 / 3])).toEqual([0.333334, 0.333333, 0.333333]);
    expect(roundProbabilities([0.2, 0.1999996, 0.6000004])).toEqual([0.2, 0.2, 0.6]);
  });

  it('stay within .0001 and .9999', () => {
    expect(roundProbabilities([0.99999, 0.00001])).toEqual([0.9999, 0.0001]);
    expect(roundProbabilities([0.00001, 0.00001, 0.99998])).toEqual([0.0001, 0.0001, 0.9998]);
  });
});
