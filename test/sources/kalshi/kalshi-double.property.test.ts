import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindKalshiMarket } from '../../../src/sources/kalshi/bind-market.ts';
import { kalshiProvider } from '../../../src/sources/kalshi/provider.ts';
import { cases } from '../../support/cases.ts';
import { NOW, readLive, view } from '../read-live-answers.ts';
import { booksAnswer, eventsAnswer, GAME, kalshiMarket, lakers, spread, total, warriors } from './kalshi-double.ts';

const EVENTS = { path: '/trade-api/v2/events', query: { series_ticker: 'KXNBAGAME' } };
const BOOKS = { path: '/trade-api/v2/markets/orderbooks', query: {} };
const bound = (market: any, event?: any) => {
  const { game, side, opposite, key, unbound } = bindKalshiMarket(market, event) as any;
  return unbound === undefined ? { key, side, opposite, sides: game.sides } : unbound;
};
const SIDES = ['Golden State Warriors', 'Los Angeles Lakers'];

describe('what a market of Kalshi stands for (double of the protocol)', () => {
  it('given both markets of a game, then each is bound to its own side', () => {
    expect(bound(lakers())).toEqual({
      key: 'h2h',
      sides: SIDES,
      side: { outcome: 'away', contract: `${GAME}-LAL` },
      opposite: undefined,
    });
    expect(bound(warriors())).toMatchObject({ side: { outcome: 'home', contract: `${GAME}-GSW` } });
  });

  it('given a line, then Yes is over or the side that gives points, and No the opposite', () => {
    expect(bound(total(219.5))).toMatchObject({
      key: 'totals',
      side: { outcome: 'over', point: 219.5 },
      opposite: { outcome: 'under', point: 219.5 },
    });
    expect(bound(spread('LAL', 'Los Angeles L', 5.5))).toMatchObject({
      key: 'spreads',
      side: { outcome: 'away', point: -5.5 },
      opposite: { outcome: 'home', point: 5.5 },
    });
  });

  it('given names, ticker or rules that contradict each other, then it is bound to nothing', () => {
    expect(bound(lakers({ yes_sub_title: 'Golden State' }))).toBe('contradicts');
    expect(bound({ ...lakers(), rules_primary: warriors()['rules_primary'] })).toBe('contradicts');
    expect(bound({ ...lakers(), ticker: `${GAME}-GSW` })).toBe('contradicts');
    expect(bound(spread('LAL', 'Golden State', 5.5))).toBe('contradicts');
    expect(bound(total(219.5, { floor_strike: 220.5 }))).toBe('no_line');
    expect(bound(total(220))).toBe('no_line');
    expect(bound(lakers({ rules_primary: String(lakers()['rules_primary']).replace('Nov 30', 'Dec 1') }))).toBe(
      'other_day',
    );
  });

  it('given a market on a loss, then it is bound to nothing', () => {
    expect(bound(lakers({ rules_primary: String(lakers()['rules_primary']).replace('wins', 'does not win') }))).toBe(
      'negated',
    );
    expect(bound(lakers({ yes_sub_title: 'Los Angeles L to lose' }))).toBe('negated');
  });

  it('given a town of two clubs without an initial, another series, or no start, then it is bound to nothing', () => {
    const rules = String(lakers()['rules_primary']).replaceAll('Los Angeles L', 'Los Angeles');
    expect(bound(lakers({ yes_sub_title: 'Los Angeles', rules_primary: rules }))).toBe('unknown_club');
    expect(bound(kalshiMarket('KXNBA-26-LAL', 'Los Angeles L'))).toBe('other_market');
    expect(bound(lakers({ mve_collection_ticker: 'KXMVE' }))).toBe('other_market');
    expect(bound(lakers({ expected_expiration_time: '2026-12-15T06:00:00Z' }))).toBe('no_start');
  });

  it('given a doubleheader, then start and number of the game come from the ticker', () => {
    const market = kalshiMarket('KXMLBGAME-26JUL041305CHCCING1-CHC', 'Chicago C', {
      rules_primary:
        'If Chicago C wins the Chicago C at Cincinnati professional baseball game originally scheduled for Jul 4, 2026, then the market resolves to Yes.',
    });
    expect((bindKalshiMarket(market) as any).game).toEqual({
      ref: 'MLB-26JUL041305CHCCING1',
      sport: 'mlb',
      league: 'mlb',
      startsAt: Date.parse('2026-07-04T17:05:00Z'),
      gameNumber: 1,
      sides: ['Cincinnati Reds', 'Chicago Cubs'],
    });
  });

  it('given a tie in soccer and regulation time in brackets, then draw and sides are bound', () => {
    const game = 'the Arsenal vs Chelsea professional soccer game originally scheduled for Nov 30, 2026';
    const times = { expected_expiration_time: '2026-11-30T18:00:00Z' };
    const soccer = (code: string, name: string, condition: string) =>
      kalshiMarket(`KXEPLGAME-26NOV30ARSCFC-${code}`, name, {
        ...times,
        rules_primary: `${condition} (does not include extra time), then the market resolves to Yes.`,
      });
    expect(bound(soccer('CFC', 'Chelsea', `If Chelsea wins ${game}`))).toMatchObject({
      side: { outcome: 'away' },
      sides: ['Arsenal', 'Chelsea'],
    });
    expect(bound(soccer('TIE', 'Tie', `If ${game} ends in a tie`))).toMatchObject({ side: { outcome: 'draw' } });
    expect(bound(soccer('TIE', 'Chelsea', `If Chelsea wins ${game}`))).toBe('contradicts');
  });

  it('given any mixture of the names of a game, then only three that agree are bound, to their side', () => {
    const side = fc.constantFrom(['LAL', 'Los Angeles L', 'away'] as const, ['GSW', 'Golden State', 'home'] as const);
    fc.assert(
      fc.property(side, side, side, ([code, , outcome], [, yes], [, winner]) => {
        const market = kalshiMarket(`${GAME}-${code}`, yes, { rules_primary: lakers()['rules_primary'] });
        market['rules_primary'] = String(market['rules_primary']).replace('If Los Angeles L', `If ${winner}`);
        const isOne = yes === winner && (code === 'LAL') === (yes === 'Los Angeles L');
        expect(bound(market)).toEqual(
          isOne ? expect.objectContaining({ side: { outcome, contract: `${GAME}-${code}` } }) : 'contradicts',
        );
      }),
      { numRuns: cases(200, 30) },
    );
  });

  it('given values of any type, then nothing is thrown', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(lakers()), 'floor_strike'), fc.jsonValue()),
        (values) => {
          expect(() => bindKalshiMarket({ ...lakers(), ...values } as any)).not.toThrow();
        },
      ),
      { numRuns: cases(2000, 100) },
    );
  });
});

describe('the connector of Kalshi (double of the protocol)', () => {
  async function listed(fair?: any) {
    const provider = kalshiProvider({ fair });
    const { of } = await readLive(provider, EVENTS, eventsAnswer([lakers(), warriors(), total(219.5)]));
    return { provider, contracts: of('contract') };
  }

  it('given a list of events, then each contract is told once', async () => {
    const { provider, contracts } = await listed();
    expect(contracts.map(({ contract, outcome }) => [contract, outcome])).toEqual([
      [`${GAME}-LAL`, 'away'],
      [`${GAME}-GSW`, 'home'],
      ['KXNBATOTAL-26NOV30LALGSW-220', 'over'],
    ]);
    expect(contracts[0]).toMatchObject({
      ref: 'NBA-26NOV30LALGSW',
      match: { starts_at: '2026-12-01T03:00:00Z', home: SIDES[0], away: SIDES[1] },
    });
    expect((await readLive(provider, EVENTS, eventsAnswer([lakers()]))).messages).toEqual([]);
  });

  const TWO = {
    [`${GAME}-LAL`]: {
      yes: [
        ['0.4000', '300.00'],
        ['0.4100', '120.00'],
      ],
      no: [
        ['0.5700', '450.00'],
        ['0.5800', '90.00'],
      ],
    },
    [`${GAME}-GSW`]: { yes: [['0.5800', '10.00']], no: [['0.4000', '50.00']] },
  } as const;

  it('given bids of yes and no, then the asks follow from the other side', async () => {
    const { provider } = await listed();
    const { of } = await readLive(provider, BOOKS, booksAnswer(TWO));
    expect(of('book')).toMatchObject([
      {
        venue: 'kalshi',
        markets: [
          {
            key: 'h2h',
            fee: { model: 'p(1-p)', rate: 0.07, rounding: 0.0001 },
            outcomes: [
              { outcome: 'home', bids: [[0.58, 5.8]], asks: [[0.6, 30]] },
              {
                outcome: 'away',
                contract: `${GAME}-LAL`,
                bids: [
                  [0.41, 49.2],
                  [0.4, 120],
                ],
                asks: [
                  [0.42, 37.8],
                  [0.43, 193.5],
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('given the same ladders again, then nothing is told until ten minutes later', async () => {
    const { provider } = await listed();
    await readLive(provider, BOOKS, booksAnswer(TWO));
    expect((await readLive(provider, BOOKS, booksAnswer(TWO), { arrivedAt: NOW + 60_000 })).of('book')).toEqual([]);
    expect((await readLive(provider, BOOKS, booksAnswer(TWO), { arrivedAt: NOW + 600_000 })).of('book')).toHaveLength(
      1,
    );
  });

  it('given a total, then the book of No is that of the under', async () => {
    const { provider } = await listed();
    const { of } = await readLive(
      provider,
      BOOKS,
      booksAnswer({ 'KXNBATOTAL-26NOV30LALGSW-220': { yes: [['0.4500', '100.00']], no: [['0.5300', '200.00']] } }),
    );
    expect(of('book')).toMatchObject([
      {
        markets: [
          {
            key: 'totals',
            outcomes: [
              { outcome: 'over', bids: [[0.45, 45]], asks: [[0.47, 94]] },
              { outcome: 'under', bids: [[0.53, 106]], asks: [[0.55, 55]] },
            ],
          },
        ],
      },
    ]);
  });

  it('given any book, then it has ten levels a side at most, in whole ticks, and never a bid above the orders', async () => {
    const { provider } = await listed();
    const level = fc.tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 10_000_00 }));
    await fc.assert(
      fc.asyncProperty(fc.array(level, { maxLength: 40 }), fc.array(level, { maxLength: 40 }), async (yes, no) => {
        const texts = (levels: typeof yes) =>
          levels.map(([price, count]) => [(price / 1e6).toFixed(6), (count / 100).toFixed(2)] as const);
        const { of } = await readLive(
          provider,
          BOOKS,
          booksAnswer({ [`${GAME}-LAL`]: { yes: texts(yes), no: texts(no) } }),
        );
        for (const message of of('book') as any[]) {
          const { bids, asks } = message.markets[0].outcomes[0];
          expect(Math.max(bids.length, asks.length)).toBeLessThanOrEqual(10);
          const best = Math.max(0, ...yes.filter(([, count]) => count > 0).map(([price]) => price / 1e6));
          if (bids[0]) expect(bids[0][0]).toBeLessThanOrEqual(best);
        }
      }),
      { numRuns: cases(300, 30) },
    );
  });

  it('given fair prices, then the price of a contract is told beside them every five minutes', async () => {
    const { provider } = await listed(async (_: string, { side }: any) =>
      side.outcome === 'away' ? { own: 0.42, other: 0.58 } : undefined,
    );
    const at = async (minutes: number) =>
      (await readLive(provider, BOOKS, booksAnswer(TWO), { arrivedAt: NOW + minutes * 60_000 })).of('contract');
    expect(await at(0)).toMatchObject([{ contract: `${GAME}-LAL`, seen: { price: 0.415, own: 0.42, other: 0.58 } }]);
    expect(await at(4)).toEqual([]);
    expect(await at(5)).toHaveLength(1);
  });

  it('given a settled market, then its result is told each time that it is listed', async () => {
    const { provider } = await listed();
    const settled = { markets: [lakers({ status: 'finalized', result: 'no' })], cursor: '' };
    const path = { path: '/trade-api/v2/markets', query: { status: 'settled' } };
    for (let n = 0; n < 2; n++) {
      expect((await readLive(provider, path, settled)).of('contract')).toMatchObject([
        { contract: `${GAME}-LAL`, result: 'no' },
      ]);
    }
  });

  it('given a game that the log knows, then its books are asked for together, and further pages of a list by cursor', async () => {
    const { provider } = await listed();
    await readLive(provider, EVENTS, eventsAnswer([lakers()], 'page-2'));
    const event = {
      eventId: 1,
      ref: 'NBA-26NOV30LALGSW',
      status: 'scheduled',
      startsAt: NOW,
      overSince: undefined,
    } as const;
    const requests = provider.requests([view({ sport: 'nba', league: 'nba', state: 'soon', events: [event] })], NOW);
    const books = requests.filter(({ kind }) => kind === 'books');
    expect(books).toHaveLength(1);
    expect(books[0]!.path.match(/tickers=/g)).toHaveLength(3);
    expect(requests.filter(({ query }) => query['cursor'] === 'page-2')).toHaveLength(1);
    expect(
      provider
        .requests([view({ sport: 'nba', league: 'nba', state: 'soon', events: [] })], NOW)
        .some(({ kind }) => kind === 'books'),
    ).toBe(false);
  });

  it('given an answer of another shape, then it is dropped as a whole', async () => {
    const { provider } = await listed();
    await expect(readLive(provider, EVENTS, { events: null })).rejects.toThrow('events: is no list');
    await expect(readLive(provider, BOOKS, {})).rejects.toThrow('orderbooks: is no list');
  });
});
