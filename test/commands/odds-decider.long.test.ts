import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oddsDecider, type PricesCommand } from '../../commands/odds-decider.ts';
import { odds } from '../../projections/odds/odds.ts';
import { oddsMovements } from '../../projections/odds/odds-movements.ts';
import type { PricedMarket } from '../../src/domain/odds/bookmaker-prices.ts';
import { MAX_MOVEMENTS } from '../../src/domain/odds/line-movements.ts';
import { noMovements, unpackMovements } from '../../src/domain/odds/packed-movements.ts';
import { eventsOf, given } from '../support/given.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const time = (minute: number) => new Date(Date.UTC(2026, 8, 1, 0, minute)).toISOString().replace('.000Z', 'Z');
const market = (more: Partial<PricedMarket>): PricedMarket => ({
  key: 'h2h',
  scope: 'match',
  alternate: false,
  complete: true,
  outcomes: [],
  ...more,
});
const home = (price: number, point?: number) => ({
  outcome: 'home' as const,
  price,
  ...(point === undefined ? {} : { point }),
});
const away = (price: number) => ({ outcome: 'away' as const, price });
const h2h = (price: number, more: Partial<PricedMarket> = {}) => market({ outcomes: [home(price)], ...more });

/** A report of bookmaker `b` on these markets. */
const prices = (minute: number, ...markets: PricedMarket[]): PricesCommand => ({
  identity,
  at: time(minute),
  source: 's',
  content: { bookmaker: 'b', markets },
});
const streamAfter = (...facts: PricesCommand[]) => eventsOf(oddsDecider, ...facts);
/** The documents after these commands, in this order of arrival. */
const bookOf = (...facts: PricesCommand[]) => given(odds, ...streamAfter(...facts)).document!.books['b']!;
const movesOf = (...facts: PricesCommand[]) =>
  unpackMovements(given(oddsMovements, ...streamAfter(...facts)).document ?? noMovements()).map(
    ({ market: key, from, to, pointFrom, pointTo, at }) => [key, from, to, pointFrom, pointTo, at],
  );
const documentsOf = (...facts: PricesCommand[]) => {
  const events = streamAfter(...facts);
  return [given(odds, ...events).document, given(oddsMovements, ...events).document];
};

describe('prices', () => {
  it('given prices, when they are repeated, then the record is compact, and they were captured later', () => {
    const [one, again] = [prices(1, h2h(-110)), prices(2, h2h(-110))];
    const data = { at: time(2), source: 's', of: 0, bookmaker: 'b', ...identity };
    given(oddsDecider, ...streamAfter(one))
      .when(again)
      .then([{ type: 'PricesReconfirmed', version: 1, data, meta: { partition: 'event-1' } }]);
    expect(bookOf(one, again).capturedAt).toBe(time(2));
    for (const known of [again, one])
      given(oddsDecider, ...streamAfter(one, again))
        .when(known)
        .thenNothing();
  });

  it('given markets, when a message has others, then the first stay', () => {
    const totals = market({ key: 'totals', outcomes: [{ outcome: 'over', price: 100, point: 40 }] });
    const { markets } = bookOf(prices(1, h2h(-110)), prices(2, totals));
    expect(Object.keys(markets)).toEqual(['h2h', 'totals']);
  });

  it('given two outcomes, when one is named, then the other is withdrawn, unless the market is not complete', () => {
    const facts = [
      prices(1, market({ outcomes: [home(-110), away(-105)] })),
      prices(2, market({ outcomes: [home(-120)], complete: false })),
      prices(3, market({ outcomes: [home(-120)] })),
      prices(4, market({ outcomes: [] })),
    ];
    expect(bookOf(...facts.slice(0, 2)).markets).toEqual({ h2h: [home(-120), away(-105)] });
    expect(bookOf(...facts.slice(0, 3)).markets).toEqual({ h2h: [home(-120)] });
    expect(bookOf(...facts).markets).toEqual({});
  });

  it('given alternate lines, when an incomplete message has one, then the point identifies it', () => {
    const rungs = { key: 'spreads', alternate: true };
    const { markets } = bookOf(
      prices(1, market({ ...rungs, outcomes: [home(-110, -3), home(100, -4)] })),
      prices(2, market({ ...rungs, complete: false, outcomes: [home(-115, -3), home(120, -5)] })),
    );
    expect(markets).toEqual({ 'spreads+': [home(-115, -3), home(100, -4), home(120, -5)] });
  });

  it('given newer prices, when older ones come, then they do not show', () => {
    const { markets, capturedAt } = bookOf(
      prices(3, h2h(-110)),
      prices(1, h2h(-130), market({ key: 'totals', outcomes: [{ outcome: 'over', price: 100, point: 40 }] })),
    );
    expect(markets).toMatchObject({ h2h: [home(-110)], totals: [{ price: 100 }] });
    expect(capturedAt).toBe(time(3));
  });
});

describe('movements', () => {
  const fromAndTo = (...facts: PricesCommand[]) => movesOf(...facts).map(([, from, to]) => [from, to]);

  it('given an opening price, then there is no movement; given another price, there is one', () => {
    expect(movesOf(prices(1, h2h(-110)))).toEqual([]);
    expect(movesOf(prices(1, h2h(-110)), prices(2, h2h(-120)))).toEqual([['h2h', -110, -120, null, null, time(2)]]);
  });

  it('given a withdrawal, when the same price returns, then there is no movement; another price moves from the last one', () => {
    const withdrawal = market({ outcomes: [] });
    const back = [prices(1, h2h(-110)), prices(2, withdrawal), prices(3, h2h(-110))];
    expect(movesOf(...back)).toEqual([]);
    expect(movesOf(...back, prices(4, withdrawal), prices(5, h2h(-125)))).toEqual([
      ['h2h', -110, -125, null, null, time(5)],
    ]);
  });

  it('given two prices, when a late one comes between them, then both movements are recomputed', () => {
    expect(fromAndTo(prices(1, h2h(-110)), prices(5, h2h(-120)), prices(3, h2h(-115)))).toEqual([
      [-110, -115],
      [-115, -120],
    ]);
  });

  it('given a movement, when a late price cancels it, then it is removed', () => {
    expect(fromAndTo(prices(1, h2h(-110)), prices(3, h2h(-120)), prices(0, h2h(-120)))).toEqual([
      [-120, -110],
      [-110, -120],
    ]);
  });

  it('given a repetition, when a late price comes before it, then the repetition is a movement', () => {
    const moves = movesOf(prices(1, h2h(-110)), prices(5, h2h(-110)), prices(3, h2h(-130)));
    expect(moves.map(([, from, to, , , at]) => [from, to, at])).toEqual([
      [-110, -130, time(3)],
      [-130, -110, time(5)],
    ]);
  });

  it('counts a changed point as a movement; ignores alternate lines, other scopes and props', () => {
    const spread = (point: number, more: Partial<PricedMarket> = {}) =>
      market({ key: 'spreads', outcomes: [home(-110, point)], ...more });
    const spreads = (point: number) => [
      spread(point),
      spread(point, { alternate: true }),
      spread(point, { scope: '1H' }),
      spread(point, { key: 'passing_yards' }),
    ];
    expect(movesOf(prices(1, ...spreads(-3)), prices(2, ...spreads(-4)))).toEqual([
      ['spreads', -110, -110, -3, -4, time(2)],
    ]);
  });

  it('given a moneyline, when a source sends a point, then it is no movement', () => {
    const withPoint = market({ outcomes: [home(-110, 0)] });
    expect(movesOf(prices(1, market({ outcomes: [home(-110)] })), prices(2, withPoint))).toEqual([]);
  });

  it('given a message with an outcome twice, then the last one counts, and a line does not move within a message', () => {
    const twice = (minute: number) =>
      prices(minute, market({ key: 'spreads', outcomes: [home(-110), home(-110, -3)] }));
    const other = prices(2, market({ key: 'spreads', outcomes: [home(-115, -4)] }));
    expect(movesOf(twice(0), twice(1))).toEqual([]);
    expect(movesOf(twice(0), other)).toEqual([['spreads', -110, -115, -3, -4, time(2)]]);
  });

  it(`keeps the newest ${MAX_MOVEMENTS}, late ones too`, () => {
    const facts = Array.from({ length: MAX_MOVEMENTS + 21 }, (_, n) => prices(n * 2, h2h(100 + n)));
    expect(movesOf(...facts)).toHaveLength(MAX_MOVEMENTS);
    const moves = movesOf(...facts, prices(201, h2h(900)));
    expect(moves).toHaveLength(MAX_MOVEMENTS);
    expect(moves.at(-1)).toEqual([
      'h2h',
      100 + MAX_MOVEMENTS + 19,
      100 + MAX_MOVEMENTS + 20,
      null,
      null,
      time(2 * (MAX_MOVEMENTS + 20)),
    ]);
  });
});

it('given a message that names a market twice, then that repeats nothing, whatever came before', () => {
  const rung = market({ key: 'spreads', complete: false, alternate: true, outcomes: [home(-110)] });
  const none = market({ key: 'spreads', complete: false, alternate: true, outcomes: [] });
  const before = prices(0, market({ key: 'h2h', complete: false, alternate: false, outcomes: [] }));
  expect(bookOf(before, prices(1, rung, none))).not.toHaveProperty('repeated');
  expect(bookOf(prices(1, rung, none), before)).not.toHaveProperty('repeated');
});

it('given prices in any order, then prices and movements are the same', () => {
  const outcome = fc.constantFrom(home(-110), home(-120), away(100), home(-110, -3));
  const one = fc.record({
    key: fc.constantFrom('h2h', 'spreads'),
    complete: fc.boolean(),
    alternate: fc.boolean(),
    outcomes: fc.array(outcome, { maxLength: 2 }),
  });
  const told = fc.tuple(fc.nat({ max: 8 }), fc.array(one, { minLength: 1, maxLength: 2 }));
  const orders = fc
    .array(told, { minLength: 2, maxLength: 10 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(orders, ([first, second]) => {
      const [one, other] = [first, second].map((all) =>
        all.map(([minute, markets]) => prices(minute, ...markets.map(market))),
      );
      expect(documentsOf(...other!)).toEqual(documentsOf(...one!));
    }),
    { numRuns: 500 },
  );
});
