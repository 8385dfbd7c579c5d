import fc from 'fast-check';
import { expect, it } from 'vitest';
import { americanFromDecimal } from '../../../src/domain/odds/american-odds.ts';
import { findArbitrages } from '../../../src/intelligence/prices/arbitrage.ts';
import { decimalOdds } from '../../../src/intelligence/prices/odds-arithmetic.ts';
import type { Quote } from '../../../src/intelligence/prices/quotes.ts';
import { cases } from '../../support/cases.ts';

const CLOCK = Date.parse('2026-03-01T12:00:00Z');
const american = fc.oneof(fc.integer({ min: 100, max: 900 }), fc.integer({ min: -900, max: -101 }));
const book = fc.tuple(american, american).map(([home, away]) => ({ prices: [home, away] }));
const ladder = fc
  .array(fc.tuple(fc.integer({ min: 5, max: 95 }), fc.integer({ min: 5, max: 120 })), { minLength: 1, maxLength: 3 })
  .map((levels) => [...new Map(levels)].sort(([a], [b]) => a - b).map(([cents, size]) => [cents / 100, size] as const));
const exchange = fc.tuple(ladder, ladder).map((ladders) => ({
  prices: ladders.map(([first]) => americanFromDecimal(1 / first![0])!),
  ladders,
}));
const quotes = fc
  .tuple(fc.array(book, { minLength: 1, maxLength: 2 }), fc.array(exchange, { minLength: 1, maxLength: 2 }))
  .map(([books, venues]) =>
    [...books, ...venues].map((one, index): Quote => ({ book: `book${index}`, line: null, at: CLOCK, ...one })),
  );

/** What a leg costs that returns so much in all; infinite where the ladder ends before. */
function costOf({ prices, ladders }: Quote, outcome: number, returned: number): number {
  if (!ladders) return returned / decimalOdds(prices[outcome]!);
  let [left, cost] = [returned, 0];
  for (const [price, size] of ladders[outcome]!) {
    const contracts = Math.min(left, size / price);
    cost += contracts * price;
    left -= contracts;
  }
  return left > 1e-9 ? Number.POSITIVE_INFINITY : cost;
}

/** The largest return that the stake buys on every outcome, by halving; what it costs, and in how many books. */
function bestReturn(all: readonly Quote[], stake: number) {
  const legs = (returned: number) =>
    [0, 1].map((outcome) =>
      all
        .map((quote) => ({ book: quote.book, cost: costOf(quote, outcome, returned) }))
        .reduce((best, one) => (one.cost < best.cost ? one : best)),
    );
  const cost = (returned: number) => legs(returned).reduce((sum, leg) => sum + leg.cost, 0);
  let [low, high] = [0, stake * 100];
  for (let round = 0; round < 100; round++) {
    const middle = (low + high) / 2;
    if (cost(middle) <= stake) low = middle;
    else high = middle;
  }
  return { returned: low, cost: cost(low), books: new Set(legs(low).map(({ book }) => book)).size };
}

it('given books and exchanges with ladders, then an arbitrage is found where a search of all returns finds one', () => {
  let found = 0;
  fc.assert(
    fc.property(quotes, fc.constantFrom(20, 100, 250), (all, stake) => {
      const best = bestReturn(all, stake);
      // The ladders end before the stake is spent, or two choices are so near that the last digit decides.
      const isWhole = Math.abs(best.cost - stake) < 1e-6;
      const profit = 100 * (best.returned / stake - 1);
      const [one] = findArbitrages('h2h', all, { clock: CLOCK, maxAge: 1000, stake });
      if (one) {
        expect(isWhole).toBe(true);
        expect(profit).toBeGreaterThan(0);
        // What is shown follows from American odds, which are whole numbers.
        expect(Math.abs(one.profit_pct - profit)).toBeLessThan(0.6);
      } else if (isWhole && best.books > 1) expect(profit < 0.6 || profit > 24.4).toBe(true);
      if (one) found++;
    }),
    { numRuns: cases(3000) },
  );
  expect(found).toBeGreaterThan(0);
});
