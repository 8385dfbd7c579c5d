import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  monthOf,
  prorate,
  restOfMonth,
  startOfMonth,
  startOfNextMonth,
} from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';

/** By whole numbers alone. */
const exactly = (whole: number, days: number, left: number): number =>
  Number((BigInt(whole) * BigInt(left) + BigInt(days) - 1n) / BigInt(days));

describe('the price of the rest of a month', () => {
  it('counts today and all later days of the month, on every day of thirty years', () => {
    for (let at = Date.UTC(2023, 0, 1); at < Date.UTC(2053, 0, 1); at += DAY) {
      const date = new Date(at);
      const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      const rest = { days, daysLeft: days - date.getUTCDate() + 1 };
      expect(restOfMonth(at)).toEqual(rest);
      expect(restOfMonth(at + DAY - 1)).toEqual(rest);
      expect(prorate(4900, rest)).toBe(exactly(4900, days, rest.daysLeft));
      expect(prorate(50_000, rest)).toBe(exactly(50_000, days, rest.daysLeft));
    }
  });

  it('is the full price on the first day, and more than zero on the last', () => {
    expect(prorate(4900, restOfMonth(Date.parse('2028-02-01T00:00:00Z')))).toBe(4900);
    expect(prorate(4900, restOfMonth(Date.parse('2028-02-29T23:59:59.999Z')))).toBe(169);
    expect(prorate(4900, restOfMonth(Date.parse('2027-02-28T00:00:00Z')))).toBe(175);
  });

  it('is the share of the price, rounded up', () => {
    const time = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2999, 0, 1) });
    fc.assert(
      fc.property(time, fc.nat(2_000_000_000), (at, whole) => {
        const rest = restOfMonth(at);
        const share = prorate(whole, rest);
        expect(share).toBe(exactly(whole, rest.days, rest.daysLeft));
        expect(share).toBeLessThanOrEqual(whole);
        expect(startOfMonth(monthOf(at))).toBeLessThanOrEqual(at);
        expect(startOfNextMonth(at)).toBeGreaterThan(at);
        expect(startOfNextMonth(at) - startOfMonth(monthOf(at))).toBe(rest.days * DAY);
      }),
      { numRuns: cases(2000) },
    );
  });
});
