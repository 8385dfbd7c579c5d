import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { americanFromDecimal, decimalFromAmerican, statedDecimal } from '../../../src/domain/odds/american-odds.ts';

describe('American odds of a decimal price', () => {
  it.each([
    [2, 100],
    [1.5, -200],
    [1.91, -110],
    [3.25, 225],
    [1.01, -10_000],
    [11, 1000],
    // Halves are rounded away from zero, although binary fractions miss them.
    [2.005, 101],
    [2.125, 113],
    [1.064, -1563],
    [1.999, -100],
    [1.0001, -1_000_000],
    [10_001, 1_000_000],
  ])('%d is %d', (decimal, american) => {
    expect(americanFromDecimal(decimal)).toBe(american);
  });

  it.each([1, 0.97, 0, -3, Number.NaN, Number.POSITIVE_INFINITY, 1.000001, 20_000, 1e21])(
    '%d is no price',
    (decimal) => {
      expect(americanFromDecimal(decimal)).toBeUndefined();
    },
  );

  it('is the nearest integer, computed in whole numbers, at least 100 either way', () => {
    // Decimal prices of up to five places, as whole hundred-thousandths.
    fc.assert(
      fc.property(fc.integer({ min: 100_011, max: 1_000_000_000 }), (units) => {
        const american = americanFromDecimal(units / 100_000)!;
        const profit = BigInt(units) - 100_000n;
        const [numerator, denominator] = units >= 200_000 ? [100n * profit, 100_000n] : [100n * 100_000n, profit];
        const magnitude = (2n * numerator + denominator) / (2n * denominator);
        expect(BigInt(american)).toBe(units >= 200_000 ? magnitude : -magnitude);
        expect(Math.abs(american)).toBeGreaterThanOrEqual(100);
      }),
    );
  });

  it('never falls when the decimal price rises, counted as profit', () => {
    const profit = (american: number): number => (american > 0 ? american / 100 : -100 / american);
    const price = fc.integer({ min: 1_001, max: 1_000_000 }).map((units) => units / 1000);
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(profit(americanFromDecimal(low)!)).toBeLessThanOrEqual(profit(americanFromDecimal(high)!));
      }),
    );
  });
});

describe('decimal prices of American odds', () => {
  it.each([
    [100, 2],
    [-100, 2],
    [-110, 1.91],
    [225, 3.25],
    [150, 2.5],
    // A half is rounded up.
    [-800, 1.13],
    [-10_000, 1.01],
    [-12_500, 1.008],
    [-1_000_000, 1.0001],
    [1_000_000, 10_001],
  ])('%d is %d', (american, decimal) => {
    expect(decimalFromAmerican(american)).toBe(decimal);
  });

  it('a price of two decimals comes back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 1_000_000 }), (hundredths) => {
        const decimal = hundredths / 100;
        expect(decimalFromAmerican(americanFromDecimal(decimal)!)).toBe(decimal);
      }),
    );
  });

  it('what the source states is kept where it says more, and where it is the same price', () => {
    expect(statedDecimal(-5263, 1.019)).toBe(1.019);
    expect(statedDecimal(-110, 1.91)).toBeUndefined();
    expect(statedDecimal(-110, 1.9)).toBeUndefined();
    expect(statedDecimal(-110, undefined)).toBeUndefined();
    expect(statedDecimal(-110, Number.NaN)).toBeUndefined();
  });
});
