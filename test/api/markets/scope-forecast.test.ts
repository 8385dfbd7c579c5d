import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf, iso, messagesOf, refOf, scheduleOf } from '../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { odds, score } from '../spec/messages.ts';
import { spreads, totals } from './lines.ts';

const GAMES = 130;
const HOUR = 3_600_000;
const games = gamesOf('nfl', 'nfl', GAMES, numbersOf(4));
const next = games.at(-1)!;
const told = (before: number) => ({ at: iso(next.startsAt - before) });
const HALF = { scope: '1H' };

let server: AgentServer;
let path: string;
let key: string;
beforeAll(async () => {
  server = await serveAgent({ time: next.startsAt - 1 });
  await server.feed(...messagesOf('nfl', games.slice(0, -2)), scheduleOf('nfl', next, GAMES - 1));
  const markets = [spreads(-3.5, HALF), totals(20.5, HALF)];
  await server.feed(
    odds(refOf(GAMES - 1), 'pinnacle', markets, told(3 * HOUR)),
    odds(refOf(GAMES - 1), 'circa', [spreads(2.5, HALF), totals(24, HALF)], told(2 * HOUR)),
  );
  path = `/v1/events/${await server.eventId('feed', refOf(GAMES - 1))}/period-odds`;
  key = (await server.newKey({ scopes: ['all'] })).key;
});
afterAll(() => server.close());

const read = (query: string) => server.get(`${path}?${query}`, key);
const ASKED = 'include_forecast=true';

describe('period odds with forecasts', () => {
  it('have the probability of each line and of who is ahead, from a model that knows past halves', async () => {
    const { forecast, period_odds: items } = await read(ASKED);
    const { home, away, tie } = forecast.ahead;
    expect([forecast.model_version, home + away + tie]).toEqual(['nfl-2.1', expect.closeTo(1, 9)]);
    expect(tie).toBeGreaterThan(0);
    expect(items.map(({ market, line }: any) => [market, line])).toEqual([
      ['first_half_spreads', -3.5],
      ['first_half_spreads', 2.5],
      ['first_half_totals', 20.5],
      ['first_half_totals', 24],
    ]);
    const [minus, plus, low, high] = items.map(({ probability }: any) => probability);
    for (const one of [minus, plus]) expect(one.home + one.away).toBeCloseTo(1, 9);
    for (const one of [low, high]) expect(one.over + one.under).toBeCloseTo(1, 9);
    expect(minus.home).toBeLessThan(home);
    expect(plus.home).toBeGreaterThan(home);
    expect(low.over).toBeGreaterThan(high.over);
    // Halves of the season are half of its games, whose total is 44 on average.
    expect(low.over).toBeGreaterThan(0.5);
  });

  it('are otherwise the same, and without forecasts by default', async () => {
    const plain = await read('');
    const { forecast: _, period_odds, ...rest } = await read(ASKED);
    const items = period_odds.map(({ probability, ...item }: any) => item);
    expect({ ...rest, period_odds: items }).toEqual(plain);
  });

  it('know as of a moment what was known then, and nothing before a hundred halves', async () => {
    const early = iso(next.startsAt - 2.5 * HOUR);
    const { period_odds: items, forecast } = await read(`${ASKED}&as_of=${early}&as_of_basis=observed`);
    expect(items).toHaveLength(2);
    const now = await read(ASKED);
    expect(forecast).toEqual(now.forecast);
    expect(items.map(({ probability }: any) => probability)).toEqual([
      now.period_odds[0].probability,
      now.period_odds[2].probability,
    ]);
  });

  it('stand still from the start on', async () => {
    const before = await read(ASKED);
    server.clock.time = next.startsAt + 8 * HOUR;
    await server.feed(...endOf('nfl', next, GAMES - 1));
    const after = await read(ASKED);
    expect(after.forecast).toEqual(before.forecast);
    expect(after.period_odds.map(({ probability }: any) => probability)).toEqual(
      before.period_odds.map(({ probability }: any) => probability),
    );
  });

  it('are null where too little is known, and where there is no line', async () => {
    const other = await serveAgent({ time: next.startsAt - 1 });
    try {
      const few = messagesOf('nfl', games.slice(0, 120)).map((message) =>
        message.kind === 'score'
          ? score(message['ref'] as string, 'final', ['20', '10'], { at: message['at'] })
          : message,
      );
      await other.feed(...few, scheduleOf('nfl', next, GAMES - 1));
      const id = await other.eventId('feed', refOf(GAMES - 1));
      const { key: own } = await other.newKey({ scopes: ['all'] });
      const get = () => other.get(`/v1/events/${id}/period-odds?${ASKED}`, own);
      expect(await get()).toMatchObject({ available: false, period_odds: [], forecast: null });
      await other.feed(odds(refOf(GAMES - 1), 'pinnacle', [totals(20.5, HALF)], told(2 * HOUR)));
      const { forecast, period_odds } = await get();
      expect([forecast, period_odds[0].probability]).toEqual([null, null]);
      const { bets } = await other.get(`/v1/events/${id}/intelligence`, own);
      expect(bets[0].probability).toEqual(expect.any(Number));
    } finally {
      await other.close();
    }
  });
});
