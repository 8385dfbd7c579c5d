import { describe, expect, it } from 'vitest';
import { removeVig } from '../../../src/domain/odds/remove-vig.ts';
import { impliedProbability } from '../../../src/intelligence/prices/odds-arithmetic.ts';

// Vectors of an independent implementation, to eight decimals.
const ofDecimals = (...odds: number[]) => removeVig(odds.map((one) => 1 / one));
const ofPrices = (...prices: number[]) => removeVig(prices.map(impliedProbability));

function near(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [index, one] of expected.entries()) expect(Math.abs(found[index]! - one)).toBeLessThan(1e-8);
}

describe('a margin removed by odds ratio', () => {
  it.each([
    [[4.2, 3.7, 1.95], [0.23200453, 0.2636413, 0.50435418], 1.03445648],
    [[2.45, 3.7, 2.9], [0.39969135, 0.26338675, 0.3369219], 1.03581416],
    [[2.05, 3.2, 3.8], [0.46344188, 0.29190268, 0.24465544], 1.10263607],
    [[1.19, 7, 14], [0.81599424, 0.1231373, 0.06086846], 1.18683605],
    [[2.6, 2.4, 4.3], [0.37242865, 0.4041313, 0.22344004], 1.05317379],
    [[2.7, 2.3, 4.4], [0.35881036, 0.42256142, 0.21862822], 1.05116913],
  ])('of the decimal odds %j leaves %j', (odds, expected, factor) => {
    const found = ofDecimals(...odds);
    near(found, expected);
    const [offered, fair] = [1 / odds[0]!, found[0]!];
    expect(offered / (1 - offered) / (fair / (1 - fair))).toBeCloseTo(factor, 7);
  });

  it.each([
    [
      [140, 230, 195],
      [0.39552957, 0.28484297, 0.31962746],
    ],
    [
      [-250, 380, 650],
      [0.68986784, 0.18972619, 0.12040597],
    ],
  ])('of the prices %j leaves %j', (prices, expected) => near(ofPrices(...prices), expected));

  it('leaves the first of two outcomes', () => {
    expect(ofDecimals(1.5, 2.74)[0]).toBeCloseTo(0.65101782, 8);
    expect(ofPrices(-150, 130)[0]).toBeCloseTo(0.58271157, 8);
    expect(ofPrices(-300, 250)[0]).toBeCloseTo(0.73252111, 8);
    expect(ofPrices(-1000, 650)[0]).toBeCloseTo(0.88965222, 8);
    expect(ofPrices(-105, -115)[0]).toBeCloseTo(0.48863049, 8);
  });

  it('leaves an even chance of even prices, exactly', () => {
    expect(ofPrices(-110, -110)).toEqual([0.5, 0.5]);
  });

  it('leaves prices without a margin unchanged', () => {
    near(removeVig([0.4, 0.6]), [0.4, 0.6]);
    near(removeVig([0.2, 0.3, 0.5]), [0.2, 0.3, 0.5]);
  });
});
