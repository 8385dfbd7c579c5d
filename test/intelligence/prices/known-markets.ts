import fc from 'fast-check';
import type { PriceUpdate } from '../../../src/intelligence/prices/quote-board.ts';

/** Generated moneylines whose truth is known: who repeats, who moves, and which row is impossible. */

const MINUTE = 60_000;
const BOOKS = ['pinnacle', 'circa', 'fanduel', 'betmgm', 'bovada', 'caesars'];

/** The American price of an implied probability. */
export const americanOf = (implied: number): number =>
  Math.round(implied >= 0.5 ? (-100 * implied) / (1 - implied) : (100 * (1 - implied)) / implied);

export const moneylineOf = (at: number, bookmaker: string, home: number, margin = 0.04): PriceUpdate => ({
  at,
  bookmaker,
  markets: [
    {
      key: 'h2h',
      scope: 'match',
      alternate: false,
      complete: true,
      outcomes: [
        { outcome: 'home', price: americanOf(home + margin / 2) },
        { outcome: 'away', price: americanOf(1 - home + margin / 2) },
      ],
    },
  ],
});

export interface KnownMarket {
  readonly books: readonly string[];
  /** In order of time, before the impossible row. Each book has a price in each minute; no two lie far apart. */
  readonly before: readonly PriceUpdate[];
  /** A price of one book far outside those of all others. */
  readonly impossible: PriceUpdate;
  /** What the impossible price of the home side would be worth. */
  readonly home: number;
  /** The probability of the home side as the books had it last. */
  readonly truth: number;
}

/** A market of several books that move in small steps, then one row that cannot be. */
export const knownMarket: fc.Arbitrary<KnownMarket> = fc
  .record({
    size: fc.integer({ min: 3, max: BOOKS.length }),
    start: fc.double({ min: 0.35, max: 0.65, noNaN: true }),
    steps: fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 1, maxLength: 12 }),
    noises: fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 6, maxLength: 6 }),
    wrong: fc.nat(BOOKS.length - 1),
    isShorter: fc.boolean(),
    gap: fc.double({ min: 0.12, max: 0.25, noNaN: true }),
  })
  .map(({ size, start, steps, noises, wrong, isShorter, gap }) => {
    const books = BOOKS.slice(0, size);
    const before: PriceUpdate[] = [];
    let truth = start;
    for (const [minute, step] of steps.entries()) {
      truth = Math.min(0.7, Math.max(0.3, truth + step));
      for (const [place, book] of books.entries()) {
        before.push(moneylineOf(minute * MINUTE + place, book, truth + noises[place]!));
      }
    }
    const home = isShorter ? truth + gap : truth - gap;
    const impossible = moneylineOf(steps.length * MINUTE, books[wrong % size]!, home);
    return { books, before, impossible, home, truth };
  });
