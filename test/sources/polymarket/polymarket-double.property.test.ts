import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindPolymarketMarket, gameOfEvent } from '../../../src/sources/polymarket/bind-market.ts';
import { polymarketProvider } from '../../../src/sources/polymarket/provider.ts';
import { cases } from '../../support/cases.ts';
import { NOW, readLive, view } from '../read-live-answers.ts';
import { bookAnswer, moneyline, nbaEvent, question, soccerEvent, spread, total } from './polymarket-double.ts';

const bound = (market: any, event: any = nbaEvent([])) => {
  const { key, side, opposite, unbound } = bindPolymarketMarket(market, gameOfEvent(event)!) as any;
  return unbound ?? { key, side, opposite };
};
const EVENTS = { path: '/events', query: {} };
const BOOK = { path: '/book', query: {} };

describe('what a market of Polymarket stands for (double of the protocol)', () => {
  it('given outcomes in either order, then each token is bound to the side of its name', () => {
    const [away, home] = [
      { outcome: 'away', contract: '111' },
      { outcome: 'home', contract: '111' },
    ];
    expect(bound(moneyline())).toEqual({ key: 'h2h', side: away, opposite: home });
    const turned = moneyline({ outcomes: '["Warriors","Lakers"]', clobTokenIds: '["222","111"]' });
    expect(bound(turned)).toEqual({
      key: 'h2h',
      side: { outcome: 'home', contract: '222' },
      opposite: { outcome: 'away', contract: '222' },
    });
  });

  it('given a line, then it belongs to the first outcome, and the other has the opposite', () => {
    expect(bound(spread())).toMatchObject({
      key: 'spreads',
      side: { outcome: 'home', point: -4.5 },
      opposite: { outcome: 'away', point: 4.5 },
    });
    expect(bound(total())).toMatchObject({
      key: 'totals',
      side: { outcome: 'over', point: 224.5 },
      opposite: { outcome: 'under', point: 224.5 },
    });
    expect(bound(total({ question: 'O/U 220.5' }))).toBe('no_line');
    expect(bound(spread({ line: undefined }))).toBe('no_line');
  });

  it('given the three questions of a soccer match, then each is bound to its side or the draw', () => {
    const of = (text: string) => bound(question('8', text), soccerEvent([]));
    expect(of('Will Arsenal FC win on 2026-11-30?')).toEqual({
      key: 'h2h',
      side: { outcome: 'home', contract: '81' },
      opposite: undefined,
    });
    expect(of('Will Chelsea win on 2026-11-30?')).toMatchObject({ side: { outcome: 'away' } });
    expect(of('Will Arsenal FC vs. Chelsea FC end in a draw?')).toMatchObject({ side: { outcome: 'draw' } });
    expect(of('Will Arsenal FC lose on 2026-11-30?')).toBe('negated');
    expect(of('Will Everton win on 2026-11-30?')).toBe('unknown_sides');
  });

  it('given a question, an outcome or rules that turn the meaning around, then it is bound to nothing', () => {
    expect(bound(moneyline({ question: 'Lakers to lose against the Warriors?' }))).toBe('negated');
    expect(bound(moneyline({ outcomes: '["Not Lakers","Warriors"]' }))).toBe('negated');
    expect(bound(moneyline({ description: 'If the Lakers win, the market will resolve to "Warriors".' }))).toBe(
      'contradicts',
    );
    expect(bound(moneyline({ description: 'If the Lakers lose, the market will resolve to "Lakers".' }))).toBe(
      'contradicts',
    );
  });

  it('given another start, kind or side than the event has, then it is bound to nothing', () => {
    expect(bound(moneyline({ gameStartTime: '2026-12-02 03:00:00+00' }))).toBe('other_start');
    expect(bound(moneyline({ sportsMarketType: 'first_half_moneyline' }))).toBe('other_market');
    expect(bound(moneyline({ outcomes: '["Lakers","Clippers"]' }))).toBe('unknown_sides');
    expect(bound(moneyline({ outcomes: '["Lakers","LAL"]' }))).toBe('unknown_sides');
    expect(gameOfEvent(nbaEvent([], { teams: [{ name: 'Los Angeles Lakers' }] }) as any)).toBeUndefined();
    expect(gameOfEvent(nbaEvent([], { slug: 'nba2-champion' }) as any)).toBeUndefined();
  });

  it('given values of any type, then nothing is thrown', () => {
    const names = ['teams', 'startTime', 'slug', ...Object.keys(moneyline()), 'line', 'outcomePrices'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (values) => {
        const game = gameOfEvent({ ...nbaEvent([]), ...values } as any) ?? gameOfEvent(nbaEvent([]) as any)!;
        expect(() => bindPolymarketMarket({ ...moneyline(), ...values } as any, game)).not.toThrow();
      }),
      { numRuns: cases(2000, 100) },
    );
  });
});

describe('the connector of Polymarket (double of the protocol)', () => {
  async function listed() {
    const provider = polymarketProvider();
    const { of } = await readLive(provider, EVENTS, [nbaEvent([moneyline(), total(), spread()])]);
    return { provider, books: provider.companion!.provider, contracts: of('contract') };
  }

  it('given a list of events, then each market is told once, by its first token', async () => {
    const { provider, contracts } = await listed();
    expect(contracts.map(({ contract, outcome, point }) => [contract, outcome, point])).toEqual([
      ['111', 'away', undefined],
      ['333', 'over', 224.5],
      ['555', 'home', -4.5],
    ]);
    expect((await readLive(provider, EVENTS, [nbaEvent([moneyline()])])).messages).toEqual([]);
  });

  it('given the book of one token, then the other one mirrors it, best prices first', async () => {
    const { books } = await listed();
    const answer = bookAnswer(
      '111',
      [
        ['0.40', '900'],
        ['0.41', '250'],
      ],
      [
        ['0.45', '700'],
        ['0.42', '310'],
      ],
    );
    expect((await readLive(books, BOOK, answer)).of('book')).toMatchObject([
      {
        ref: 'nba-lal-gsw-2026-11-30',
        markets: [
          {
            key: 'h2h',
            fee: { model: 'p(1-p)', rate: 0.03, exponent: 1, taker_only: true },
            outcomes: [
              {
                outcome: 'away',
                contract: '111',
                bids: [
                  [0.41, 102.5],
                  [0.4, 360],
                ],
                asks: [
                  [0.42, 130.2],
                  [0.45, 315],
                ],
              },
              {
                outcome: 'home',
                contract: '111',
                bids: [
                  [0.58, 179.8],
                  [0.55, 385],
                ],
                asks: [
                  [0.59, 147.5],
                  [0.6, 540],
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('given a closed market, then its result is told; half of the money each says nothing', async () => {
    const { provider } = await listed();
    const closed = (prices: string) => [
      nbaEvent([moneyline({ closed: true, outcomePrices: prices, umaResolutionStatus: 'resolved' })]),
    ];
    expect((await readLive(provider, EVENTS, closed('["1", "0"]'))).of('contract')).toMatchObject([
      { contract: '111', result: 'yes' },
    ]);
    expect((await readLive(provider, EVENTS, closed('["0.5", "0.5"]'))).of('contract')).toEqual([]);
  });

  it('given the list of sports, then games are asked for by the series of their league, and books by token', async () => {
    const { provider, books } = await listed();
    await readLive(provider, { path: '/sports', query: {} }, [{ sport: 'nba', series: '10345' }]);
    const event = {
      eventId: 1,
      ref: 'nba-lal-gsw-2026-11-30',
      status: 'scheduled',
      startsAt: NOW,
      overSince: undefined,
    } as const;
    const nba = [view({ sport: 'nba', league: 'nba', state: 'soon', events: [event] })];
    const [, open, closed] = provider.requests(nba, NOW);
    expect([open!.query['series_id'], open!.query['closed'], closed!.query['closed']]).toEqual([
      '10345',
      'false',
      'true',
    ]);
    expect(books.requests(nba, NOW).map(({ query }) => query['token_id'])).toEqual(
      expect.arrayContaining(['111', '333', '555']),
    );
  });

  it('given more games than an answer has, then the pages behind it are asked for, until one is not full', async () => {
    const provider = polymarketProvider();
    await readLive(provider, { path: '/sports', query: {} }, [{ sport: 'nba', series: '10345' }]);
    const nba = [view({ sport: 'nba', league: 'nba', state: 'soon' })];
    const open = () => provider.requests(nba, NOW).filter(({ query }) => query['closed'] === 'false');
    const offsets = () => open().map(({ query }) => query['offset']);
    const answer = (page: number, count: number) =>
      readLive(provider, open()[page]!, [
        ...Array.from({ length: count - 1 }, () => nbaEvent([])),
        nbaEvent([moneyline({ id: `7${page}`, clobTokenIds: `["${page}1","${page}2"]` })]),
      ]);

    expect(offsets()).toEqual([undefined]);
    const contracts = [await answer(0, 100)];
    expect(offsets()).toEqual([undefined, '100']);
    contracts.push(await answer(1, 100), await answer(2, 40));
    expect(contracts.map(({ of }) => of('contract').map(({ contract }) => contract))).toEqual([['01'], ['11'], ['21']]);
    expect(offsets()).toEqual([undefined, '100', '200']);
    expect(new Set(open().map(({ key }) => key)).size).toBe(3);
    await answer(0, 30);
    expect(offsets()).toEqual([undefined]);
  });

  it('given full pages without an end, then no more than ten are asked for', async () => {
    const provider = polymarketProvider();
    await readLive(provider, { path: '/sports', query: {} }, [{ sport: 'nba', series: '10345' }]);
    const nba = [view({ sport: 'nba', league: 'nba', state: 'soon' })];
    const open = () => provider.requests(nba, NOW).filter(({ query }) => query['closed'] === 'false');
    for (let page = 0; page < 12; page++)
      await readLive(
        provider,
        open().at(-1)!,
        Array.from({ length: 100 }, () => nbaEvent([])),
      );
    expect(open()).toHaveLength(10);
  });

  it('given an answer of another shape, then it is dropped as a whole', async () => {
    const { provider } = await listed();
    await expect(readLive(provider, EVENTS, {})).rejects.toThrow('is no list');
    await expect(readLive(provider, BOOK, { bids: [] })).rejects.toThrow('is no list');
  });
});
