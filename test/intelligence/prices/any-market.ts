import fc from 'fast-check';
import type { Quote, QuotedMarket } from '../../../src/intelligence/prices/quotes.ts';
import { CLOCK } from './quotes-of.ts';

export interface AnyMarket {
  readonly market: QuotedMarket;
  readonly outcomes: number;
  readonly quotes: readonly Quote[];
}

const BOOKS = ['pinnacle', 'circa', 'betonline', 'lowvig', 'consensus', 'fanduel', 'draftkings', 'betmgm', 'caesars'];

/** The American price of a probability with a margin, as books write them. */
function priceOf(probability: number): number {
  const odds = (1 - probability) / probability;
  const price = odds >= 1 ? Math.round(100 * odds) : -Math.round(100 / odds);
  return Math.max(-1_000_000, Math.min(1_000_000, price));
}

/** Prices of books with similar views of an event, with margins from none to too large. */
const prices = (chances: readonly number[]) =>
  fc
    .record({
      margin: fc.integer({ min: -20, max: 180 }),
      tilts: fc.array(fc.integer({ min: -60, max: 60 }), { minLength: chances.length, maxLength: chances.length }),
    })
    .map(({ margin, tilts }) => {
      const tilted = chances.map((chance, index) => chance * (1 + tilts[index]! / 1000));
      const sum = tilted.reduce((one, other) => one + other, 0);
      return tilted.map((chance) => priceOf(Math.min(0.999, (chance / sum) * (1 + margin / 1000))));
    });

const LINES: Readonly<Record<QuotedMarket, readonly (number | null)[]>> = {
  h2h: [null],
  spreads: [-3.5, -3, -3, 3, 0],
  totals: [46.5, 47, 47],
};

/** One market with quotes of some books, one each, fresh and stale. */
export const anyMarket: fc.Arbitrary<AnyMarket> = fc
  .record({
    market: fc.constantFrom<QuotedMarket>('h2h', 'spreads', 'totals'),
    books: fc.uniqueArray(fc.constantFrom(...BOOKS), { maxLength: BOOKS.length }),
    hasDraw: fc.boolean(),
    weights: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
  })
  .chain(({ market, books, hasDraw, weights }) => {
    const outcomes = market === 'h2h' && hasDraw ? 3 : 2;
    const parts = weights.slice(0, outcomes);
    const sum = parts.reduce((one, other) => one + other, 0);
    const chances = parts.map((part) => part / sum);
    const quotes = books.map((book) =>
      fc.record({
        book: fc.constant(book),
        prices: prices(chances),
        line: fc.constantFrom(...LINES[market]),
        at: fc.constantFrom(0, 60, 60, 899, 900, 901, 4500, 4501).map((age) => CLOCK - age * 1000),
      }),
    );
    return fc.tuple(...quotes).map((all) => ({ market, outcomes, quotes: all }));
  });
