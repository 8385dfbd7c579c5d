import { describe, expect, it } from 'vitest';
import { creditBurn, daysLeft } from '../../../../src/web/account/usage/credit-burn.ts';

const days = (...credits: readonly (number | null)[]) =>
  credits.map((one, index) => ({ date: `d${index}`, calls: one === null ? 0 : 1, errors: 0, credits: one ?? 0 }));

describe('the credits of a day', () => {
  it('are the mean of the last seven days, idle ones too', () => {
    expect(creditBurn(days(100, 7, 7, null, 7, 7, 7, 7))).toEqual({ perDay: 6, days: 7 });
  });

  it('are the mean since the first call, where it is younger', () => {
    expect(creditBurn(days(null, null, 10, 20))).toEqual({ perDay: 15, days: 2 });
    expect(creditBurn(days(null, null))).toBeUndefined();
  });

  it('say for how many whole days the balance lasts, unless nothing is spent or nothing ends', () => {
    expect(daysLeft(100, { perDay: 15, days: 2 })).toBe(6);
    expect(daysLeft(0, { perDay: 15, days: 2 })).toBe(0);
    expect(daysLeft(100, { perDay: 0, days: 2 })).toBeUndefined();
    expect(daysLeft(null, { perDay: 15, days: 2 })).toBeUndefined();
    expect(daysLeft(100, undefined)).toBeUndefined();
  });
});
