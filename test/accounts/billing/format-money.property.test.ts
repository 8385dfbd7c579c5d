import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moneyFieldText, parseMoney } from '../../../src/accounts/billing/format-money.ts';
import { cases } from '../../support/cases.ts';

const currency = fc.constantFrom('usd', 'eur', 'jpy', 'kwd');

it('an amount that a form shows is the amount that it sends back, in every currency', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), currency, (amount, of) => {
      expect(parseMoney(moneyFieldText(amount, of), of)).toBe(amount);
    }),
    { numRuns: cases(1000) },
  );
});

it.each([
  ['120', 'usd', 12_000],
  ['120.5', 'usd', 12_050],
  ['0.29', 'usd', 29],
  ['1200', 'jpy', 1200],
  ['1200.5', 'jpy', undefined],
  ['1,200', 'usd', undefined],
  ['1.234', 'usd', undefined],
  ['-1', 'usd', undefined],
  ['', 'usd', undefined],
  ['1e3', 'usd', undefined],
])('%s of %s is %s of its smallest unit', (text, of, amount) => {
  expect(parseMoney(text, of)).toBe(amount);
});
