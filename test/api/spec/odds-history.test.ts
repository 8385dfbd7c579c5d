import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { expectMembers } from './members.ts';
import { EPL, market, NFL, type Outcome, odds, schedule, WORLD_CUP } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const spreads = (price: number, point: number) => market('spreads', [['home', price, point]]);
const h2h = (...given: readonly Outcome[]) => market('h2h', given);
const at = (minute: number) => `2026-03-01T09:${String(minute).padStart(2, '0')}:00Z`;
const said = (one: Game, minute: number, markets: Parameters<typeof odds>[2], bookmaker = 'pinnacle') =>
  odds(one.ref, bookmaker, markets, { at: at(minute) });
const history = (one: Game, query = '') => server.ask(`${one.path}/odds/history${query}`);
const movesOf = async (one: Game, query = '') => {
  const { status, body } = await history(one, query);
  if (status === 404) return [];
  return body.movements.map((move: any) => [move.price_from, move.price_to, move.point_from, move.point_to]);
};

describe('Odds movement', () => {
  it('{event_id, movements[], total} with the documented members', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 1, [spreads(-110, -3.5)]), said(one, 2, [spreads(-105, -3)]));
    const { body } = await history(one);
    expect(body).toEqual({
      event_id: one.id,
      movements: [
        {
          bookmaker: 'pinnacle',
          market: 'spread',
          market_key: 'spreads',
          outcome: one.sides[0],
          price_from: -110,
          price_to: -105,
          point_from: -3.5,
          point_to: -3,
          moved_at: at(2),
        },
      ],
      total: 1,
    });
    expectMembers(body, ['event_id', 'movements', 'total']);
  });

  it.each([
    ['h2h', 'moneyline', 'home', null],
    ['spreads', 'spread', 'away', 3.5],
    ['totals', 'totals', 'over', 47.5],
  ] as const)('market %s is %s', async (key, label, outcome, point) => {
    const one = await game(server, NFL);
    const priced = (price: number) => market(key, [point === null ? [outcome, price] : [outcome, price, point]]);
    await server.feed(said(one, 1, [priced(-110)]), said(one, 2, [priced(-120)]));
    const { body } = await history(one);
    expect(body.movements[0]).toMatchObject({ market: label, market_key: key, point_from: point, point_to: point });
  });

  it('outcome: names of the sides, Over, Under, Draw; points are null on moneyline', async () => {
    const one = await game(server, EPL);
    const totals = (price: number) =>
      market('totals', [
        ['over', price, 2.5],
        ['under', price, 2.5],
      ]);
    await server.feed(
      said(one, 1, [h2h(['home', 100], ['away', 200], ['draw', 300]), totals(-110)]),
      said(one, 2, [h2h(['home', 110], ['away', 210], ['draw', 310]), totals(-115)]),
    );
    const { body } = await history(one);
    expect(new Set(body.movements.map(({ outcome }: any) => outcome))).toEqual(
      new Set([...one.sides, 'Draw', 'Over', 'Under']),
    );
    const { point_from, point_to } = body.movements.find(({ outcome }: any) => outcome === 'Draw');
    expect([point_from, point_to]).toEqual([null, null]);
  });

  it('404 when no movement has been recorded: no odds, an opening price alone, the same price again', async () => {
    const one = await game(server, NFL);
    const refused = async () => {
      const { status, body, credits } = await history(one, '?bookmaker=all');
      return [status, body.error.code, credits];
    };
    expect(await refused()).toEqual([404, 'not_found', 0]);
    await server.feed(said(one, 1, [spreads(-110, -3.5)]));
    expect(await refused()).toEqual([404, 'not_found', 0]);
    await server.feed(said(one, 2, [spreads(-110, -3.5)]));
    expect(await refused()).toEqual([404, 'not_found', 0]);
  });

  it('a point that moves is a movement, with the price the same', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 1, [spreads(-110, -3.5)]), said(one, 2, [spreads(-110, -4)]));
    expect(await movesOf(one)).toEqual([[-110, -110, -3.5, -4]]);
  });

  it('newest first', async () => {
    const one = await game(server, NFL);
    await server.feed(...[-110, -115, -120, -125].map((price, i) => said(one, i + 1, [spreads(price, -3)])));
    const { body } = await history(one);
    expect(body.movements.map(({ moved_at }: any) => moved_at)).toEqual([at(4), at(3), at(2)]);
  });

  it('across a withdrawal: a price that comes back the same is no movement, another one is', async () => {
    const one = await game(server, NFL);
    const gone = market('spreads', []);
    await server.feed(said(one, 1, [spreads(-110, -3)]), said(one, 2, [gone]), said(one, 3, [spreads(-110, -3)]));
    expect(await movesOf(one)).toEqual([]);
    await server.feed(said(one, 4, [gone]), said(one, 5, [spreads(-120, -3)]));
    expect(await movesOf(one)).toEqual([[-110, -120, -3, -3]]);
  });

  it('main lines only: no alternates, scopes, team totals or props', async () => {
    const one = await game(server, NFL);
    const others = (price: number) => [
      market('spreads', [['home', price, -7]], { alternate: true }),
      market('totals', [['over', price, 24]], { scope: '1H' }),
      { key: 'team_totals', outcomes: [{ outcome: 'over', price, point: 20.5, team: 'home' }] },
      { key: 'passing_yards', outcomes: [{ outcome: 'over', price, point: 250.5, player: 'A B' }] },
    ];
    await server.feed(said(one, 1, others(-110)), said(one, 2, others(-120)));
    expect(await movesOf(one)).toEqual([]);
  });

  it('a late message links its neighbours anew', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 1, [spreads(-110, -3)]), said(one, 5, [spreads(-130, -3)]));
    expect(await movesOf(one)).toEqual([[-110, -130, -3, -3]]);
    await server.feed(said(one, 3, [spreads(-120, -3)]));
    expect(await movesOf(one)).toEqual([
      [-120, -130, -3, -3],
      [-110, -120, -3, -3],
    ]);
    await server.feed(said(one, 0, [spreads(-110, -3)]));
    expect(await movesOf(one)).toHaveLength(2);
  });

  it('each bookmaker is compared with itself', async () => {
    const one = await game(server, NFL);
    await server.feed(said(one, 1, [spreads(-110, -3)], 'fanduel'), said(one, 2, [spreads(-120, -3)], 'betmgm'));
    expect(await movesOf(one, '?bookmaker=all')).toEqual([]);
  });

  it('of a source with the sides the other way round is of the event’s own way round', async () => {
    const one = await game(server, NFL);
    const [home, away] = one.sides;
    await server.feed(
      said(one, 1, [spreads(-110, -3)]),
      schedule(NFL, `t-${one.ref}`, [away, home], '2026-03-01T18:00:00Z', { source: 'other' }),
      { ...odds(`t-${one.ref}`, 'pinnacle', [market('spreads', [['away', -115, -4]])]), source: 'other', at: at(2) },
    );
    const { body } = await history(one);
    expect(body.movements[0]).toMatchObject({ outcome: home, price_to: -115, point_to: -4 });
  });

  it('placeholder fixtures have no odds, and no movements', async () => {
    const one = await game(server, WORLD_CUP, { sides: [{ name: 'Group B 1st', placeholder: true }, 'Senegal'] });
    await server.feed(said(one, 1, [spreads(-110, -1)]), said(one, 2, [spreads(-120, -1)]));
    expect((await history(one)).status).toBe(404);
  });
});

describe('GET odds/history: parameters', () => {
  let one: Game;
  beforeAll(async () => {
    one = await game(server, NFL);
    const prices = Array.from({ length: 230 }, (_, i) => -110 - i);
    await server.feed(
      ...prices.map((price, i) =>
        odds(one.ref, 'pinnacle', [spreads(price, -3)], { at: new Date(Date.parse(at(0)) + i * 1000).toISOString() }),
      ),
      ...[-110, -120, -130].map((price, i) => said(one, 10 + i, [spreads(price, -3)], 'fanduel')),
    );
  });

  it('limit: 50 by default, 1 to 200; total counts the answer’s movements', async () => {
    for (const [query, count] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
    ] as const) {
      const { body } = await history(one, query);
      expect([query, body.movements.length, body.total]).toEqual([query, count, count]);
    }
    const { body } = await history(one, '?limit=1');
    expect(body.movements[0]).toMatchObject({ price_from: -338, price_to: -339 });
  });

  it.each(['0', '201', 'x', '1.5', ''])('limit: %j is 422', async (limit) => {
    const { status, body } = await history(one, `?limit=${limit}`);
    expect([status, body.error.code]).toEqual([422, 'validation_error']);
  });

  it('bookmaker: pinnacle by default; a slug, all or a comma list; 1 credit for one, 2 for several', async () => {
    const booksOf = async (query: string) => {
      const { body, credits } = await history(one, query);
      return [[...new Set(body.movements.map(({ bookmaker }: any) => bookmaker))], credits];
    };
    expect(await booksOf('')).toEqual([['pinnacle'], 1]);
    expect(await booksOf('?bookmaker=fanduel')).toEqual([['fanduel'], 1]);
    expect(await booksOf('?bookmaker=fanduel,')).toEqual([['fanduel'], 1]);
    expect(await booksOf('?bookmaker=all')).toEqual([['fanduel', 'pinnacle'], 2]);
    expect(await booksOf('?bookmaker=pinnacle,fanduel&limit=2')).toEqual([['fanduel'], 2]);
    expect((await history(one, '?bookmaker=betmgm')).status).toBe(404);
  });

  it('is not cached', async () => {
    expect((await history(one)).headers.get('cache-control')).toBe('private, no-cache, must-revalidate');
  });
});
