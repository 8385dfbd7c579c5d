import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../agent/serving.ts';
import { type Message, market, NFL, odds, schedule } from '../spec/messages.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const PATH = '/api/agent/books';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: NOON });
  const at = { at: '2026-03-01T05:00:00Z' };
  await server.feed(schedule(NFL, 'g1', ['Home', 'Away'], '2026-03-01T18:00:00Z', at));
});
afterEach(() => server.close());

const h2h = (book: string, home: number, away: number, time = '11:59'): Message =>
  odds(
    'g1',
    book,
    [
      market('h2h', [
        ['home', home],
        ['away', away],
      ]),
    ],
    { at: `2026-03-01T${time}:00Z` },
  );
const put = (my_books: unknown, key?: string) =>
  server.ask(PATH, {
    method: 'PUT',
    body: { my_books },
    headers: { 'content-type': 'application/json' },
    ...(key === undefined ? {} : { key }),
  });
const ev = async (query = '') => (await server.get<any>(`/v1/intelligence/ev?sport=nfl${query}`)).opportunities;
const crossed = async (query = '') =>
  (await server.get<any>(`/v1/intelligence/arbitrage?sport=nfl${query}`)).opportunities;
const summary = (query = '') => server.ask(`/v1/events/1/odds/summary${query}`);
const booksOf = ({ bookmakers }: any) => bookmakers.map(({ bookmaker }: any) => bookmaker);

describe('the list itself', () => {
  it('is none at first, is what was put, and ends with null', async () => {
    expect(await server.get(PATH)).toEqual({ my_books: null });
    const { status, body, credits } = await put(['fanduel', 'betmgm', 'fanduel']);
    expect([status, body, credits]).toEqual([200, { my_books: ['fanduel', 'betmgm'] }, 0]);
    expect(await server.get(PATH)).toEqual({ my_books: ['fanduel', 'betmgm'] });
    const other = await server.newKey();
    expect(await server.get(PATH, other.key)).toEqual({ my_books: null });
    await put(null);
    expect(await server.get(PATH)).toEqual({ my_books: null });
  });

  it('given all in it, then it is refused with what stands for no list', async () => {
    await put(['fanduel']);
    const { status, body } = await put(['betmgm', 'all']);
    expect([status, body.error.errors]).toEqual([
      422,
      [
        {
          loc: ['body', 'my_books', 1],
          msg: 'is no book: null stands for no list, so that every book counts',
          type: expect.any(String),
        },
      ],
    ]);
    expect(await server.get(PATH)).toEqual({ my_books: ['fanduel'] });
  });

  it('is refused with the place and the reason, and stays as it was', async () => {
    await put(['fanduel']);
    const many = Array.from({ length: 51 }, (_, index) => `b${index}`);
    for (const wrong of [[], ['Fan Duel'], [1], 'fanduel', many, undefined]) {
      const { status, body } = await put(wrong);
      expect([wrong, status]).toEqual([wrong, 422]);
      expect(body.error.errors[0].loc.slice(0, 2)).toEqual(['body', 'my_books']);
    }
    expect(await server.get(PATH)).toEqual({ my_books: ['fanduel'] });
  });

  it('is refused to the operator’s key, which has no account', async () => {
    expect(await server.get(PATH, BOOTSTRAP_KEY)).toEqual({ my_books: null });
    expect((await put(['fanduel'], BOOTSTRAP_KEY)).status).toBe(403);
  });
});

describe('the EV scan', () => {
  beforeEach(async () => {
    await server.feed(h2h('pinnacle', -105, -105), h2h('fanduel', 105, -125), h2h('betmgm', 108, -130));
  });

  it('names the listed books alone from the next call on, and counts the better ones elsewhere', async () => {
    expect(await ev()).toMatchObject([{ ev: { book: 'betmgm' } }]);
    await put(['fanduel']);
    expect(await ev()).toMatchObject([
      { fair_probability: 0.5, ev: { book: 'fanduel', ev_pct: 2.5 }, better_elsewhere: 1 },
    ]);
    await put(['caesars']);
    expect(await ev()).toEqual([]);
    await put(null);
    expect((await ev())[0]).not.toHaveProperty('better_elsewhere');
  });

  it('takes `books` in the place of the list, and `books=all` is as without one, byte for byte', async () => {
    const bytes = async (query: string) => (await server.ask(`/v1/intelligence/ev?sport=nfl${query}`)).body;
    const without = await bytes('');
    await put(['fanduel']);
    expect(await ev('&books=betmgm')).toMatchObject([{ ev: { book: 'betmgm' }, better_elsewhere: 0 }]);
    expect(JSON.stringify(await bytes('&books=all'))).toBe(JSON.stringify(without));
    expect(await ev('&books=fanduel,betmgm&book=fanduel')).toMatchObject([{ ev: { book: 'fanduel' } }]);
  });

  it('takes slugs in any case, in `books` and in `book`', async () => {
    const bytes = async (query: string) => JSON.stringify(await server.get(`/v1/intelligence/ev?sport=nfl${query}`));
    for (const name of ['books', 'book']) {
      expect(await ev(`&${name}=FanDuel`)).toMatchObject([{ ev: { book: 'fanduel' } }]);
      expect(await bytes(`&${name}=FanDuel`)).toBe(await bytes(`&${name}=fanduel`));
    }
  });

  it('compares a listed reference book with the other ones, and not with itself', async () => {
    await server.feed(h2h('circa', 110, -120));
    await put(['circa']);
    expect(await ev()).toMatchObject([{ fair_probability: 0.5, ev: { book: 'circa', price: 110, n_books: 1 } }]);
    // By the price of the other one, the away side is likelier.
    await put(['pinnacle', 'fanduel']);
    expect(await ev()).toMatchObject([{ side: 'away', ev: { book: 'pinnacle', price: -105, n_books: 1 } }]);
  });

  it('leaves out prices that are older than 900 seconds under a list, and than `max_age` anywhere', async () => {
    server.clock.time += 20 * 60_000;
    expect(await ev()).toMatchObject([{ ev: { book: 'betmgm', quote_age_seconds: 1260 } }]);
    expect(await ev('&max_age=900')).toEqual([]);
    await put(['fanduel']);
    expect(await ev()).toEqual([]);
    expect(await ev('&max_age=1260')).toMatchObject([{ ev: { book: 'fanduel' } }]);
    expect(await ev('&max_age=1260&books=fanduel')).toMatchObject([{ better_elsewhere: 1 }]);
  });
});

it('the arbitrage scan has listed legs alone, and counts the better books for any of them', async () => {
  await server.feed(h2h('pinnacle', -105, -105), h2h('fanduel', 110, -130), h2h('betmgm', -120, 105));
  await server.feed(h2h('draftkings', 112, -130), h2h('caesars', 102, -120), h2h('consensus', 200, 200));
  expect((await crossed())[0].legs.map(({ book }: any) => book)).toEqual(['draftkings', 'betmgm']);
  await put(['fanduel', 'betmgm', 'pinnacle']);
  const [only, ...more] = await crossed();
  expect(more).toEqual([]);
  expect(only.legs.map(({ book }: any) => book)).toEqual(['fanduel', 'betmgm']);
  expect(only.better_elsewhere).toBe(1);
  expect((await crossed('&books=all'))[0]).not.toHaveProperty('better_elsewhere');
  expect(await crossed('&books=fanduel')).toEqual([]);
});

describe('the summary of odds', () => {
  beforeEach(() => server.feed(h2h('pinnacle', -105, -105), h2h('fanduel', 105, -125), h2h('betmgm', 108, -130)));

  it('has the listed books, where no bookmaker is named, at the price of one', async () => {
    const plain = await summary();
    expect([booksOf(plain.body), plain.credits]).toEqual([['pinnacle'], 1]);
    await put(['fanduel', 'betmgm']);
    const { body, credits } = await summary();
    expect([booksOf(body), credits]).toEqual([['fanduel', 'betmgm'], 1]);
    expect(booksOf((await summary('?bookmaker=all')).body)).toEqual(['fanduel', 'betmgm']);
    expect((await summary('?bookmaker=pinnacle')).body.available).toBe(false);
    const named = await summary('?books=betmgm,pinnacle');
    expect([booksOf(named.body), named.credits]).toEqual([['pinnacle', 'betmgm'], 2]);
    const all = await summary('?books=all');
    expect([all.body, all.credits]).toEqual([plain.body, 1]);
  });

  it('has no present price older than `max_age`, and keeps what was', async () => {
    await put(['fanduel']);
    server.clock.time += 20 * 60_000;
    const outcomeOf = ({ body }: any) => body.bookmakers[0].markets[0].outcomes[0];
    expect(outcomeOf(await summary())).toMatchObject({ open: { price: 105 }, current: null });
    expect(outcomeOf(await summary('?max_age=1260'))).toMatchObject({ current: { price: 105 } });
    expect(outcomeOf(await summary('?books=all&bookmaker=fanduel'))).toMatchObject({ current: { price: 105 } });
    // Named again at the same price: the price is as old as before, and stands.
    await server.feed(h2h('fanduel', 105, -125, '12:15'));
    expect(outcomeOf(await summary())).toMatchObject({ current: { price: 105, at: '2026-03-01T11:59:00Z' } });
    expect(outcomeOf(await summary('?as_of=2026-03-01T12:10:00Z&as_of_basis=observed'))).toMatchObject({
      current: { price: 105 },
    });
  });
});

it('the record takes `books`, and an event’s intelligence is the same for everybody', async () => {
  await server.feed(h2h('pinnacle', -105, -105), h2h('fanduel', 105, -125));
  const read = async () => [
    await server.get('/v1/intelligence/record?sport=nfl'),
    await server.get('/v1/events/1/intelligence'),
  ];
  const before = await read();
  await put(['caesars']);
  expect(await read()).toEqual(before);
  expect(await server.get('/v1/intelligence/record?sport=nfl&books=fanduel')).toEqual(before[0]);
});

it('what a call costs at most does not depend on the list of the account', async () => {
  await server.feed(h2h('pinnacle', -105, -105), h2h('fanduel', 105, -125), h2h('betmgm', 108, -130));
  await put(['fanduel', 'betmgm']);
  const calls = [{ tool: 'get_odds_summary', arguments: { id: 1 } }];
  const { body } = await server.post('/v1/estimate', { calls });
  expect(body.total_max_credits).toBe(1);
});
