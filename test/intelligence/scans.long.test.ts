import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { ATP, EPL, type Message, market, NFL, type Outcome, odds, schedule, score } from '../api/spec/messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
});
afterEach(() => server.close());

const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
const START = '2026-03-01T18:00:00Z';
const game = (ref: string, start = START) => schedule(NFL, ref, [`Home ${ref}`, `Away ${ref}`], start, at('05:00'));
const twoWay = (home: number, away: number): Outcome[] => [
  ['home', home],
  ['away', away],
];
const moneyline = (ref: string, book: string, home: number, away: number, time = '11:59'): Message =>
  odds(ref, book, [market('h2h', twoWay(home, away))], at(time));
const spread = (ref: string, book: string, point: number, home: number, away: number): Message =>
  odds(
    ref,
    book,
    [
      market('spreads', [
        ['home', home, point],
        ['away', away, -point],
      ]),
    ],
    at('11:59'),
  );
const total = (ref: string, book: string, point: number, over = -110, under = -110): Message =>
  odds(
    ref,
    book,
    [
      market('totals', [
        ['over', over, point],
        ['under', under, point],
      ]),
    ],
    at('11:59'),
  );
const ask = (path: string) => server.ask(`/v1/intelligence/${path}`, { key: BOOTSTRAP_KEY });
const ev = async (query: string) => (await server.get(`/v1/intelligence/ev?${query}`, BOOTSTRAP_KEY)) as any;
const crossed = async (query: string) =>
  (await server.get(`/v1/intelligence/arbitrage?${query}`, BOOTSTRAP_KEY)) as any;
const idOf = (ref: string) => server.eventId('feed', ref);

describe('the EV scan', () => {
  it('has one row for each token, the best first', async () => {
    await server.feed(game('g1'), game('g2', '2026-03-01T17:00:00Z'), game('g3'));
    for (const ref of ['g1', 'g2', 'g3']) await server.feed(moneyline(ref, 'pinnacle', -105, -105));
    await server.feed(moneyline('g1', 'fanduel', 105, -125), moneyline('g1', 'betmgm', 108, -130));
    await server.feed(moneyline('g2', 'fanduel', -125, 105), moneyline('g3', 'fanduel', -125, 105));
    const answer = await ev('sport=nfl');
    expect(answer).toMatchObject({
      sport: 'nfl',
      league: null,
      market: 'h2h',
      min_ev: 0,
      max_ev: 25,
      book: null,
      beta: true,
      total: 3,
    });
    const [first] = answer.opportunities;
    expect(first).toEqual({
      event_id: await idOf('g1'),
      side: 'home',
      team: 'Home g1',
      bet_type: 'ML_P1',
      line: null,
      fair_probability: 0.5,
      ev: {
        beta: true,
        book: 'betmgm',
        price: 108,
        ev_pct: 4,
        kelly_fraction: 0.037,
        quote_age_seconds: 60,
        n_books: 1,
      },
    });
    // Of equal ones the earlier start, then the id.
    const ids = await Promise.all(['g1', 'g2', 'g3'].map(idOf));
    expect(answer.opportunities.map(({ event_id: id }: any) => id)).toEqual(ids);
    expect((await ev('sport=nfl&limit=1')).total).toBe(1);
    expect((await ev('sport=nfl&min_ev=2.5')).total).toBe(3);
    expect((await ev('sport=nfl&min_ev=2.51')).total).toBe(1);
    expect((await ev('sport=nfl&min_ev=25e-1')).total).toBe(3);
    expect((await ev('sport=nfl&book=fanduel')).opportunities[0].ev).toMatchObject({ book: 'fanduel', ev_pct: 2.5 });
    for (const query of ['book=nobody', 'book=pinnacle', 'league=epl', 'league=none', 'market=totals']) {
      expect([query, (await ev(`sport=nfl&${query}`)).opportunities]).toEqual([query, []]);
    }
  });

  it('leaves out what has begun, is cancelled, stale, unknown, or withdrawn', async () => {
    const refs = ['live', 'off', 'past', 'stale', 'gone', 'tbd'];
    await server.feed(...refs.slice(0, 5).map((ref) => game(ref, ref === 'past' ? '2026-03-01T11:59:30Z' : START)));
    await server.feed(
      schedule(NFL, 'tbd', [{ name: 'Winner of one', placeholder: true }, 'Away tbd'], START, at('05:00')),
    );
    for (const ref of refs) {
      const time = ref === 'stale' ? '10:44' : '11:59';
      await server.feed(moneyline(ref, 'pinnacle', -105, -105, time), moneyline(ref, 'fanduel', 105, -125));
    }
    await server.feed(score('live', 'inprogress', ['0', '0']), score('off', 'postponed'));
    await server.feed(odds('gone', 'pinnacle', [{ key: 'h2h', complete: true, outcomes: [] }], at('12:00')));
    expect((await ev('sport=nfl')).opportunities).toEqual([]);
    // A reconfirmation makes the stale quote count again.
    await server.feed(moneyline('stale', 'pinnacle', -105, -105, '11:00'));
    expect((await ev('sport=nfl')).total).toBe(1);
    server.clock.time = Date.parse('2026-03-01T12:15:01Z');
    expect((await ev('sport=nfl')).total).toBe(0);
  });

  it('counts the last message that named the market, and no other', async () => {
    await server.feed(game('g1'), moneyline('g1', 'pinnacle', -105, -105, '10:40'));
    await server.feed(moneyline('g1', 'fanduel', 105, -125), total('g1', 'pinnacle', 47));
    expect((await ev('sport=nfl')).total).toBe(0);
    // The same totals again do not concern the moneyline.
    await server.feed(
      odds(
        'g1',
        'pinnacle',
        [
          market('totals', [
            ['over', -110, 47],
            ['under', -110, 47],
          ]),
        ],
        at('12:00'),
      ),
    );
    expect((await ev('sport=nfl')).total).toBe(0);
    await server.feed(moneyline('g1', 'pinnacle', -105, -105, '11:30'));
    expect((await ev('sport=nfl')).total).toBe(1);
  });

  it('names sides and tokens as the sport does', async () => {
    await server.feed(
      schedule(ATP, 't1', ['Ann Able', 'Bea Bold'], START, at('05:00')),
      schedule(EPL, 's1', ['Arsenal', 'Chelsea'], START, at('05:00')),
      ...['pinnacle', 'fanduel'].map((book) =>
        odds(
          't1',
          book,
          [
            market('h2h', [
              ['player_1', book === 'pinnacle' ? -105 : 110],
              ['player_2', book === 'pinnacle' ? -105 : -130],
            ]),
          ],
          at('11:59'),
        ),
      ),
      ...['pinnacle', 'fanduel'].map((book) =>
        odds(
          's1',
          book,
          [market('h2h', [...twoWay(190, 190), ['draw', book === 'pinnacle' ? 190 : 220]])],
          at('11:59'),
        ),
      ),
    );
    const of = ({ side, team, bet_type }: any) => [side, team, bet_type];
    expect((await ev('sport=tennis')).opportunities.map(of)).toEqual([['p1', 'Ann Able', 'ML_P1']]);
    expect((await ev('sport=soccer')).opportunities.map(of)).toEqual([['draw', null, 'ML_DRAW']]);
  });

  it('signs lines for the side', async () => {
    await server.feed(game('g1'), spread('g1', 'pinnacle', -3.5, -105, -105), spread('g1', 'fanduel', -3.5, -130, 110));
    const [row] = (await ev('sport=nfl&market=spreads')).opportunities;
    expect([row.side, row.line, row.bet_type]).toEqual(['away', 3.5, 'SPREAD_P2']);
  });

  it.each([
    ['ev', 422],
    ['ev?sport=curling', 400],
    ['ev?sport=tennis&market=totals', 400],
    ['ev?sport=nfl&market=moneyline', 422],
    ['ev?sport=nfl&min_ev=much', 422],
    ['ev?sport=nfl&limit=201', 422],
    ['arbitrage', 422],
    ['arbitrage?sport=curling', 400],
    ['arbitrage?sport=nfl&market=x', 422],
    ['arbitrage?sport=nfl&kind=x', 422],
    ['arbitrage?sport=nfl&max_age=old', 422],
  ])('%s is refused with %i', async (path, status) => {
    const answer = await ask(path);
    expect([answer.status, answer.credits]).toEqual([status, 0]);
  });

  it('clamps its bounds, and costs a credit even if it finds nothing', async () => {
    expect([(await ev('sport=nfl&min_ev=99')).min_ev, (await ev('sport=nfl&min_ev=-1')).min_ev]).toEqual([25, 0]);
    expect((await ask('ev?sport=tennis')).credits).toBe(1);
    expect((await ask('arbitrage?sport=tennis&market=totals')).credits).toBe(1);
    const clamped = await crossed('sport=nfl&min_profit=99&max_age=9999');
    expect([clamped.min_profit, clamped.max_age]).toEqual([25, 4500]);
    expect((await crossed('sport=nfl')).min_profit).toBe(0);
  });

  it('scans more events than one read returns', async () => {
    const refs = Array.from({ length: 120 }, (_, index) => `g${index}`);
    await server.feed(...refs.map((ref) => game(ref)));
    await server.feed(
      ...refs.flatMap((ref, index) => [
        moneyline(ref, 'pinnacle', -105, -105),
        moneyline(ref, 'fanduel', 101 + (index % 40), -180),
      ]),
    );
    const { opportunities, total: found } = await ev('sport=nfl&limit=200');
    expect(found).toBe(120);
    const percents = opportunities.map((one: any) => one.ev.ev_pct);
    expect(percents).toEqual([...percents].sort((a, b) => b - a));
    expect((await ev('sport=nfl&limit=7')).opportunities).toEqual(opportunities.slice(0, 7));
  });
});

describe('the arbitrage scan', () => {
  it('has stakes that return the same', async () => {
    await server.feed(game('g1'), moneyline('g1', 'pinnacle', 110, -125), moneyline('g1', 'fanduel', -130, 105));
    const answer = await crossed('sport=nfl');
    expect(answer).toEqual({
      sport: 'nfl',
      league: null,
      market: null,
      kind: 'arbitrage',
      min_profit: 0,
      max_age: 900,
      total: 1,
      opportunities: [
        {
          event_id: await idOf('g1'),
          kind: 'arbitrage',
          market: 'h2h',
          profit_pct: 3.73,
          middle: null,
          legs: [
            {
              side: 'home',
              team: 'Home g1',
              bet_type: 'ML_P1',
              book: 'pinnacle',
              line: null,
              price: 110,
              stake_pct: 49.4,
              quote_age_seconds: 60,
            },
            {
              side: 'away',
              team: 'Away g1',
              bet_type: 'ML_P2',
              book: 'fanduel',
              line: null,
              price: 105,
              stake_pct: 50.6,
              quote_age_seconds: 60,
            },
          ],
          rules_differ: [],
          rules_unknown: ['fanduel'],
        },
      ],
    });
    const empty = ['min_profit=3.74', 'max_age=59', 'market=totals', 'kind=middle', 'league=epl'];
    for (const query of empty) expect([query, (await crossed(`sport=nfl&${query}`)).total]).toEqual([query, 0]);
    expect((await crossed('sport=nfl&max_age=60&min_profit=3.73&league=nfl')).total).toBe(1);
  });

  it('names where the rules of the books differ, of an arbitrage and of a middle', async () => {
    await server.feed(game('g1'), moneyline('g1', 'draftkings', 110, -125), moneyline('g1', 'smarkets', -130, 105));
    await server.feed(total('g1', 'bodog', 44.5), total('g1', 'thescore', 47.5));
    const { opportunities } = await crossed('sport=nfl&kind=all');
    expect(opportunities.map((one: any) => [one.kind, one.market, one.rules_differ])).toEqual([
      [
        'arbitrage',
        'h2h',
        [
          { topic: 'postponement_hours', draftkings: null, smarkets: 36 },
          { topic: 'minimum_minutes', draftkings: null, smarkets: 55 },
        ],
      ],
      [
        'middle',
        'totals',
        [
          { topic: 'postponement_hours', bodog: 24, thescore: null },
          { topic: 'abandoned', bodog: 'score', thescore: 'decided' },
        ],
      ],
    ]);
  });

  it('orders kinds and markets, and has losing middles only if no profit is asked for', async () => {
    await server.feed(game('g1'), total('g1', 'a', 44.5), total('g1', 'b', 47.5), spread('g1', 'a', -2.5, -110, -110));
    await server.feed(spread('g1', 'b', -3.5, -110, -110), moneyline('g1', 'a', 110, -130));
    await server.feed(moneyline('g1', 'b', -130, 110));
    const rows = async (query: string) =>
      (await crossed(`sport=nfl&${query}`)).opportunities.map((one: any) => [one.kind, one.market, one.middle]);
    expect(await rows('kind=all')).toEqual([
      ['arbitrage', 'h2h', null],
      ['middle', 'spreads', [2.5, 3.5]],
      ['middle', 'totals', [44.5, 47.5]],
    ]);
    expect(await rows('kind=all&min_profit=0')).toEqual([['arbitrage', 'h2h', null]]);
    expect(await rows('kind=middle&market=totals')).toEqual([['middle', 'totals', [44.5, 47.5]]]);
  });
});

it('a key for some sports scans only these', async () => {
  const { key } = await server.newKey({ scopes: ['nba'] });
  const { status, body } = await server.ask<any>('/v1/intelligence/ev?sport=nfl', { key });
  expect([status, body.error.code]).toEqual([403, 'sport_scope_denied']);
  expect((await server.ask('/v1/intelligence/arbitrage?sport=nba', { key })).status).toBe(200);
});
