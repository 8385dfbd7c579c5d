import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import type { Message } from '../../spec/messages.ts';
import { GAME } from './venue-game.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
  await server.feed(GAME);
});
afterEach(() => server.close());

const FROM = { source: 'feed', at: '2026-03-01T11:55:00Z', ref: 'g1' };
const odds = (bookmaker: string, home: number, away: number) =>
  ({
    kind: 'odds',
    ...FROM,
    bookmaker,
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', price: home },
          { outcome: 'away', price: away },
        ],
      },
    ],
  }) as unknown as Message;

type Side = readonly (readonly [number, number])[];
const book = (home: Side, away: Side, { bids = [[], []] as readonly [Side, Side], ...more }: any = {}) =>
  ({
    kind: 'book',
    ...FROM,
    venue: 'kalshi',
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', asks: home, bids: bids[0] },
          { outcome: 'away', asks: away, bids: bids[1] },
        ],
        ...more,
      },
    ],
  }) as unknown as Message;

const scan = async (what: string, query = '') =>
  (await server.ask(`/v1/intelligence/${what}?sport=nba${query}`, { key: BOOTSTRAP_KEY })) as any;

describe('prices of an exchange that come without its ladder, as an aggregator sends them', () => {
  const LADDER = book([[0.5, 500]], [[0.52, 500]]);
  const later = (home: number, away: number) =>
    ({ ...odds('kalshi', home, away), at: '2026-03-01T11:58:00Z' }) as Message;
  const shown = async () => {
    const { bookmakers } = (await server.get('/v1/events/1/odds?bookmaker=kalshi&include_depth=true')) as any;
    return bookmakers[0].markets[0].outcomes;
  };

  it('given other prices than the ladder gives, then value and arbitrage are of those, and no ladder is shown', async () => {
    await server.feed(odds('pinnacle', -140, 120), LADDER);
    expect((await scan('ev', '&book=kalshi')).body.opportunities).toMatchObject([{ ev: { price: 100, size: 500 } }]);
    await server.feed(later(-160, 118));
    expect((await scan('ev', '&book=kalshi')).body.opportunities).toEqual([]);
    expect((await scan('arbitrage', '&max_age=600')).body.opportunities).toEqual([]);
    for (const one of await shown()) expect(one).not.toHaveProperty('asks');
  });

  it('given the prices that the ladder gives, then the ladder stands', async () => {
    await server.feed(odds('pinnacle', -140, 120), LADDER, later(100, -108));
    expect((await scan('ev', '&book=kalshi')).body.opportunities).toMatchObject([{ ev: { price: 100, size: 500 } }]);
    expect(await shown()).toMatchObject([{ asks: [[0.5, 500]] }, { asks: [[0.52, 500]] }]);
  });
});

describe('value at an exchange', () => {
  it('given a ladder, then a larger stake gets a worse price, and one beyond the ladder gets none', async () => {
    const asks: Side = [
      [0.45, 100],
      [0.48, 100],
    ];
    await server.feed(odds('pinnacle', 100, 100), book(asks, [[0.6, 1000]]));
    const found = async (stake: number) => (await scan('ev', `&stake=${stake}`)).body.opportunities[0]?.ev;
    // 100 at 0.45 are 222.22 contracts; 100 more at 0.48 are 208.33: 430.56 / 200 is 2.1528.
    expect(await found(100)).toMatchObject({ book: 'kalshi', price: 122, ev_pct: 11, size: 100 });
    expect(await found(200)).toMatchObject({ book: 'kalshi', price: 115, ev_pct: 7.5, size: 100 });
    expect(await found(201)).toBeUndefined();
    expect((await scan('ev')).body.opportunities[0].ev.price).toBe(122);
    const listed = await scan('ev', '&books=kalshi&stake=200');
    expect(listed.body.opportunities[0].ev).toMatchObject({ price: 115, size: 100 });
    expect((await scan('ev', '&books=kalshi&stake=201')).body.opportunities).toEqual([]);
  });

  it('given a fee, then the price is net of it', async () => {
    const fee = { model: 'p(1-p)', rate: 0.07, rounding: 0.01 };
    await server.feed(odds('pinnacle', 100, 100), book([[0.45, 1000]], [[0.6, 1000]], { fee }));
    // 100 / (0.45 + 0.07 x 0.45 x 0.55) is 213.98 contracts.
    expect((await scan('ev')).body.opportunities[0].ev).toMatchObject({ price: 114, ev_pct: 7 });
  });

  it('given a fee that comes late, with a book of a past moment, then it holds from then on, whatever came first', async () => {
    const fee = { model: 'notional', rate: 0.05 };
    const before = book([[0.44, 10]], [[0.6, 10]], { fee });
    const now = { ...book([[0.45, 1000]], [[0.6, 1000]]), at: '2026-03-01T11:56:00Z' };
    await server.feed(odds('pinnacle', 100, 100), now, before);
    // 100 / (0.45 x 1.05) is 211.64 contracts.
    expect((await scan('ev')).body.opportunities[0].ev).toMatchObject({ price: 112, size: 1000 });
    const shown = async () => {
      const { bookmakers } = (await server.get('/v1/events/1/odds?bookmaker=kalshi&include_depth=true')) as any;
      return bookmakers[0].markets[0];
    };
    expect(await shown()).toMatchObject({ fee: { model: 'notional', rate: 0.05 } });
    await server.feed({ ...now, at: '2026-03-01T11:57:00Z' });
    expect((await shown()).outcomes[0]).toMatchObject({ price: 112 });
  });

  it.each([0, -5, 2_000_000])('given a stake of %d, then it is refused', async (stake) => {
    for (const what of ['ev', 'arbitrage']) {
      const { status, body } = await scan(what, `&stake=${stake}`);
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toMatch(/stake.*must be at (least 1|most 1000000)/);
    }
  });
});

describe('an arbitrage with an exchange', () => {
  it('given a ladder, then the stake is that of all legs together', async () => {
    const asks: Side = [
      [0.5, 50],
      [0.6, 1000],
    ];
    await server.feed(odds('draftkings', -150, 130), book(asks, [[0.6, 1000]]));
    // Of 100, 53.73 go to the exchange: 50 at 0.5 and 3.73 at 0.6 are 106.22 contracts, which is 1.977.
    const { legs } = (await scan('arbitrage')).body.opportunities[0];
    expect(legs.map(({ book: name }: any) => name)).toEqual(['kalshi', 'draftkings']);
    expect(legs[0]).toMatchObject({ price: -102, stake_pct: 53.73, size: 50 });
    expect(legs[1]).not.toHaveProperty('size');
    expect((await scan('arbitrage', '&stake=90')).body.opportunities[0].legs[0]).toMatchObject({ price: 100 });
    expect((await scan('arbitrage', '&stake=1000')).body.opportunities).toEqual([]);
  });

  it('given one contract seen from both sides, whose prices sum to 1, then there is none', async () => {
    await server.feed(odds('draftkings', -150, 100), book([[0.5, 1000]], [[0.5, 1000]]));
    expect((await scan('arbitrage')).body.opportunities).toEqual([]);
  });
});
