import fc from 'fast-check';
import { expect, it } from 'vitest';
import { removeVig } from '../../../src/domain/odds/remove-vig.ts';
import { findArbitrages, findMiddle } from '../../../src/intelligence/prices/arbitrage.ts';
import { computeBetPrices } from '../../../src/intelligence/prices/bet-prices.ts';
import { impliedProbability } from '../../../src/intelligence/prices/odds-arithmetic.ts';
import type { Quote } from '../../../src/intelligence/prices/quotes.ts';
import { cases } from '../../support/cases.ts';
import { type AnyMarket, anyMarket } from './any-market.ts';
import { CLOCK, weightOf } from './quotes-of.ts';

const options = { clock: CLOCK, weightOf };
const priced = ({ market, outcomes }: AnyMarket, quotes: readonly Quote[]) =>
  computeBetPrices(market, quotes, outcomes, options);
const many = { numRuns: cases(2000) };
const millionths = (probability: number): number => Math.round(probability * 1e6);

it('probabilities of a market sum to exactly 1, within their bounds', () => {
  fc.assert(
    fc.property(anyMarket, (any) => {
      const shown = priced(any, any.quotes).flatMap(({ fair }) => fair?.probability ?? []);
      if (shown.length === 0) return;
      expect(shown.map(millionths).reduce((sum, part) => sum + part, 0)).toBe(1_000_000);
      for (const probability of shown) expect(probability >= 0.0001 && probability <= 0.9999).toBe(true);
    }),
    many,
  );
});

it('the order of quotes changes nothing', () => {
  const shuffled = anyMarket.chain((any) =>
    fc.tuple(fc.constant(any), fc.shuffledSubarray([...any.quotes], { minLength: any.quotes.length })),
  );
  fc.assert(
    fc.property(shuffled, ([any, other]) => {
      expect(priced(any, other)).toEqual(priced(any, any.quotes));
      const crossing = { clock: CLOCK, maxAge: 900_000 };
      const byLine = (quotes: readonly Quote[]) =>
        new Map(findArbitrages(any.market, quotes, crossing).map((crossed) => [crossed.legs[0]!.line, crossed]));
      expect(byLine(other)).toEqual(byLine(any.quotes));
      if (any.outcomes === 2) {
        expect(findMiddle(any.market, other, crossing)).toEqual(findMiddle(any.market, any.quotes, crossing));
      }
    }),
    many,
  );
});

it('stale quotes and those off the main line never affect the fair price, and are never compared with it', () => {
  fc.assert(
    fc.property(anyMarket, (any) => {
      const bets = priced(any, any.quotes);
      const [first] = bets;
      const { line } = first!.market;
      const bySlug = new Map(any.quotes.map((quote) => [quote.book, quote]));
      const named = bets.flatMap(({ fair, edges_by_book: gaps, best, ev, market }) => [
        ...(fair?.books ?? []),
        ...Object.keys(gaps ?? {}),
        ...[best?.book, ev?.book, market.book].flatMap((book) => book ?? []),
      ]);
      for (const book of named) {
        const quote = bySlug.get(book)!;
        expect([CLOCK - quote.at <= 4_500_000, quote.line]).toEqual([true, line]);
      }
      // Without these quotes nothing changes.
      const counted = any.quotes.filter((quote) => CLOCK - quote.at <= 4_500_000 && quote.line === line);
      if (first!.fair) expect(priced(any, counted)).toEqual(bets);
    }),
    many,
  );
});

it('every EV is above 0 and at most 25, and no book is compared with itself', () => {
  fc.assert(
    fc.property(anyMarket, (any) => {
      for (const { fair, ev, edges_by_book: gaps, best } of priced(any, any.quotes)) {
        if (ev) {
          expect(ev.ev_pct > 0 && ev.ev_pct <= 25).toBe(true);
          expect(ev.kelly_fraction >= 0 && ev.kelly_fraction <= 1).toBe(true);
        }
        for (const book of [...Object.keys(gaps ?? {}), ...(best ? [best.book] : [])]) {
          expect(fair!.books).not.toContain(book);
          expect(weightOf(book)).toBe(0);
        }
      }
    }),
    many,
  );
});

it('removing a margin keeps the order of the probabilities, whatever the order of outcomes', () => {
  fc.assert(
    fc.property(anyMarket, (any) => {
      for (const { prices } of any.quotes) {
        const implied = prices.map(impliedProbability);
        const sum = implied.reduce((one, other) => one + other, 0);
        if (sum < 1 || sum > 1.2) continue;
        const fair = removeVig(implied);
        expect(Math.abs(fair.reduce((one, other) => one + other, 0) - 1)).toBeLessThan(1e-11);
        for (const [index, one] of fair.entries()) {
          expect(one).toBeLessThanOrEqual(implied[index]! + 1e-12);
          for (const [place, other] of fair.entries()) {
            if (implied[index]! > implied[place]! + 1e-9) expect(one).toBeGreaterThan(other);
          }
        }
        const turned = removeVig([...implied].reverse()).reverse();
        for (const [index, one] of turned.entries()) expect(one).toBeCloseTo(fair[index]!, 11);
      }
    }),
    many,
  );
});
