import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import type { Message } from '../../spec/messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
  await server.feed(...['Ashford', 'Brook', 'Cove'].map(team));
});
afterEach(() => server.close());

const team = (name: string) =>
  ({
    kind: 'team',
    source: 'feed',
    at: '2025-08-01T00:00:00Z',
    sport: 'soccer',
    league: 'epl',
    ref: name,
    name,
    abbreviation: name.slice(0, 3),
  }) as unknown as Message;

/** Prices of one bookmaker, by team. */
const outright = (at: string, prices: Readonly<Record<string, number>>, more: object = {}) =>
  ({
    kind: 'outright',
    source: 'feed',
    at,
    sport: 'soccer',
    league: 'epl',
    season: 2025,
    market: 'winner',
    bookmaker: 'pinnacle',
    outcomes: Object.entries(prices).map(([name, price]) => ({ team: name, price })),
    ...more,
  }) as unknown as Message;

const ask = (path: string) => server.ask(`/v1/leagues/${path}`, { key: BOOTSTRAP_KEY });
const futures = async (query = 'season=2025') => (await ask(`epl/futures?${query}`)).body;
const pricesOf = (body: any) =>
  body.markets.map(({ market, bookmakers }: any) => [
    market,
    ...bookmakers.map(({ bookmaker, outcomes }: any) =>
      [bookmaker, ...outcomes.map(({ team: name, player, price }: any) => `${name ?? player} ${price}`)].join(', '),
    ),
  ]);

describe('the futures of a season', () => {
  it('given a team or a player twice in one message, whatever the names are, then it is rejected, and nothing moves', async () => {
    await server.feed(outright('2025-09-01T12:00:00Z', { Ashford: 150, Brook: 200 }));
    const players = {
      outcomes: [
        { player: 'Ann Arm', price: 110 },
        { player: 'ann arm', price: 130 },
      ],
    };
    const { outcomes } = await server.take([
      outright('2025-09-01T13:00:00Z', { Ashford: 110, ASHFORD: 130 }),
      outright('2025-09-01T13:00:00Z', {}, { market: 'top_scorer', ...players }),
    ]);
    const refused = { status: 'rejected', code: 'invalid_field', path: 'outcomes.1' };
    expect(outcomes).toMatchObject([refused, refused]);
    expect(pricesOf(await futures())).toEqual([['winner', 'pinnacle, Ashford 150, Brook 200']]);
  });

  it('given prices, then they stand by market and bookmaker, the likeliest first', async () => {
    await server.feed(
      outright('2025-09-01T10:00:00Z', { Ashford: 150, Brook: -120, Cove: 900 }),
      outright('2025-09-01T11:00:00Z', { Cove: 110 }, { market: 'relegation', bookmaker: 'bet365' }),
      outright('2025-09-01T12:00:00Z', { Ashford: 140 }, { bookmaker: 'bet365' }),
      outright('2025-09-01T12:00:00Z', { Ashford: 200 }, { season: 2026 }),
    );
    const answer = await ask('epl/futures?season=2025');
    expect(answer.credits).toBe(1);
    expect(answer.body).toMatchObject({ league: 'epl', season: 2025 });
    expect(pricesOf(answer.body)).toEqual([
      ['relegation', 'bet365, Cove 110'],
      ['winner', 'pinnacle, Brook -120, Ashford 150, Cove 900', 'bet365, Ashford 140'],
    ]);
    const [, winner] = answer.body.markets;
    expect(winner.bookmakers[0].captured_at).toBe('2025-09-01T10:00:00Z');
    expect(winner.bookmakers[0].outcomes[0]).toEqual({ team_id: expect.any(Number), team: 'Brook', price: -120 });
    expect(pricesOf(await futures('season=2025&market=relegation'))).toEqual([['relegation', 'bet365, Cove 110']]);
  });

  it('given a later report, then what it leaves out is withdrawn, unless it is not complete', async () => {
    await server.feed(
      outright('2025-09-01T10:00:00Z', { Ashford: 150, Brook: -120, Cove: 900 }),
      outright('2025-09-02T10:00:00Z', { Cove: 950 }, { complete: false }),
    );
    expect(pricesOf(await futures())).toEqual([['winner', 'pinnacle, Brook -120, Ashford 150, Cove 950']]);
    await server.feed(outright('2025-09-03T10:00:00Z', { Ashford: 130 }));
    expect(pricesOf(await futures())).toEqual([['winner', 'pinnacle, Ashford 130']]);
    await server.feed(outright('2025-09-04T10:00:00Z', {}));
    expect(await futures()).toEqual({ league: 'epl', season: 2025, markets: [] });
  });

  it('given the same prices again, then only the time of the capture moves', async () => {
    await server.feed(
      outright('2025-09-01T10:00:00Z', { Ashford: 150 }),
      outright('2025-09-05T10:00:00Z', { Ashford: 150 }),
    );
    const [{ bookmakers }] = (await futures()).markets;
    expect(bookmakers).toMatchObject([{ captured_at: '2025-09-05T10:00:00Z', outcomes: [{ price: 150 }] }]);
    expect((await ask('epl/futures/history?season=2025')).status).toBe(404);
  });

  it('given a moment, then the prices and movements are those of it', async () => {
    await server.feed(
      outright('2025-09-01T10:00:00Z', { Ashford: 150 }),
      outright('2025-09-03T10:00:00Z', { Ashford: 120 }),
      outright('2025-09-05T10:00:00Z', { Ashford: 100 }),
    );
    const then = 'season=2025&as_of=2025-09-04T00:00:00Z&as_of_basis=observed';
    expect(pricesOf(await futures(then))).toEqual([['winner', 'pinnacle, Ashford 120']]);
    const { movements, total } = (await ask(`epl/futures/history?${then}`)).body;
    expect([total, movements]).toEqual([
      1,
      [
        {
          bookmaker: 'pinnacle',
          market: 'winner',
          team_id: expect.any(Number),
          team: 'Ashford',
          price_from: 150,
          price_to: 120,
          moved_at: '2025-09-03T10:00:00Z',
        },
      ],
    ]);
    expect((await futures('season=2025&as_of=2025-09-04T00:00:00Z')).markets).toEqual([]);
  });

  it('given several bookmakers, then the history has those that are asked for, newest first, for 1 or 2 credits', async () => {
    await server.feed(
      outright('2025-09-01T10:00:00Z', { Ashford: 150, Brook: 200 }),
      outright('2025-09-01T10:00:00Z', { Ashford: 160 }, { bookmaker: 'bet365' }),
      outright('2025-09-02T10:00:00Z', { Ashford: 140, Brook: 200 }),
      outright('2025-09-03T10:00:00Z', { Ashford: 130 }, { bookmaker: 'bet365' }),
    );
    const movesOf = ({ body }: any) =>
      body.movements.map((one: any) => `${one.bookmaker} ${one.team} ${one.price_from} ${one.price_to}`);
    const one = await ask('epl/futures/history?season=2025');
    expect([one.credits, movesOf(one)]).toEqual([1, ['pinnacle Ashford 150 140']]);
    const all = await ask('epl/futures/history?season=2025&bookmaker=all');
    expect([all.credits, movesOf(all)]).toEqual([2, ['bet365 Ashford 160 130', 'pinnacle Ashford 150 140']]);
    expect(movesOf(await ask('epl/futures/history?season=2025&bookmaker=all&limit=1'))).toHaveLength(1);
  });

  it('given prices of an unknown team, then the whole message waits until the team is known', async () => {
    const message = outright('2025-09-01T10:00:00Z', { Ashford: 150, Dale: 300 });
    const { outcomes } = await server.take([message]);
    expect(outcomes[0]!.status).toBe('quarantined');
    expect((await futures()).markets).toEqual([]);
    await server.feed(team('Dale'));
    expect(pricesOf(await futures())).toEqual([['winner', 'pinnacle, Ashford 150, Dale 300']]);
  });

  it('given prices of players, then one whom the directory does not know has no id', async () => {
    const outcomes = [{ player: 'Ada Low', price: 500 }];
    await server.feed(outright('2025-09-01T10:00:00Z', {}, { market: 'top_scorer', outcomes }));
    const [{ bookmakers }] = (await futures()).markets;
    expect(bookmakers[0].outcomes).toEqual([{ player_id: null, player: 'Ada Low', price: 500 }]);
  });

  it('given a wrong message or an unknown league, then the reason is named', async () => {
    const rejected = async (more: object) => {
      const { outcomes } = await server.take([outright('2025-09-01T10:00:00Z', { Ashford: 150 }, more)]);
      return (outcomes[0] as any).path;
    };
    expect(await rejected({ market: 'Who wins?' })).toBe('market');
    expect(await rejected({ outcomes: [{ team: 'Ashford', player: 'Ada Low', price: 150 }] })).toBe('outcomes.0');
    expect(await rejected({ outcomes: [{ team: 'Ashford', price: 50 }] })).toBe('outcomes.0.price');
    expect(await rejected({ sport: 'nba' })).toBe('league');
    expect((await ask('xfl/futures')).status).toBe(404);
  });
});
