import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EPL, market, odds, schedule, score } from '../spec/messages.ts';
import { AFTER, at, type BetServer, evenPrices, game, serveBets } from './bets-server.ts';

let server: BetServer;
beforeEach(async () => {
  server = await serveBets();
});
afterEach(() => server.close());

const post = (bets: unknown, more: object = {}) => server.post('/v1/bets', { bets }, more);
const list = async (query = '', key?: string) => (await server.get(`/v1/bets${query}`, key)).bets;
async function end(home = '27', away = '20') {
  server.clock.time = AFTER;
  await server.feed(score('g1', 'final', [home, away], at('21:00')));
}
const csv = (body: string) => server.ask('/v1/bets', { method: 'POST', headers: { 'content-type': 'text/csv' }, body });

describe('a bet of one’s own', () => {
  it('given a bet before the start, then it has neither grade nor close nor profit, free of charge', async () => {
    const { status, body, credits } = await post([server.bet()]);
    expect([status, credits, body]).toEqual([201, 0, { bets: [{ id: expect.any(Number) }] }]);
    expect(await list()).toEqual([
      {
        id: body.bets[0].id,
        event_id: server.event,
        sport: 'nfl',
        home_team: 'Kansas City Chiefs',
        away_team: 'Denver Broncos',
        starts_at: '2026-03-01T12:45:00Z',
        market_key: 'h2h',
        side: 'home',
        line: null,
        player_id: null,
        team_id: null,
        price: 120,
        stake: 10,
        book: 'draftkings',
        placed_at: '2026-03-01T11:00:00Z',
        created_at: '2026-03-01T12:00:00Z',
        grade: 'in_progress',
        message: 'The event has not started.',
        closing_fair_price: null,
        clv: null,
        profit: null,
        decimal: null,
      },
    ]);
  });

  it.each([
    ['won', { side: 'home' }, 'won', 12],
    ['lost', { side: 'away' }, 'lost', -10],
    ['the side that was taken', { market_key: 'totals', side: 'over', line: 46.5, price: -110 }, 'over', 9.090909],
    ['the other side', { market_key: 'totals', side: 'under', line: 46.5 }, 'over', -10],
    ['a push', { market_key: 'spreads', side: 'home', line: -7 }, 'push', 0],
  ])('given %s, then its grade and profit say so', async (_, more, grade, profit) => {
    await server.add(server.bet(more));
    await end();
    expect((await list())[0]).toMatchObject({ grade, profit });
  });

  it.each([
    [1.95, -105, 950],
    [1.91, -110, 910],
    [2.005, 101, 1005],
  ])('given decimal odds of %s, then it pays by them, and not by the American ones', async (decimal, price, profit) => {
    await server.add(server.bet({ decimal, price, stake: 1000 }));
    await csv(
      `event_id,market_key,side,odds,stake,book,placed_at\n${server.event},h2h,home,${decimal},1000,x,2026-03-01T11:00:00Z`,
    );
    await end();
    const told = { price, decimal, profit, clv: Number((decimal / 2 - 1).toFixed(6)) };
    expect(await list()).toMatchObject([told, told]);
    const { total } = await server.get('/v1/bets/summary?by=sport');
    expect([total.profit, total.clv]).toEqual([2 * profit, told.clv]);
    const headers = { authorization: `Bearer ${server.key}` };
    const text = await (await fetch(`${server.url}/v1/bets?format=csv`, { headers })).text();
    expect(text.split('\r\n').map((line) => line.split(',').at(-1))).toEqual([
      'decimal',
      String(decimal),
      String(decimal),
      '',
    ]);
  });

  it('given a corrected score, then grade and profit follow it', async () => {
    await server.add(server.bet());
    await end();
    expect((await list())[0]).toMatchObject({ grade: 'won', profit: 12 });
    await server.feed(score('g1', 'final', ['17', '20'], at('21:30')));
    expect((await list())[0]).toMatchObject({ grade: 'lost', profit: -10 });
  });

  it('given the close, then clv is what the fair closing price says of the price that was taken', async () => {
    await server.feed(evenPrices('g1', '11:50', -150, 130));
    await server.add(server.bet(), server.bet({ side: 'away', price: 130 }));
    await end();
    const [away, home] = await list();
    const { consensus } = await server.get(`/v1/events/${server.event}/odds/summary`);
    const [closeOfHome, closeOfAway] = consensus[0].outcomes.map(({ close }: any) => close);
    expect(closeOfHome).toBeGreaterThan(0.5);
    expect(home.clv).toBeCloseTo(2.2 * closeOfHome - 1, 6);
    expect(away.clv).toBeCloseTo(2.3 * closeOfAway - 1, 6);
    expect(home.closing_fair_price).toBe(-Math.round((100 * closeOfHome) / closeOfAway));
    expect(away.closing_fair_price).toBe(Math.round((100 * closeOfHome) / closeOfAway));
  });

  it('given another line than the closing one, then there is no closing price; of the same line there is', async () => {
    const spread = (side: string, line: number) => server.bet({ market_key: 'spreads', side, line });
    await server.add(spread('home', -3), spread('away', 3), spread('home', -3.5), spread('away', -3));
    await end();
    const closes = (await list()).reverse().map((bet: any) => [bet.closing_fair_price, bet.clv]);
    expect(closes).toEqual([
      [100, 0.1],
      [100, 0.1],
      [null, null],
      [null, null],
    ]);
  });

  it('given a bet placed after the start, then the close is told, but no clv; at the start there is one', async () => {
    server.clock.time = Date.parse('2026-03-01T19:00:00Z');
    await server.add(
      server.bet({ placed_at: '2026-03-01T12:45:01Z' }),
      server.bet({ placed_at: '2026-03-01T12:45:00Z' }),
    );
    const [atStart, after] = await list();
    expect([atStart.closing_fair_price, atStart.clv]).toEqual([100, 0.1]);
    expect([after.closing_fair_price, after.clv]).toEqual([100, null]);
  });

  it('given words, then the names are resolved once, and tonight is the night of the bet', async () => {
    server.clock.time = Date.parse('2026-03-20T12:00:00Z');
    const words = { event_id: undefined, market_key: undefined, side: undefined };
    await server.add(server.bet({ ...words, text: 'Chiefs -3.5 today', clues: { sport: 'nfl' } }));
    expect((await list())[0]).toMatchObject({
      event_id: server.event,
      market_key: 'spreads',
      side: 'home',
      line: -3.5,
    });
  });

  it('given a quarter line that is half won, then half of the profit is told', async () => {
    await server.feed(schedule(EPL, 'm1', ['Arsenal', 'Chelsea'], '2026-03-01T15:00:00Z', at('05:00')));
    const event_id = await server.eventId('feed', 'm1');
    const line = { event_id, market_key: 'spreads', side: 'away', line: 0.25 };
    await server.add(server.bet(line), server.bet({ ...line, side: 'home', line: -0.25 }));
    server.clock.time = AFTER;
    await server.feed(score('m1', 'final', ['1', '1'], at('17:00')));
    const told = (await list()).map(({ grade, message, profit }: any) => [grade, message, profit]);
    expect(told).toEqual([
      ['lost', 'half lost', -5],
      ['won', 'half won', 6],
    ]);
  });
});

describe('a bet on a part of an event', () => {
  const HALVES = [
    {
      score: '27',
      period_scores: [7, 3, 10, 7].map((points, index) => ({ period: String(index + 1), score: points })),
    },
    {
      score: '20',
      period_scores: [0, 7, 3, 10].map((points, index) => ({ period: String(index + 1), score: points })),
    },
  ] as const;
  it('given by its member or in words, then it settles by that part, and has no closing price', async () => {
    const half = server.bet({ market_key: 'totals', side: 'over', line: 16.5, scope: '1H' });
    const words = { event_id: undefined, market_key: undefined, side: undefined, line: undefined };
    await server.add(half, server.bet({ ...words, text: 'Chiefs Q3 ML', clues: { event_id: server.event } }));
    server.clock.time = AFTER;
    await server.feed(score('g1', 'final', HALVES as never, at('21:00')));
    const told = (await list()).map(({ scope, grade, closing_fair_price }: any) => [scope, grade, closing_fair_price]);
    expect(told).toEqual([
      ['Q3', 'won', null],
      ['1H', 'over', null],
    ]);
  });

  it('given one that its sport has not, then the scope is the place', async () => {
    const { status, body } = await post([server.bet({ market_key: 'h2h', line: undefined, scope: 'F5' })]);
    expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'bets', 0, 'scope']]);
  });
});

describe('what is refused', () => {
  const wrong = async (bets: unknown) => {
    const { status, body } = await post(bets);
    expect(status).toBe(422);
    expect(await list()).toEqual([]);
    return body.error.errors[0].loc;
  };
  it.each<[string, () => object, string]>([
    ['no price', () => ({ price: undefined }), 'price'],
    ['a decimal price', () => ({ price: 1.91 }), 'price'],
    ['a price of 50', () => ({ price: 50 }), 'price'],
    ['decimal odds that are another price', () => ({ price: -110, decimal: 1.95 }), 'decimal'],
    ['decimal odds of 1', () => ({ price: -110, decimal: 1 }), 'decimal'],
    ['no stake', () => ({ stake: 0 }), 'stake'],
    ['a blank book', () => ({ book: ' ' }), 'book'],
    ['a time without Z', () => ({ placed_at: '2026-03-01T11:00:00' }), 'placed_at'],
    ['a time to come', () => ({ placed_at: '2026-03-01T12:00:01Z' }), 'placed_at'],
    ['a line of h2h', () => ({ line: 3 }), 'line'],
    ['no side', () => ({ side: undefined }), 'side'],
    ['an unknown event', () => ({ event_id: 999_999 }), 'event_id'],
    ['a draw outside soccer', () => ({ side: 'draw' }), 'side'],
    [
      'an unknown player',
      () => ({ market_key: 'rushing_yards', side: 'over', line: 9.5, player_id: 99_999 }),
      'player_id',
    ],
    ['a period market', () => ({ market_key: 'first_half_h2h' }), 'market_key'],
    ['words beside a leg', () => ({ text: 'Chiefs ml' }), 'event_id'],
  ])('given %s in the second bet, then its place is told and none is taken', async (_, more, member) => {
    expect(await wrong([server.bet(), server.bet(more())])).toEqual(['body', 'bets', 1, member]);
  });

  it('given bets that are wrong in several ways, then the first of them is told first, and those with wrong members too', async () => {
    const placesOf = async (...bets: object[]) => {
      const { status, body } = await post(bets);
      expect([status, await list()]).toEqual([422, []]);
      return body.error.errors.map(({ loc }: any) => loc.slice(2).join('.'));
    };
    const [unknown, free, nobody] = [
      server.bet({ event_id: 999_999 }),
      server.bet({ stake: 0 }),
      server.bet({ event_id: undefined, market_key: undefined, side: undefined, text: 'Nobodies ml' }),
    ];
    expect(await placesOf(unknown, free)).toEqual(['0.event_id', '1.stake']);
    expect(await placesOf(free, unknown)).toEqual(['0.stake']);
    expect(await placesOf(server.bet(), nobody, unknown, free, free)).toEqual(['1.text', '3.stake', '4.stake']);
    expect(await placesOf(nobody, 5 as never)).toEqual(['0.text', '1']);
  });

  it('given a key of some sports, then the first that is wrong is told first, whatever is wrong with it', async () => {
    const { body } = await server.post('/api/agent/keys', { name: 'nba', scopes: ['nba'] });
    const codeOf = async (...bets: object[]) => (await post(bets, { key: body.key })).body.error.code;
    const [denied, free, unknown] = [server.bet(), server.bet({ stake: 0 }), server.bet({ event_id: 999_999 })];
    expect(await codeOf(denied, free)).toBe('sport_scope_denied');
    expect(await codeOf(free, denied)).toBe('validation_error');
    expect(await codeOf(unknown, denied)).toBe('validation_error');
  });

  it.each([
    ['a name alone', 'Chiefs'],
    ['nobody', 'Nobodies ml'],
    ['a parlay', 'Chiefs ml, Broncos +3'],
    ['no bet', '$20'],
  ])('given words of %s, then the text is the place', async (_, text) => {
    const words = server.bet({ event_id: undefined, market_key: undefined, side: undefined, text });
    expect(await wrong([words])).toEqual(['body', 'bets', 0, 'text']);
  });

  it('given no bet, or 201, then the list is the place; 200 are taken', async () => {
    expect(await wrong([])).toEqual(['body', 'bets']);
    expect(await wrong(Array(201).fill(server.bet()))).toEqual(['body', 'bets']);
    expect(await server.add(...Array(200).fill(server.bet()))).toHaveLength(200);
  });

  it('given 5,000 bets, then one more is refused', async () => {
    const bets = Array(200).fill(server.bet());
    for (let n = 0; n < 24; n++) await server.add(...bets);
    await server.add(...Array(199).fill(server.bet()));
    expect((await post([server.bet(), server.bet()])).status).toBe(403);
    await server.add(server.bet());
    const { status, body } = await post([server.bet()]);
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'forbidden',
      'An account may hold 5000 bets. Delete some first.',
    ]);
    expect((await server.get('/v1/bets/summary?by=book')).total.bets).toBe(5000);
  }, 60_000);
});

describe('whose a bet is', () => {
  it('given another account, then it sees and deletes nothing', async () => {
    const [id] = await server.add(server.bet());
    const { key } = await server.newKey();
    expect(await list('', key)).toEqual([]);
    expect((await server.ask(`/v1/bets/${id}`, { method: 'DELETE', key })).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('given a key of another sport, then it neither adds, sees nor deletes the bet', async () => {
    const [id] = await server.add(server.bet());
    const { body } = await server.post('/api/agent/keys', { name: 'nba', scopes: ['nba'] });
    const key = body.key;
    expect(await list('', key)).toEqual([]);
    expect((await server.get('/v1/bets/summary?by=sport', key)).total.bets).toBe(0);
    expect((await server.ask(`/v1/bets/${id}`, { method: 'DELETE', key })).status).toBe(404);
    expect((await post([server.bet()], { key })).body.error.code).toBe('sport_scope_denied');
  });

  it('given a deletion, then it is 204, and 404 from then on', async () => {
    const [one, other] = await server.add(server.bet(), server.bet());
    const remove = async () => (await server.ask(`/v1/bets/${one}`, { method: 'DELETE' })).status;
    expect([await remove(), await remove()]).toEqual([204, 404]);
    expect((await list()).map(({ id }: any) => id)).toEqual([other]);
  });

  it('given an Idempotency-Key twice, then the bets are added once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await post([server.bet()], { headers });
    expect((await post([server.bet()], { headers })).body).toEqual(first.body);
    expect(await list()).toHaveLength(1);
  });
});

describe('lists', () => {
  it('come newest first, in pages, also after the bet of the cursor was deleted', async () => {
    const ids = await server.add(server.bet(), server.bet(), server.bet());
    const first = await server.get('/v1/bets?limit=2');
    expect([first.bets.map(({ id }: any) => id), first.next_after_id]).toEqual([[ids[2], ids[1]], ids[1]]);
    await server.ask(`/v1/bets/${ids[1]}`, { method: 'DELETE' });
    const second = await server.get(`/v1/bets?limit=2&after_id=${ids[1]}`);
    expect([second.bets.map(({ id }: any) => id), second.next_after_id]).toEqual([[ids[0]], null]);
  });

  it('given a cursor that no bet ever had, then it is 400', async () => {
    const ids = await server.add(server.bet());
    for (const id of [99_999, ids[0]! + 1, 0, -1]) {
      const { status, body } = await server.ask(`/v1/bets?after_id=${id}`);
      expect([status, body.error.code, body.error.message]).toEqual([
        400,
        'bad_request',
        `after_id: there is no bet ${id}`,
      ]);
    }
  });

  it('go on after the last bet that was given, though it was deleted', async () => {
    const ids = await server.add(server.bet(), server.bet());
    await server.ask(`/v1/bets/${ids[1]}`, { method: 'DELETE' });
    expect((await list(`?after_id=${ids[1]}`)).map(({ id }: any) => id)).toEqual([ids[0]]);
  });

  it('are of the days on which the bets were placed, both included', async () => {
    const placed = (placed_at: string) => server.bet({ placed_at });
    await server.add(placed('2026-02-27T23:59:59Z'), placed('2026-02-28T00:00:00Z'), placed('2026-02-28T23:59:59Z'));
    const times = async (query: string) => (await list(query)).map(({ placed_at }: any) => placed_at.slice(5, 13));
    expect(await times('?from=2026-02-28&to=2026-02-28')).toEqual(['02-28T23', '02-28T00']);
    expect(await times('?to=2026-02-27')).toEqual(['02-27T23']);
    for (const query of ['from=yesterday', 'from=2026-02-28&to=2026-02-27']) {
      expect((await server.ask(`/v1/bets?${query}`)).status).toBe(400);
    }
  });

  it('are had as CSV', async () => {
    await server.add(server.bet());
    await end();
    const headers = { authorization: `Bearer ${server.key}` };
    const text = await (await fetch(`${server.url}/v1/bets?format=csv`, { headers })).text();
    const [names, values] = text.split('\r\n').map((line) => line.split(','));
    expect(Object.fromEntries(names!.map((name, index) => [name, values![index]]))).toMatchObject({
      grade: 'won',
      profit: '12',
      clv: '0.1',
      closing_fair_price: '100',
    });
  });
});

describe('bets as CSV', () => {
  it('given the columns of the body, then they are taken; empty cells are absent', async () => {
    const { status, body } = await csv(
      `event_id,market_key,side,line,price,stake,book,placed_at\r\n${server.event},spreads,home,-3,-110,10.5,fanduel,2026-03-01T11:00:00Z\r\n${server.event},h2h,away,,+130,5,fanduel,2026-03-01T11:00:00Z\r\n`,
    );
    expect([status, body.bets.length]).toEqual([201, 2]);
    expect(await list()).toMatchObject([
      { market_key: 'h2h', side: 'away', line: null, price: 130, stake: 5 },
      { market_key: 'spreads', side: 'home', line: -3, price: -110, stake: 10.5 },
    ]);
  });

  it('given a sheet as people keep it, then it is understood', async () => {
    const sheet = `Date,Sport,Pick,Odds,Risk,Sportsbook,Result\n2026-03-01 11:00,nfl,Chiefs ML today,-110,"$1,000.00",FanDuel,W\n2026-03-01,nfl,Broncos +3,1.91,20,FanDuel,L\n`;
    expect((await csv(sheet)).status).toBe(201);
    expect(await list()).toMatchObject([
      { market_key: 'spreads', side: 'away', price: -110, stake: 20, placed_at: '2026-03-01T00:00:00Z' },
      { market_key: 'h2h', side: 'home', price: -110, stake: 1000, placed_at: '2026-03-01T11:00:00Z' },
    ]);
  });

  it.each([
    ['Sport', 'NFL'],
    ['Sport', ' nfl '],
    ['Sport', 'American Football'],
    ['Sport', 'Football'],
    ['League', 'NFL'],
    ['League', 'National Football League'],
  ])('given a %s called %s, then it is known', async (column, name) => {
    const { status } = await csv(
      `Date,${column},Pick,Odds,Stake,Book\n2026-03-01 11:00,"${name}",Chiefs ML today,-110,1,FanDuel`,
    );
    expect(status).toBe(201);
    expect(await list()).toMatchObject([{ event_id: server.event, side: 'home' }]);
  });

  it.each(['EPL', 'epl', 'Premier League', 'soccer', 'Soccer'])(
    'given the league of a club called %s, then it is known in both columns',
    async (name) => {
      await server.feed(schedule(EPL, 'm1', ['Arsenal', 'Chelsea'], '2026-03-01T15:00:00Z', at('05:00')));
      const rows = ['League', 'Sport'].map(
        (column) => `Date,${column},Pick,Odds,Stake,Book\n2026-03-01,${name},Arsenal ML,-110,1,x`,
      );
      for (const sheet of rows) expect((await csv(sheet)).status).toBe(201);
    },
  );

  it.each(['Sport', 'League'])('given an unknown %s, then the column and the value are told', async (column) => {
    const { status, body } = await csv(
      `Date,${column},Pick,Odds,Stake,Book\n2026-03-01,Quidditch,Chiefs ML,-110,1,FanDuel`,
    );
    expect([status, body.error.errors]).toEqual([
      422,
      [
        {
          loc: ['body', 'bets', 0, 'clues', column.toLowerCase()],
          msg: 'must name a sport or a league that the server knows; “Quidditch” is none',
          type: 'custom',
        },
      ],
    ]);
  });

  it('given clues of a sport and of another sport’s league, then nobody is meant', async () => {
    const { status, body } = await csv(
      `Date,Sport,League,Pick,Odds,Stake,Book\n2026-03-01,NBA,NFL,Chiefs ML,-110,1,FanDuel`,
    );
    expect([status, body.error.errors[0].msg]).toEqual([422, 'No team “Chiefs” is known.']);
  });

  it('given a wrong row, then its place is told and none is taken', async () => {
    const { status, body } = await csv(
      `event_id,market_key,side,price,stake,book,placed_at\n${server.event},h2h,home,-110,1,x,2026-03-01T11:00:00Z\n${server.event},h2h,home,much,1,x,2026-03-01T11:00:00Z\n`,
    );
    expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'bets', 1, 'price']]);
    expect(await list()).toEqual([]);
  });

  it('given a row with an unknown team before one with a wrong stake, then the first is told', async () => {
    const { status, body } = await csv(
      'pick,odds,stake,book,date\nNobodies ML,-110,1,x,2026-03-01\nChiefs ML,-110,0,x,2026-03-01',
    );
    expect([status, body.error.errors[0].loc]).toEqual([422, ['body', 'bets', 0, 'text']]);
    expect(await list()).toEqual([]);
  });

  it('given what is no CSV, then it is refused', async () => {
    for (const body of ['a,"b\n1,"2', '\0', 'nothing']) expect((await csv(body)).status).toBeOneOf([400, 422]);
    expect(await list()).toEqual([]);
  });
});

describe('summaries', () => {
  it('given bets of two books and months, then each row and the total add up', async () => {
    await server.feed(game('g2', '2026-03-08T18:00:00Z'));
    const later = await server.eventId('feed', 'g2');
    await server.add(
      server.bet(),
      server.bet({ side: 'away', stake: 5, book: 'fanduel' }),
      server.bet({ event_id: later, stake: 1, placed_at: '2026-02-28T23:00:00Z' }),
      server.bet({ market_key: 'totals', side: 'over', line: 46.5, price: -110, stake: 11 }),
    );
    await end();
    const by = (name: string) => server.get(`/v1/bets/summary?by=${name}`);
    const total = { bets: 4, staked: 27, profit: 17, clv: 0.1 };
    expect(await by('book')).toEqual({
      by: 'book',
      rows: [
        { key: 'draftkings', bets: 3, staked: 22, profit: 22, clv: 0.1 },
        { key: 'fanduel', bets: 1, staked: 5, profit: -5, clv: 0.1 },
      ],
      total,
    });
    expect((await by('month')).rows).toEqual([
      { key: '2026-02', bets: 1, staked: 1, profit: null, clv: null },
      { key: '2026-03', bets: 3, staked: 26, profit: 17, clv: 0.1 },
    ]);
    expect((await by('market')).rows.map(({ key, bets }: any) => [key, bets])).toEqual([
      ['h2h', 3],
      ['totals', 1],
    ]);
    expect((await by('sport')).rows).toEqual([{ key: 'nfl', ...total }]);
  });

  it('given one book in several spellings, then it is one row, a known bookmaker under its slug', async () => {
    const of = (book: string) => server.bet({ book });
    await server.add(of('FanDuel'), of('fanduel'), of('Fan Duel'), of('Hard Rock'), of('Joe’s bar'), of('joe’s Bar'));
    const { rows } = await server.get('/v1/bets/summary?by=book');
    expect(rows.map(({ key, bets }: any) => [key, bets])).toEqual([
      ['fanduel', 3],
      ['hardrock', 1],
      ['joe’s Bar', 2],
    ]);
  });

  it('given no bet, then the total is of none', async () => {
    expect(await server.get('/v1/bets/summary?by=sport')).toEqual({
      by: 'sport',
      rows: [],
      total: { bets: 0, staked: 0, profit: null, clv: null },
    });
  });

  it('given no grouping or an unknown one, then it is 422', async () => {
    for (const query of ['', '?by=day']) expect((await server.ask(`/v1/bets/summary${query}`)).status).toBe(422);
  });
});

it('given a total of another event, then each close is of its own', async () => {
  await server.feed(
    game('g2', '2026-03-01T12:50:00Z'),
    odds(
      'g2',
      'pinnacle',
      [
        market('h2h', [
          ['home', -200],
          ['away', 180],
        ]),
      ],
      at('11:40'),
    ),
  );
  const other = await server.eventId('feed', 'g2');
  await server.add(server.bet(), server.bet({ event_id: other }));
  server.clock.time = AFTER;
  const [second, first] = await list();
  expect(first.closing_fair_price).toBe(100);
  expect(second.closing_fair_price).toBeLessThan(-150);
});
