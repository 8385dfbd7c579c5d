import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moneyline, START } from '../../../intelligence/price-messages.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import { injury, NFL, schedule, score } from '../../spec/messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-03T12:00:00Z') });
  await server.feed(schedule(NFL, 'g1', ['Home g1', 'Away g1'], START, { at: '2026-03-01T05:00:00Z' }));
});
afterEach(() => server.close());

const ask = (query: string) => server.ask(`/v1/markets/quality?${query}`, { key: BOOTSTRAP_KEY });
const quality = async (query = 'league=nfl') => (await ask(query)).body as any;
const bookOf = (body: any, bookmaker: string) => body.books.find((one: any) => one.bookmaker === bookmaker);
const kickOff = () => server.feed(score('g1', 'inprogress', undefined, { at: START }));

describe('how good a market is', () => {
  it('given no prices, then no book is listed', async () => {
    expect(await quality()).toEqual({ league: 'nfl', market: 'h2h', days: 30, books: [] });
  });

  it('given two books until the start, then share of best prices, hold and age are means over the time', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '17:00'));
    await server.feed(moneyline('betmgm', -110, -110, '17:00'));
    await kickOff();
    const fanduel = bookOf(await quality(), 'fanduel');
    // 100/210 + 130/230 = 1.04141; each is the best at one side; an hour ages by half an hour on average.
    expect(fanduel).toMatchObject({ n: 1, best_share: 0.5, hold: 0.03976, age_seconds: 1800, stale_share: 0 });
  });

  it('given a price that is not named for two hours, then it is stale for 45 minutes of them', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '16:00'));
    await kickOff();
    expect(bookOf(await quality(), 'fanduel')).toMatchObject({ age_seconds: 3600, stale_share: 0.375 });
  });

  it('given too little, then what is unknown is null and not 0', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '17:00'));
    await kickOff();
    expect(bookOf(await quality(), 'fanduel')).toMatchObject({
      ...{ best_share: null, outlier_share: null, edge_half_life_seconds: null, sources: [] },
      lead: { seconds: null, n: 0, interval: null },
      reaction: { injury: { seconds: null, n: 0 }, lineup: { seconds: null, n: 0 } },
    });
  });

  it('given an injury and a move after it, then the reaction is the time between them', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '16:00'));
    await server.feed(injury(NFL, 'Home g1', 'A Player', 'out', { at: '2026-03-01T16:30:00Z' }));
    await server.feed(moneyline('fanduel', 140, -160, '16:35'));
    await kickOff();
    expect(bookOf(await quality(), 'fanduel').reaction.injury).toEqual({ seconds: 300, n: 1 });
  });

  it('given prices during the game, then they change nothing', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '17:00'));
    await kickOff();
    const before = await quality();
    await server.feed(moneyline('fanduel', -500, 350, '19:00'));
    expect(await quality()).toEqual(before);
  });

  it('given a game outside the days, then it does not count', async () => {
    await server.feed(moneyline('fanduel', 110, -130, '17:00'));
    await kickOff();
    expect((await quality('league=nfl&days=2')).books).toHaveLength(1);
    expect((await quality('league=nfl&days=1')).books).toEqual([]);
  });

  it.each([
    ['league=x', 400],
    ['league=nfl&days=91', 422],
    ['league=nfl&market=props', 422],
    ['', 422],
  ])('given %s, then it is refused', async (query, status) => {
    expect((await ask(query)).status).toBe(status);
  });
});
