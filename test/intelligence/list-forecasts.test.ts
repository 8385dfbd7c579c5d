import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { endOf, iso, messagesOf, pricesOf, refOf, scheduleOf } from '../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from './seasons.ts';

const GAMES = 131;
const DAY = 86_400_000;
const games = gamesOf('soccer', 'epl', GAMES, numbersOf(3));
const next = games.at(-1)!;
const [dayOfNext] = iso(next.startsAt).split('T');

let server: AgentServer;
let nextId: number;
beforeAll(async () => {
  // Half an hour before the last game, when its prices are fresh.
  server = await serveAgent({ time: next.startsAt - DAY / 48 });
  await server.feed(
    ...messagesOf('soccer', games.slice(0, -1)),
    scheduleOf('soccer', next, GAMES - 1),
    pricesOf('soccer', next, GAMES - 1),
  );
  nextId = await server.eventId('feed', refOf(GAMES - 1));
});
afterAll(() => server.close());

const ask = (query: string) => server.ask(`/v1/intelligence/forecasts?${query}`, { key: BOOTSTRAP_KEY });
const read = async (query: string): Promise<any> => (await ask(query)).body;

describe('the forecasts of a day', () => {
  it('have a row for each market of an event, the surest first, as the event itself has them', async () => {
    const { status, body, credits } = await ask(`sport=soccer&date=${dayOfNext}`);
    const envelope = { sport: 'soccer', date: dayOfNext, model_version: 'soccer-1.0', reliability: 'emerging' };
    expect([status, credits, body]).toEqual([200, 1, { ...envelope, wagers: body.wagers, total: body.wagers.length }]);
    const ofNext = body.wagers.filter(({ event_id }: any) => event_id === nextId);
    const { forecasts, bets }: any = await server.get(`/v1/events/${nextId}/intelligence`, BOOTSTRAP_KEY);
    expect(ofNext).toEqual(forecasts);
    expect(forecasts.map(({ market }: any) => market).sort()).toEqual(['h2h', 'spreads', 'totals']);
    const convictions = body.wagers.map(({ conviction }: any) => conviction);
    expect(convictions).toEqual([...convictions].sort((a: number, b: number) => b - a));
    for (const row of forecasts) {
      const bet = bets.find(({ bet_type }: any) => bet_type === row.bet_type);
      expect([row.p_hit, row.interval, row.line]).toEqual([bet.probability, bet.interval, bet.market.line]);
      const others = bets.filter(({ bet_type }: any) => bet_type.split('_')[0] === row.bet_type.split('_')[0]);
      if (row.market === 'h2h') expect(row.p_hit).toBe(Math.max(...others.map(({ probability }: any) => probability)));
    }
  });

  it('name their inputs', async () => {
    const { wagers } = await read(`sport=soccer&date=${dayOfNext}&market=h2h`);
    const row = wagers.find(({ event_id }: any) => event_id === nextId);
    expect(row).toMatchObject({ market: 'h2h', line: null, reliability: 'emerging', model_version: 'soccer-1.0' });
    expect(Object.keys(row.books)).toEqual(['pinnacle']);
    expect(Object.keys(row.books.pinnacle)).toEqual(['home', 'away', 'draw']);
    expect(row.drivers.length).toBeGreaterThan(0);
    expect(row.drivers.length).toBeLessThanOrEqual(5);
    const sizes = row.drivers.map(({ effect }: any) => Math.abs(effect));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    for (const { effect, direction } of row.drivers) {
      expect(direction).toBe(effect > 0 ? 'up' : effect < 0 ? 'down' : 'none');
    }
    const n = games.slice(0, -1).filter(({ home, away }) => [home, away].includes(next.home)).length;
    const m = games.slice(0, -1).filter(({ home, away }) => [home, away].includes(next.away)).length;
    const fewer = Math.min(n, m);
    expect(row.sufficiency).toBeCloseTo(fewer / (fewer + 10), 2);
    expect(row.conviction).toBeCloseTo((Math.abs(2 * row.p_hit - 1) * fewer) / (fewer + 10), 4);
  });

  it('have at most one selected row for each event, which a note explains', async () => {
    const days = games.slice(100).map(({ startsAt }) => iso(startsAt).split('T')[0]!);
    let selected = 0;
    for (const day of new Set(days)) {
      const { wagers } = await read(`sport=soccer&date=${day}&limit=100`);
      const ids = wagers.filter((row: any) => row.selected).map(({ event_id }: any) => event_id);
      expect(new Set(ids).size).toBe(ids.length);
      selected += ids.length;
      for (const row of wagers) {
        expect(row.selected ? row.conviction >= 0.25 : row.research === null).toBe(true);
        if (!row.selected) continue;
        const { bets }: any = await server.get(`/v1/events/${row.event_id}/intelligence`, BOOTSTRAP_KEY);
        const told = bets.filter(({ narrative }: any) => narrative !== null);
        expect(told.map(({ bet_type, narrative }: any) => [bet_type, narrative])).toEqual([
          [row.bet_type, row.research.note],
        ]);
        expect(row.research.note).toContain(`forecast ${Math.round(row.p_hit * 100)}%`);
      }
    }
    expect(selected).toBeGreaterThan(0);
  });

  it('of a past day are those at the starts, whatever came since', async () => {
    const past = games[GAMES - 3]!;
    const day = iso(past.startsAt).split('T')[0];
    const before = await read(`sport=soccer&date=${day}`);
    server.clock.time = next.startsAt + DAY;
    await server.feed(...endOf('soccer', next, GAMES - 1));
    expect(await read(`sport=soccer&date=${day}`)).toEqual(before);
    expect(before.total).toBeGreaterThan(0);
  });

  it('check their parameters before the search', async () => {
    const statuses = await Promise.all(
      ['', 'sport=cricket', 'sport=soccer&date=tomorrow', 'sport=soccer&market=corners', 'sport=nfl&limit=101'].map(
        async (query) => (await ask(query)).status,
      ),
    );
    expect(statuses).toEqual([422, 400, 400, 422, 422]);
    expect((await read('sport=soccer&date=1999-01-01')).wagers).toEqual([]);
  });
});
