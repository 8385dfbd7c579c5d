import fc from 'fast-check';
import type { PriceUpdate } from '../../src/intelligence/prices/quote-board.ts';
import { QUOTED_MARKETS } from '../../src/intelligence/prices/quotes.ts';

export const MINUTE = 60_000;
export const CLOSES_AT = 300 * MINUTE;
const WEIGHTS: Readonly<Record<string, number>> = { pinnacle: 3, circa: 2 };
export const betsOptions = { sport: 'nfl', closesAt: CLOSES_AT, weightOf: (book: string) => WEIGHTS[book] ?? 0 };
export const BOOKS = ['pinnacle', 'circa', 'fanduel', 'betmgm', 'bovada'];

const price = fc.integer({ min: 0, max: 30 }).map((step) => (step < 15 ? -115 + step : 86 + step));
const outcomes = {
  h2h: fc.tuple(price, price).map(([home, away]) => [
    { outcome: 'home' as const, price: home },
    { outcome: 'away' as const, price: away },
  ]),
  spreads: fc.tuple(price, price, fc.constantFrom(-3.5, -3, 3)).map(([home, away, point]) => [
    { outcome: 'home' as const, price: home, point },
    { outcome: 'away' as const, price: away, point: -point },
  ]),
  totals: fc.tuple(price, price, fc.constantFrom(46.5, 47)).map(([over, under, point]) => [
    { outcome: 'over' as const, price: over, point },
    { outcome: 'under' as const, price: under, point },
  ]),
};
const anyMarket = fc
  .constantFrom(...QUOTED_MARKETS)
  .chain((key) =>
    fc
      .oneof({ weight: 6, arbitrary: outcomes[key] }, { weight: 1, arbitrary: fc.constant([]) })
      .map((told) => ({ key, scope: 'match' as const, alternate: false, complete: true, outcomes: told })),
  );
/** Each book has one update at a moment. */
export const anyStory = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 330 }).map((minute) => minute * MINUTE),
      bookmaker: fc.constantFrom(...BOOKS),
      markets: fc.uniqueArray(anyMarket, { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
    }),
    { maxLength: 40, selector: ({ at, bookmaker }) => `${at} ${bookmaker}` },
  )
  .map((story): readonly PriceUpdate[] => story);
