import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeBetPrices, MAX_EV } from '../../../src/intelligence/prices/bet-prices.ts';
import { computeFairLine } from '../../../src/intelligence/prices/fair-line.ts';
import { createEdgesOfList } from '../../../src/intelligence/prices/listed-edges.ts';
import { decimalOdds, evPercent } from '../../../src/intelligence/prices/odds-arithmetic.ts';
import { MAX_QUOTE_AGE } from '../../../src/intelligence/prices/quotes.ts';
import { type AnyMarket, anyMarket } from './any-market.ts';
import { CLOCK, quote, weightOf } from './quotes-of.ts';

const BOOKS = ['pinnacle', 'circa', 'betonline', 'lowvig', 'consensus', 'fanduel', 'draftkings', 'betmgm', 'caesars'];
const anyList = fc.record({
  books: fc.subarray(BOOKS).map((books) => new Set(books)),
  maxAge: fc.constantFrom(1, 60, 900, 4500).map((seconds) => seconds * 1000),
});
type List = { readonly books: ReadonlySet<string>; readonly maxAge: number };

const edgesOf = ({ market, quotes, outcomes }: AnyMarket, list: List) =>
  createEdgesOfList(market, quotes, outcomes, { clock: CLOCK, weightOf })(list);

describe('edges under a list of books', () => {
  it('are of a listed book alone, by the fair price of the other reference books, and the best there is', () => {
    fc.assert(
      fc.property(anyMarket, anyList, (any, list) => {
        const fresh = any.quotes.filter(({ at }) => CLOCK - at <= MAX_QUOTE_AGE);
        const main = computeFairLine(fresh, weightOf);
        const onLine = fresh.filter(({ line }) => line === main?.line);
        const young = onLine.filter(({ at, book }) => CLOCK - at <= list.maxAge && book !== 'consensus');
        for (const [outcome, edge] of edgesOf(any, list).entries()) {
          // Every listed book by itself, the slow way.
          const values = young.flatMap(({ book, prices }) => {
            if (!list.books.has(book) || !main?.fair?.isFromSharpBooks) return [];
            const others = onLine.filter((one) => weightOf(one.book) > 0 && one.book !== book);
            const fair = computeFairLine(others, weightOf)?.fair;
            if (!fair) return [];
            const percent = evPercent(fair.probabilities[outcome]!, prices[outcome]!);
            return percent > 0 && percent <= MAX_EV ? [{ book, percent, fair, price: prices[outcome]! }] : [];
          });
          const most = Math.max(...values.map(({ percent }) => percent));
          expect(edge === null).toBe(values.length === 0);
          if (!edge) continue;
          const own = values.find(({ book }) => book === edge.ev.book)!;
          expect(edge.ev).toMatchObject({ ev_pct: most, price: own.price, n_books: own.fair.books.length });
          expect(own.percent).toBe(most);
          expect(own.fair.books).not.toContain(edge.ev.book);
          expect(edge.fairProbability).toBe(own.fair.probabilities[outcome]);
          expect(edge.ev.quote_age_seconds * 1000).toBeLessThanOrEqual(list.maxAge);
          const better = young.filter(
            ({ book, prices }) => !list.books.has(book) && decimalOdds(prices[outcome]!) > decimalOdds(own.price),
          );
          expect(edge.betterElsewhere).toBe(better.length);
        }
      }),
    );
  });

  it('are those without a list, where the list has every soft book and prices may be as old', () => {
    fc.assert(
      fc.property(anyMarket, (any) => {
        const books = new Set(BOOKS.filter((book) => weightOf(book) === 0));
        const { market, quotes, outcomes } = any;
        const all = computeBetPrices(market, quotes, outcomes, { clock: CLOCK, weightOf });
        const edges = edgesOf(any, { books, maxAge: MAX_QUOTE_AGE });
        expect(edges.map((edge) => edge?.ev ?? null)).toEqual(all.map(({ ev }) => ev));
      }),
    );
  });

  it('have no row for a reference book that stands alone', () => {
    const quotes = [quote('pinnacle', [-105, -105]), quote('fanduel', [105, -125]), quote('betmgm', [108, -130])];
    const of = (...books: string[]) =>
      edgesOf({ market: 'h2h', outcomes: 2, quotes }, { books: new Set(books), maxAge: 900_000 });
    expect(of('pinnacle')).toEqual([null, null]);
    expect(of('fanduel')[0]).toMatchObject({ ev: { book: 'fanduel', n_books: 1 }, betterElsewhere: 1 });
  });
});
