import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePrices, evolveOdds, initialOdds } from '../../commands/odds/decider.ts';
import { type OddsDocument, odds } from '../../projections/odds.ts';
import { type MovementsDocument, oddsMovements } from '../../projections/odds-movements.ts';
import { MOVEMENTS_KEPT } from '../../src/domain/movements.ts';
import type { PricedMarket } from '../../src/domain/prices.ts';
import { newStream } from './stream.ts';

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

function newBook() {
  const stream = newStream(initialOdds, evolveOdds);
  let document: OddsDocument | undefined;
  let movements: MovementsDocument | undefined;
  return {
    stream,
    markets: () => document?.books['b']?.markets,
    capturedAt: () => document?.books['b']?.capturedAt,
    moves: () =>
      (movements?.movements ?? []).map(({ market: key, from, to, pointFrom, pointTo, at }) => [
        key,
        from,
        to,
        pointFrom,
        pointTo,
        at,
      ]),
    document: () => ({ document, movements }),
    tell(minute: number, ...markets: PricedMarket[]) {
      const fact = { identity, at: time(minute), source: 's', content: { bookmaker: 'b', markets } };
      const records = stream.decide((state) => decidePrices(fact, state));
      for (const record of records) {
        document = odds.apply(document, structuredClone(record));
        if (record.type === 'PricesChanged') movements = oddsMovements.apply(movements, structuredClone(record));
      }
      return records.map(({ type }) => type);
    },
  };
}

describe('prices', () => {
  it('given prices, when they are repeated, then the record is compact, and they were captured later', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    expect(book.tell(2, h2h(-110))).toEqual(['PricesReconfirmed']);
    expect(book.stream.records.at(-1)!.data).not.toHaveProperty('content');
    expect(book.capturedAt()).toBe(time(2));
    expect(book.tell(2, h2h(-110))).toEqual([]);
    expect(book.tell(1, h2h(-110))).toEqual([]);
  });

  it('given markets, when others are named, then the first stay', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    book.tell(2, market({ key: 'totals', outcomes: [{ outcome: 'over', price: 100, point: 40 }] }));
    expect(Object.keys(book.markets()!)).toEqual(['h2h', 'totals']);
  });

  it('given two outcomes, when one is named, then the other is withdrawn, unless the market is not complete', () => {
    const book = newBook();
    book.tell(1, market({ outcomes: [home(-110), away(-105)] }));
    book.tell(2, market({ outcomes: [home(-120)], complete: false }));
    expect(book.markets()).toEqual({ h2h: [home(-120), away(-105)] });
    book.tell(3, market({ outcomes: [home(-120)] }));
    expect(book.markets()).toEqual({ h2h: [home(-120)] });
    book.tell(4, market({ outcomes: [] }));
    expect(book.markets()).toEqual({});
  });

  it('given rungs, when one is named that is not complete, then the point tells which it is', () => {
    const book = newBook();
    const rungs = { key: 'spreads', alternate: true };
    book.tell(1, market({ ...rungs, outcomes: [home(-110, -3), home(100, -4)] }));
    book.tell(2, market({ ...rungs, complete: false, outcomes: [home(-115, -3), home(120, -5)] }));
    expect(book.markets()).toEqual({ 'spreads+': [home(-115, -3), home(100, -4), home(120, -5)] });
  });

  it('given newer prices, when older ones come, then they change nothing that shows', () => {
    const book = newBook();
    book.tell(3, h2h(-110));
    book.tell(1, h2h(-130), market({ key: 'totals', outcomes: [{ outcome: 'over', price: 100, point: 40 }] }));
    expect(book.markets()).toMatchObject({ h2h: [home(-110)], totals: [{ price: 100 }] });
    expect(book.capturedAt()).toBe(time(3));
  });
});

describe('movements', () => {
  it('given an opening price, then there is none; given another one, there is one', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    expect(book.moves()).toEqual([]);
    book.tell(2, h2h(-120));
    expect(book.moves()).toEqual([['h2h', -110, -120, null, null, time(2)]]);
  });

  it('given a withdrawal, when the same price comes back, then it is none; another one moves from the last', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    book.tell(2, market({ outcomes: [] }));
    book.tell(3, h2h(-110));
    expect(book.moves()).toEqual([]);
    book.tell(4, market({ outcomes: [] }));
    book.tell(5, h2h(-125));
    expect(book.moves()).toEqual([['h2h', -110, -125, null, null, time(5)]]);
  });

  it('given two prices, when a late one lies between, then its neighbours are linked anew', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    book.tell(5, h2h(-120));
    book.tell(3, h2h(-115));
    expect(book.moves().map(([, from, to]) => [from, to])).toEqual([
      [-110, -115],
      [-115, -120],
    ]);
  });

  it('given a movement, when a late price makes it none, then it is gone', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    book.tell(3, h2h(-120));
    book.tell(0, h2h(-120));
    expect(book.moves().map(([, from, to]) => [from, to])).toEqual([
      [-120, -110],
      [-110, -120],
    ]);
  });

  it('given a repetition, when a late price lies before it, then the repetition moves back', () => {
    const book = newBook();
    book.tell(1, h2h(-110));
    book.tell(5, h2h(-110));
    book.tell(3, h2h(-130));
    expect(book.moves().map(([, from, to, , , at]) => [from, to, at])).toEqual([
      [-110, -130, time(3)],
      [-130, -110, time(5)],
    ]);
  });

  it('counts a point alone as one; alternates, other scopes and props as none', () => {
    const book = newBook();
    const spread = (point: number, more: Partial<PricedMarket> = {}) =>
      market({ key: 'spreads', outcomes: [home(-110, point)], ...more });
    book.tell(
      1,
      spread(-3),
      spread(-3, { alternate: true }),
      spread(-3, { scope: '1H' }),
      spread(-3, { key: 'passing_yards' }),
    );
    book.tell(
      2,
      spread(-4),
      spread(-4, { alternate: true }),
      spread(-4, { scope: '1H' }),
      spread(-4, { key: 'passing_yards' }),
    );
    expect(book.moves()).toEqual([['spreads', -110, -110, -3, -4, time(2)]]);
  });

  it('given a moneyline, when a source says a point with it, then that is none', () => {
    const book = newBook();
    book.tell(1, market({ outcomes: [home(-110)] }));
    book.tell(2, market({ outcomes: [home(-110, 0)] }));
    expect(book.moves()).toEqual([]);
  });

  it(`keeps the newest ${MOVEMENTS_KEPT}, late ones too`, () => {
    const book = newBook();
    for (let minute = 0; minute <= MOVEMENTS_KEPT + 20; minute++) book.tell(minute * 2, h2h(100 + minute));
    expect(book.moves()).toHaveLength(MOVEMENTS_KEPT);
    book.tell(201, h2h(900));
    expect(book.moves()).toHaveLength(MOVEMENTS_KEPT);
    expect(book.moves().at(-1)).toEqual([
      'h2h',
      100 + MOVEMENTS_KEPT + 19,
      100 + MOVEMENTS_KEPT + 20,
      null,
      null,
      time(2 * (MOVEMENTS_KEPT + 20)),
    ]);
  });
});

it('comes to the same prices and movements in every order', () => {
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
      const [a, b] = [newBook(), newBook()];
      for (const [minute, markets] of first) a.tell(minute, ...markets.map(market));
      for (const [minute, markets] of second) b.tell(minute, ...markets.map(market));
      expect(b.document()).toEqual(a.document());
    }),
    { numRuns: 500 },
  );
});
