import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, market, NBA, NFL, odds, schedule, WORLD_CUP } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const H2H = market('h2h', [
  ['home', -150],
  ['away', 130],
]);
const SPREADS = market('spreads', [
  ['home', -110, -3.5],
  ['away', -110, 3.5],
]);
const TOTALS = market('totals', [
  ['over', -105, 47.5],
  ['under', -115, 47.5],
]);

const oddsOf = ({ path }: Game, query = '') => server.get(`${path}/odds${query}`);
const said = (one: Game, bookmaker: string, markets: Parameters<typeof odds>[2], more: Record<string, unknown> = {}) =>
  odds(one.ref, bookmaker, markets, { at: one.nextAt(), ...more });

describe('Odds: members and values', () => {
  it('event_id, available, bookmakers[], last_updated', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 'pinnacle', [TOTALS, H2H, SPREADS], { at: '2026-03-01T10:00:00Z' }));
    const answer = await oddsOf(one);
    expectMembers(answer, ['event_id', 'available', 'bookmakers', 'last_updated']);
    const [home, away] = one.sides;
    expect(answer).toEqual({
      event_id: one.id,
      available: true,
      bookmakers: [
        {
          bookmaker: 'pinnacle',
          markets: [
            {
              key: 'h2h',
              label: 'moneyline',
              outcomes: [
                { outcome: home, price: -150, point: null },
                { outcome: away, price: 130, point: null },
              ],
            },
            {
              key: 'spreads',
              label: 'spread',
              outcomes: [
                { outcome: home, price: -110, point: -3.5 },
                { outcome: away, price: -110, point: 3.5 },
              ],
            },
            {
              key: 'totals',
              label: 'totals',
              outcomes: [
                { outcome: 'Over', price: -105, point: 47.5 },
                { outcome: 'Under', price: -115, point: 47.5 },
              ],
            },
          ],
          captured_at: '2026-03-01T10:00:00Z',
        },
      ],
      last_updated: '2026-03-01T10:00:00Z',
    });
  });

  it('available: false with empty bookmakers, and free, when nothing is ingested', async () => {
    const one = await game(server, NFL);
    const { status, body, credits } = await server.ask(`${one.path}/odds`);
    expect([status, body, credits]).toEqual([
      200,
      { event_id: one.id, available: false, bookmakers: [], last_updated: null },
      0,
    ]);
  });

  it('soccer h2h has home, away and Draw; its spreads are goal lines', async () => {
    const one = await game(server, EPL, { sides: ['Everton', 'Fulham'] });
    const lines = market('spreads', [
      ['home', -105, -0.25],
      ['away', -115, 0.25],
    ]);
    await server.feed(
      said(one, 'pinnacle', [
        market('h2h', [
          ['draw', 240],
          ['away', 210],
          ['home', 130],
        ]),
        lines,
      ]),
    );
    const { bookmakers } = await oddsOf(one);
    const [h2h, spreads] = bookmakers[0].markets;
    expect(h2h.outcomes).toEqual([
      { outcome: 'Everton', price: 130, point: null },
      { outcome: 'Fulham', price: 210, point: null },
      { outcome: 'Draw', price: 240, point: null },
    ]);
    expect(spreads.outcomes.map(({ point }: any) => point)).toEqual([-0.25, 0.25]);
  });

  it('tennis outcomes are the players’ names', async () => {
    const one = await game(server, ATP, { sides: ['Alexander Zverev', 'Casper Ruud'] });
    await server.feed(
      said(one, 'pinnacle', [
        market('h2h', [
          ['player_2', 150],
          ['player_1', -180],
        ]),
      ]),
    );
    const { bookmakers } = await oddsOf(one);
    expect(bookmakers[0].markets[0].outcomes).toEqual([
      { outcome: 'Alexander Zverev', price: -180, point: null },
      { outcome: 'Casper Ruud', price: 150, point: null },
    ]);
  });

  it('point is null on moneyline, also when a feed has one', async () => {
    const one = await game(server, NFL);
    await server.feed(
      said(one, 'pinnacle', [
        market('h2h', [
          ['home', -150, 0],
          ['away', 130, 0],
        ]),
      ]),
    );
    const { bookmakers } = await oddsOf(one);
    expect(bookmakers[0].markets[0].outcomes.map(({ point }: any) => point)).toEqual([null, null]);
  });

  it('placeholder fixtures return available: false, until the teams are known', async () => {
    const one = await game(server, WORLD_CUP, { sides: [{ name: 'Group A 1st', placeholder: true }, 'Japan'] });
    await server.feed(said(one, 'pinnacle', [H2H]));
    const answer = await server.ask(`${one.path}/odds?bookmaker=all`);
    expect([answer.body.available, answer.body.bookmakers, answer.credits]).toEqual([false, [], 0]);
    expect((await server.get(`${one.path}?include_odds=true`)).odds.available).toBe(false);
    const participants = [
      { role: 'home', name: 'Mexico' },
      { role: 'away', name: 'Japan' },
    ];
    await server.feed(one.schedule({ participants }));
    expect((await oddsOf(one)).bookmakers[0].markets[0].outcomes[0].outcome).toBe('Mexico');
  });

  it('only full-game main markets show: no first halves, team totals or props', async () => {
    const one = await game(server, NFL);
    const others = [
      { ...SPREADS, scope: '1H' },
      { ...TOTALS, scope: '1H' },
      { key: 'team_totals', outcomes: [{ outcome: 'over', price: -110, point: 20.5, team: 'home' }] },
      { key: 'passing_yards', outcomes: [{ outcome: 'over', price: -110, point: 250.5, player: 'A B' }] },
    ];
    await server.feed(said(one, 'pinnacle', others));
    expect((await oddsOf(one, '?bookmaker=all')).available).toBe(false);
    await server.feed(said(one, 'pinnacle', [H2H, ...others]));
    const { bookmakers } = await oddsOf(one);
    expect(bookmakers[0].markets.map(({ key }: any) => key)).toEqual(['h2h']);
  });
});

describe('Odds: how messages change them', () => {
  const pricesOf = async (one: Game, query = '') => {
    const { bookmakers } = await oddsOf(one, query);
    return bookmakers.flatMap(({ markets }: any) =>
      markets.flatMap(({ key, outcomes }: any) => outcomes.map(({ price, point }: any) => [key, price, point])),
    );
  };

  it('markets not named stay; outcomes: [] withdraws one; the last one makes available: false', async () => {
    const one = await game(server, NBA);
    await server.feed(said(one, 'pinnacle', [H2H, TOTALS]));
    await server.feed(
      said(one, 'pinnacle', [
        market('h2h', [
          ['home', -160],
          ['away', 140],
        ]),
      ]),
    );
    expect(await pricesOf(one)).toEqual([
      ['h2h', -160, null],
      ['h2h', 140, null],
      ['totals', -105, 47.5],
      ['totals', -115, 47.5],
    ]);
    await server.feed(said(one, 'pinnacle', [market('totals', [])]));
    expect(await pricesOf(one)).toEqual([
      ['h2h', -160, null],
      ['h2h', 140, null],
    ]);
    await server.feed(said(one, 'pinnacle', [market('h2h', [])]));
    expect(await server.ask(`${one.path}/odds`)).toMatchObject({
      body: { available: false, bookmakers: [] },
      credits: 0,
    });
  });

  it('outcomes not named are withdrawn, and stay with complete: false', async () => {
    const one = await game(server, EPL);
    const three = market('h2h', [
      ['home', 100],
      ['away', 250],
      ['draw', 220],
    ]);
    await server.feed(said(one, 'pinnacle', [three]));
    await server.feed(said(one, 'pinnacle', [market('h2h', [['home', 110]], { complete: false })]));
    expect(await pricesOf(one)).toEqual([
      ['h2h', 110, null],
      ['h2h', 250, null],
      ['h2h', 220, null],
    ]);
    await server.feed(
      said(one, 'pinnacle', [
        market('h2h', [
          ['home', 120],
          ['away', 240],
        ]),
      ]),
    );
    expect(await pricesOf(one)).toEqual([
      ['h2h', 120, null],
      ['h2h', 240, null],
    ]);
  });

  it('on a main line the point is an attribute of the price: a new point replaces the old one', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 'pinnacle', [SPREADS]));
    await server.feed(said(one, 'pinnacle', [market('spreads', [['home', -108, -4]], { complete: false })]));
    expect(await pricesOf(one)).toEqual([
      ['spreads', -108, -4],
      ['spreads', -110, 3.5],
    ]);
  });

  it('captured_at is the at of the newest message, reconfirmations included', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 'pinnacle', [H2H], { at: '2026-03-01T09:00:00Z' }));
    await server.feed(said(one, 'pinnacle', [H2H], { at: '2026-03-01T09:30:00Z' }));
    expect((await oddsOf(one)).bookmakers[0].captured_at).toBe('2026-03-01T09:30:00Z');
    expect((await oddsOf(one)).last_updated).toBe('2026-03-01T09:30:00Z');
  });

  it('last_updated is the latest captured_at across the bookmakers shown', async () => {
    const one = await game(server, NFL);
    await server.feed(
      said(one, 'pinnacle', [H2H], { at: '2026-03-01T09:00:00Z' }),
      said(one, 'fanduel', [H2H], { at: '2026-03-01T10:00:00Z' }),
      said(one, 'betmgm', [H2H], { at: '2026-03-01T08:00:00Z' }),
    );
    expect((await oddsOf(one, '?bookmaker=all')).last_updated).toBe('2026-03-01T10:00:00Z');
    expect((await oddsOf(one, '?bookmaker=pinnacle,betmgm')).last_updated).toBe('2026-03-01T09:00:00Z');
  });

  it('a late message never overwrites newer prices', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 'pinnacle', [H2H], { at: '2026-03-01T10:00:00Z' }));
    const before = await oddsOf(one);
    const late = [
      market('h2h', [
        ['home', 200],
        ['away', -240],
      ]),
    ];
    await server.feed(said(one, 'pinnacle', late, { at: '2026-03-01T09:00:00Z' }));
    expect(await oddsOf(one)).toEqual(before);
    await server.feed(said(one, 'pinnacle', [TOTALS], { at: '2026-03-01T09:30:00Z' }));
    expect((await oddsOf(one)).bookmakers[0].markets.map(({ key }: any) => key)).toEqual(['h2h', 'totals']);
    expect((await oddsOf(one)).last_updated).toBe('2026-03-01T10:00:00Z');
  });

  it('prices are turned with the sides of their own source, points too', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    await server.feed(schedule(NFL, `t-${one.ref}`, [away, home], '2026-03-01T18:00:00Z', { source: 'other' }), {
      ...odds(`t-${one.ref}`, 'pinnacle', [H2H, SPREADS, TOTALS]),
      source: 'other',
    });
    const { bookmakers } = await oddsOf(one);
    expect(bookmakers[0].markets.map(({ outcomes }: any) => outcomes)).toEqual([
      [
        { outcome: home, price: 130, point: null },
        { outcome: away, price: -150, point: null },
      ],
      [
        { outcome: home, price: -110, point: 3.5 },
        { outcome: away, price: -110, point: -3.5 },
      ],
      [
        { outcome: 'Over', price: -105, point: 47.5 },
        { outcome: 'Under', price: -115, point: 47.5 },
      ],
    ]);
  });

  it('prices by match are turned too', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    const match = { ...NFL, starts_at: '2026-03-01T12:00:00Z', home: away, away: home };
    await server.feed({ kind: 'odds', source: 'third', at: one.nextAt(), match, bookmaker: 'circa', markets: [H2H] });
    const { bookmakers } = await oddsOf(one, '?bookmaker=circa');
    expect(bookmakers[0].markets[0].outcomes[0]).toEqual({ outcome: home, price: 130, point: null });
  });
});

describe('Odds: bookmaker', () => {
  const NAMED = [
    'pinnacle',
    'fanduel',
    'draftkings',
    'betmgm',
    'caesars',
    'bet365',
    'circa',
    'westgate',
    'wynn',
    'south_point',
    'stations',
    'hardrock',
    'betonline',
    'betr',
    'betrivers',
    'lowvig',
    'bovada',
  ];
  let one: Game;
  beforeAll(async () => {
    one = await game(server, NFL);
    await server.feed(...[...NAMED, 'zebra_book', 'a1'].map((slug) => said(one, slug, [H2H])));
  });
  const booksOf = async (bookmaker: string) => {
    const { body, credits } = await server.ask(`${one.path}/odds?bookmaker=${bookmaker}`);
    return [body.bookmakers.map((book: any) => book.bookmaker), credits, body.available];
  };

  it('default: pinnacle', async () => {
    const { bookmakers } = await oddsOf(one);
    expect(bookmakers.map(({ bookmaker }: any) => bookmaker)).toEqual(['pinnacle']);
  });

  it.each(NAMED)('a slug: %s, 1 credit', async (slug) => {
    expect(await booksOf(slug)).toEqual([[slug], 1, true]);
  });

  it('any other well-formed slug of a feed is served by its name and under all', async () => {
    expect(await booksOf('zebra_book')).toEqual([['zebra_book'], 1, true]);
  });

  it('all: 2 credits', async () => {
    const [books, credits] = await booksOf('all');
    expect([...books].sort()).toEqual([...NAMED, 'zebra_book', 'a1'].sort());
    expect(credits).toBe(2);
  });

  it('a comma-separated list: 2 credits', async () => {
    expect(await booksOf('fanduel,betmgm')).toEqual([['fanduel', 'betmgm'], 2, true]);
    expect(await booksOf('fanduel,all')).toMatchObject([expect.anything(), 2, true]);
    expect(await booksOf('fanduel,nobook')).toEqual([['fanduel'], 2, true]);
  });

  it('a list of one is one book, 1 credit', async () => {
    for (const list of ['pinnacle,', ',pinnacle', 'pinnacle,pinnacle', '%20pinnacle%20']) {
      expect([list, ...(await booksOf(list))]).toEqual([list, ['pinnacle'], 1, true]);
    }
  });

  it('a book without a price of this event is available: false and free, also when others have some', async () => {
    expect(await booksOf('nobook')).toEqual([[], 0, false]);
    expect(await booksOf('nobook,neither')).toEqual([[], 0, false]);
    expect(await booksOf('')).toEqual([[], 0, false]);
  });

  it('cached 2 minutes', async () => {
    expect((await server.ask(`${one.path}/odds`)).headers.get('cache-control')).toBe('private, max-age=120');
  });

  it('Get event: applies to inlined odds', async () => {
    for (const bookmaker of ['fanduel', 'all', 'fanduel,betmgm', 'nobook', 'pinnacle']) {
      const { odds: inlined } = await server.get(`${one.path}?include_odds=true&bookmaker=${bookmaker}`);
      expect(inlined).toEqual(await oddsOf(one, `?bookmaker=${bookmaker}`));
    }
    const { odds: byDefault } = await server.get(`${one.path}?include_odds=true`);
    expect(byDefault).toEqual(await oddsOf(one));
  });
});

describe('Get event: include_alts', () => {
  it('adds alternate spread and total rungs after the main outcomes of the market, ordered by point', async () => {
    const one = await game(server, NFL);
    const rungs = [
      market(
        'spreads',
        [
          ['home', 150, -7.5],
          ['away', -170, 7.5],
          ['home', -200, 1.5],
          ['away', 170, -1.5],
        ],
        {
          alternate: true,
        },
      ),
      market(
        'totals',
        [
          ['under', 120, 44.5],
          ['over', -140, 44.5],
          ['over', 130, 51.5],
        ],
        { alternate: true },
      ),
    ];
    await server.feed(said(one, 'pinnacle', [SPREADS, TOTALS, ...rungs]));
    const [home, away] = one.sides;
    const marketsOf = async (query: string) => {
      const { odds: inlined } = await server.get(`${one.path}?${query}`);
      return Object.fromEntries(
        inlined.bookmakers[0].markets.map(({ key, outcomes }: any) => [
          key,
          outcomes.map(({ outcome, price, point }: any) => [outcome, price, point]),
        ]),
      );
    };
    const main = {
      spreads: [
        [home, -110, -3.5],
        [away, -110, 3.5],
      ],
      totals: [
        ['Over', -105, 47.5],
        ['Under', -115, 47.5],
      ],
    };
    expect(await marketsOf('include_odds=true')).toEqual(main);
    expect(await marketsOf('include_odds=true&include_alts=true')).toEqual({
      spreads: [...main.spreads, [home, 150, -7.5], [away, 170, -1.5], [home, -200, 1.5], [away, -170, 7.5]],
      totals: [...main.totals, ['Over', -140, 44.5], ['Under', 120, 44.5], ['Over', 130, 51.5]],
    });
    const { bookmakers } = await oddsOf(one, '?include_alts=true');
    expect(bookmakers[0].markets[0].outcomes).toHaveLength(2);
  });
});
