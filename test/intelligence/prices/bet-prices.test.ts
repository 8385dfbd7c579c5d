import { describe, expect, it } from 'vitest';
import { computeBetPrices } from '../../../src/intelligence/prices/bet-prices.ts';
import { type Quote, type QuotedMarket, quoteOf } from '../../../src/intelligence/prices/quotes.ts';
import { CLOCK, quote, weightOf } from './quotes-of.ts';

const priced = (market: QuotedMarket, quotes: readonly Quote[], outcomes = 2) =>
  computeBetPrices(market, quotes, outcomes, { clock: CLOCK, weightOf });

describe('the fair price', () => {
  it('is the view of one reference book, which is no consensus', () => {
    const [home, away] = priced('h2h', [quote('pinnacle', [-150, 130]), quote('fanduel', [-140, 120])]);
    expect(home!.fair).toEqual({ probability: 0.582712, books: ['pinnacle'], n_books: 1, is_consensus: false });
    expect(away!.fair!.probability).toBe(0.417288);
  });

  it('is the mean of reference books by weight, pinnacle three times', () => {
    const [home] = priced('h2h', [quote('lowvig', [-110, -110]), quote('pinnacle', [-150, 130])]);
    // Odds of 1.396428 to the power of 3/4, beside even ones.
    const odds = 1.3964283 ** 0.75;
    expect(home!.fair).toMatchObject({ books: ['pinnacle', 'lowvig'], n_books: 2, is_consensus: true });
    expect(home!.fair!.probability).toBeCloseTo(odds / (1 + odds), 6);
  });

  it('counts a quote for 75 minutes', () => {
    const at = (age: number) => priced('h2h', [quote('pinnacle', [-150, 130], null, age)])[0]!;
    expect([at(4500).fair?.n_books, at(4501).fair, at(4501).market.book]).toEqual([1, null, null]);
  });

  it.each([
    [[105, 100], false],
    [[100, 100], true],
    [[-138, -138], false],
    [[-135, -135], true],
  ])('of %j rests on the quote: %s', (prices, counts) => {
    expect(priced('h2h', [quote('pinnacle', prices)])[0]!.fair !== null).toBe(counts);
  });

  it('accepts a margin of 20% on three outcomes', () => {
    expect(priced('h2h', [quote('pinnacle', [150, 150, 150])], 3)[0]!.fair!.probability).toBe(0.333334);
    expect(priced('h2h', [quote('pinnacle', [149, 149, 149])], 3)[0]!.fair).toBeNull();
  });

  it('uses three soft books if no reference book quotes, and then compares none', () => {
    const soft = ['betmgm', 'caesars', 'fanduel'].map((book) => quote(book, [-120, 100]));
    const [home] = priced('h2h', soft);
    expect(home).toMatchObject({ fair: { n_books: 3, is_consensus: true }, edges_by_book: null, best: null, ev: null });
    expect(priced('h2h', soft.slice(1))[0]!).toMatchObject({ fair: null, market: { book: 'caesars', price: -120 } });
  });
});

describe('the main line', () => {
  it('is that of the greatest weight; quotes at other lines do not count', () => {
    const [home, away] = priced('spreads', [
      quote('pinnacle', [-110, -110], -3.5),
      quote('circa', [-110, -110], -3),
      quote('fanduel', [150, -180], -3),
      quote('betmgm', [-105, -115], -3.5),
    ]);
    expect([home!.market, away!.market]).toEqual([
      { book: 'pinnacle', price: -110, line: -3.5 },
      { book: 'pinnacle', price: -110, line: 3.5 },
    ]);
    expect(home!.edges_by_book).toEqual({ betmgm: -0.012195 });
  });

  it('is the smaller one of equals, in size and then by sign', () => {
    const lineOf = (...lines: number[]) =>
      priced(
        'spreads',
        lines.map((line, index) => quote(['betonline', 'lowvig'][index]!, [-110, -110], line)),
      )[0]!.market.line;
    expect([lineOf(-3.5, -3), lineOf(2.5, -2.5), lineOf(-2.5, 2.5)]).toEqual([-3, -2.5, -2.5]);
  });

  it('is that of most soft books if there is no reference book', () => {
    const [over, under] = priced('totals', [
      quote('betmgm', [-110, -110], 47),
      quote('caesars', [-110, -110], 46.5),
      quote('fanduel', [-110, -110], 46.5),
    ]);
    expect([over!.market.line, under!.market.line, over!.fair]).toEqual([46.5, 46.5, null]);
  });
});

describe('prices compared with the fair price', () => {
  const even = quote('pinnacle', [-105, -105]);

  it('show the greatest gap, even if it is negative', () => {
    const [home] = priced('h2h', [even, quote('fanduel', [-120, 100], null, 60), quote('betmgm', [-110, -110])]);
    expect(home!.edges_by_book).toEqual({ betmgm: -0.02381, fanduel: -0.045455 });
    expect([home!.best, home!.ev]).toEqual([
      { book: 'betmgm', price: -110, edge: -0.02381, quote_age_seconds: 0 },
      null,
    ]);
  });

  it('of one size show the newer one, then by slug', () => {
    const bookOf = (...quotes: Quote[]) => priced('h2h', [even, ...quotes])[0]!.ev!.book;
    expect(bookOf(quote('betmgm', [105, -125], null, 61), quote('fanduel', [105, -125], null, 60))).toBe('fanduel');
    expect(bookOf(quote('fanduel', [105, -125]), quote('betmgm', [105, -125]))).toBe('betmgm');
  });

  it('have an EV and the full Kelly stake', () => {
    const [home] = priced('h2h', [even, quote('fanduel', [105, -125], null, 90.7)]);
    expect(home!.ev).toEqual({
      beta: true,
      book: 'fanduel',
      price: 105,
      ev_pct: 2.5,
      kelly_fraction: 0.0238,
      quote_age_seconds: 90,
      n_books: 1,
    });
  });

  it('drop an EV beyond 25, and the next one counts', () => {
    const [home] = priced('h2h', [even, quote('betmgm', [151, -190]), quote('fanduel', [105, -125])]);
    expect([home!.best!.book, home!.ev!.book]).toEqual(['betmgm', 'fanduel']);
    expect(priced('h2h', [even, quote('betmgm', [150, -190])])[0]!.ev!.ev_pct).toBe(25);
    expect(priced('h2h', [even, quote('betmgm', [100, -120])])[0]!.ev).toBeNull();
  });

  it('leave references out, and the aggregate', () => {
    const [home] = priced('h2h', [even, quote('consensus', [110, -130]), quote('circa', [110, -130])]);
    expect([home!.edges_by_book, home!.best, home!.fair!.books]).toEqual([
      null,
      null,
      ['pinnacle', 'circa', 'consensus'],
    ]);
  });
});

describe('a quote', () => {
  const at = CLOCK;
  const over = { outcome: 'over', price: -110, point: 47 } as const;
  const under = { outcome: 'under', price: -110, point: 47 } as const;

  it('has a price for each outcome and no other', () => {
    const home = { outcome: 'home', price: 120 } as const;
    const away = { outcome: 'away', price: -140 } as const;
    const draw = { outcome: 'draw', price: 250 } as const;
    const of = (hasDraw: boolean, outcomes: Parameters<typeof quoteOf>[3]['outcomes']) =>
      quoteOf('h2h', hasDraw, 'fanduel', { outcomes, at, isRepeated: true })?.prices;
    expect(of(false, [away, home])).toEqual([120, -140]);
    expect([of(false, [home]), of(false, [home, away, draw]), of(true, [home, away])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(of(true, [draw, home, away])).toEqual([120, -140, 250]);
  });

  it('has one total, or opposite points', () => {
    const total = (...outcomes: Parameters<typeof quoteOf>[3]['outcomes']) =>
      quoteOf('totals', false, 'fanduel', { outcomes, at, isRepeated: true })?.line;
    expect([total(over, under), total(over, { ...under, point: 47.5 }), total(over)]).toEqual([
      47,
      undefined,
      undefined,
    ]);
    const spread = (first: number, second: number) =>
      quoteOf('spreads', false, 'fanduel', {
        outcomes: [
          { outcome: 'player_1', price: -110, point: first },
          { outcome: 'player_2', price: -110, point: second },
        ],
        at,
        isRepeated: true,
      })?.line;
    expect([spread(-3.5, 3.5), spread(-0, 0), spread(-3.5, 3), spread(3, 3)]).toEqual([-3.5, 0, undefined, undefined]);
  });
});
