import { describe, expect, it } from 'vitest';
import { findArbitrages, findMiddle } from '../../../src/intelligence/prices/arbitrage.ts';
import { CLOCK, quote } from './quotes-of.ts';

const options = { clock: CLOCK, maxAge: 900_000 };

describe('an arbitrage', () => {
  it('takes the best price of each outcome, with stakes that return the same', () => {
    const [found, ...others] = findArbitrages(
      'h2h',
      [quote('pinnacle', [110, -120]), quote('fanduel', [-105, 105], null, 30), quote('betmgm', [105, -125])],
      options,
    );
    expect(others).toEqual([]);
    expect(found).toEqual({
      kind: 'arbitrage',
      profit_pct: 3.73,
      middle: null,
      legs: [
        { outcome: 0, book: 'pinnacle', line: null, price: 110, stake_pct: 49.4, quote_age_seconds: 0 },
        { outcome: 1, book: 'fanduel', line: null, price: 105, stake_pct: 50.6, quote_age_seconds: 30 },
      ],
    });
  });

  it('takes a longshot of an exchange whose ladder ends before half of the stake', () => {
    const ladders = [[[0.92, 500]], [[0.15, 40]]] as const;
    const [found] = findArbitrages(
      'h2h',
      [quote('fanduel', [-400, 300]), { ...quote('kalshi', [-1150, 567]), ladders }],
      options,
    );
    expect(found).toMatchObject({ profit_pct: 5.27, legs: [{ stake_pct: 84.22 }, { book: 'kalshi', price: 567 }] });
  });

  it('covers three outcomes with three books', () => {
    const quotes = [quote('a', [200, 100, 150]), quote('b', [100, 220, 150]), quote('c', [100, 100, 230])];
    const [found] = findArbitrages('h2h', quotes, options);
    expect(found!.legs.map(({ book }) => book)).toEqual(['a', 'b', 'c']);
    expect(found!.profit_pct).toBe(5.39);
  });

  it.each([
    ['prices of one book alone', [quote('a', [110, 110]), quote('b', [-110, -110])]],
    ['prices that earn nothing', [quote('a', [110, -130]), quote('b', [-130, -110])]],
    ['a profit beyond 25%', [quote('a', [160, -200]), quote('b', [-200, 160])]],
    ['an aggregate', [quote('consensus', [110, -130]), quote('b', [-130, 110])]],
    ['old quotes', [quote('a', [110, -130], null, 901), quote('b', [-130, 110])]],
    ['different lines', [quote('a', [110, -130], -3), quote('b', [-130, 110], -3.5)]],
  ])('is not made of %s', (_, quotes) => expect(findArbitrages('spreads', quotes, options)).toEqual([]));

  it('takes the newer one of equal prices, then by slug', () => {
    const booksOf = (...quotes: Parameters<typeof quote>[]) =>
      findArbitrages(
        'h2h',
        quotes.map((one) => quote(...one)),
        options,
      )[0]!.legs.map(({ book }) => book);
    expect(booksOf(['a', [110, -130], null, 5], ['b', [110, -130], null, 4], ['c', [-130, 110]])).toEqual(['b', 'c']);
    expect(booksOf(['c', [-130, 110]], ['b', [110, -130]], ['a', [110, -130]])).toEqual(['a', 'c']);
  });

  it('signs lines for the side', () => {
    const [found] = findArbitrages('spreads', [quote('a', [110, -130], -3), quote('b', [-130, 110], -3)], options);
    expect(found!.legs.map(({ line }) => line)).toEqual([-3, 3]);
  });
});

describe('a middle', () => {
  it('is the open interval between two totals', () => {
    const quotes = [quote('a', [-110, -110], 44.5), quote('b', [-110, -110], 47.5), quote('c', [100, -120], 45.5)];
    expect(findMiddle('totals', quotes, options)).toEqual({
      kind: 'middle',
      profit_pct: -4.55,
      middle: [44.5, 47.5],
      legs: [
        { outcome: 0, book: 'a', line: 44.5, price: -110, stake_pct: 50, quote_age_seconds: 0 },
        { outcome: 1, book: 'b', line: 47.5, price: -110, stake_pct: 50, quote_age_seconds: 0 },
      ],
    });
  });

  it('is one of home margins between two spreads', () => {
    // Home -2.5 wins from 3 on, away +3.5 up to 3.
    const found = findMiddle('spreads', [quote('a', [-110, -110], -2.5), quote('b', [-110, -110], -3.5)], options);
    expect([found!.middle, found!.legs.map(({ book, line }) => [book, line])]).toEqual([
      [2.5, 3.5],
      [
        ['a', -2.5],
        ['b', 3.5],
      ],
    ]);
  });

  it('of one width is the one that costs less', () => {
    const quotes = [
      quote('a', [-110, -110], 44),
      quote('b', [-105, -115], 44),
      quote('c', [-110, -110], 46),
      quote('d', [-110, -110], 42),
    ];
    expect(findMiddle('totals', quotes.slice(0, 3), options)!.legs[0]!.book).toBe('b');
    expect(findMiddle('totals', quotes, options)!.middle).toEqual([42, 46]);
  });

  it('loses at most 10%, or earns what is asked for', () => {
    const quotes = [quote('a', [-125, -125], 44), quote('b', [-125, -125], 47)];
    expect(findMiddle('totals', quotes, options)!.profit_pct).toBe(-10);
    expect(findMiddle('totals', [quote('a', [-126, -126], 44), quotes[1]!], options)).toBeNull();
    expect(findMiddle('totals', quotes, { ...options, minProfit: 0 })).toBeNull();
    const cheap = [quote('a', [110, -150], 44), quote('b', [-150, 105], 47)];
    expect(findMiddle('totals', cheap, { ...options, minProfit: 3 })!.profit_pct).toBe(3.73);
  });

  it('is none of moneylines, of one line, or of an aggregate', () => {
    expect(findMiddle('h2h', [quote('a', [-110, -110]), quote('b', [-110, -110])], options)).toBeNull();
    expect(findMiddle('totals', [quote('a', [-110, -110], 44), quote('b', [-110, -110], 44)], options)).toBeNull();
    expect(
      findMiddle('totals', [quote('a', [-110, -110], 44), quote('consensus', [-110, -110], 47)], options),
    ).toBeNull();
  });
});
