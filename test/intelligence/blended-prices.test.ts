import { describe, expect, it, onTestFinished } from 'vitest';
import { SHARP_BOOK_WEIGHTS, SPORT_SLUGS } from '../../src/domain/catalogue/catalogue.ts';
import { DAY } from '../../src/domain/primitives/time.ts';
import type { CountedTrackRecord } from '../../src/forecasting/track-record/count-track-record.ts';
import { createRecordMapper, SUBSCRIPTION_MAPPERS } from '../../src/read-models/change-feed/record-mapper.ts';
import { changeByJudge } from '../../src/webhooks/filters/change-by-judge.ts';
import { serveAgent } from '../api/agent/serving.ts';
import { market, odds } from '../api/spec/messages.ts';
import { iso, messagesOf, pricesOf, refOf, scheduleOf } from '../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from './seasons.ts';

const GAMES = 125;
const WEIGHT = 0.2;

/** A record that has found this weight of moneylines of the NBA at a midnight, and none of other markets. */
function recordOf(until: number, midnight: number): CountedTrackRecord {
  const none = { rows: [], publications: [], months: [], blends: { turns: [], version: 'none' } };
  const turn = { at: midnight, n: 700, weight: WEIGHT, low: WEIGHT, high: 0.9 };
  const some = { ...none, blends: { turns: [turn], version: 'some' } };
  const ofSport = (sport: string) => ({ spreads: none, totals: none, h2h: sport === 'nba' ? some : none });
  const sports = Object.fromEntries(SPORT_SLUGS.map((sport) => [sport, ofSport(sport)]));
  return { until, position: null, sports: sports as unknown as CountedTrackRecord['sports'] };
}

/** A server that knows enough games to forecast one more, with prices of it. */
async function open() {
  const games = gamesOf('nba', 'nba', GAMES, numbersOf(7));
  const next = games.at(-1)!;
  const midnight = Math.floor((next.startsAt - 60_000) / DAY) * DAY;
  const server = await serveAgent({
    time: next.startsAt - 1,
    publishes: true,
    countRecord: async (until) => recordOf(until, midnight),
  });
  onTestFinished(() => server.close());
  await server.feed(...messagesOf('nba', games.slice(0, -1)), scheduleOf('nba', next, GAMES - 1));
  // What is published before the record is counted has no blend.
  await server.recordKeeper.rows('nba', 'h2h');
  const told = (book: string, home: number, away: number, seconds: number) =>
    server.feed(odds(refOf(GAMES - 1), book, [h2h(home, away)], { at: iso(next.startsAt - seconds * 1000) }));
  await server.feed(pricesOf('nba', next, GAMES - 1, { at: iso(next.startsAt - 60_000) }));
  await told('pinnacle', -110, -110, 50);
  // Whatever the forecast, one of these pays.
  await told('fanduel', 115, -130, 40);
  await told('betmgm', -130, 115, 30);
  await server.published();
  const { key } = await server.newKey({ scopes: ['all'] });
  const event = await server.eventId('feed', refOf(GAMES - 1));
  return {
    server,
    told,
    event,
    midnight,
    get: (path: string) => server.get(path, key) as Promise<any>,
    ask: server.ask,
    key,
  };
}

const h2h = (home: number, away: number) =>
  market('h2h', [
    ['home', home],
    ['away', away],
  ]);
const logit = (p: number) => Math.log(p / (1 - p));
const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const blended = (fair: number, forecast: number) => logistic((1 - WEIGHT) * logit(fair) + WEIGHT * logit(forecast));

describe('the blend of fair price and forecast', () => {
  it('stands on every bet with the weight of its market, and prices are judged by it if asked', async () => {
    const { get, ask, key, event, midnight } = await open();
    const { bets } = await get(`/v1/events/${event}/intelligence`);
    const [home, away, ...others] = bets;
    for (const bet of [home, away]) {
      expect(bet.blend).toMatchObject({ weight: WEIGHT, n: 700 });
      expect(bet.blend.probability).toBeCloseTo(blended(bet.fair.probability, bet.probability), 5);
      expect(Math.abs(bet.blend.probability - bet.fair.probability)).toBeGreaterThan(0.001);
    }
    for (const { blend, fair } of others) expect(blend).toEqual({ probability: fair.probability, weight: 0, n: 0 });

    const byFair = await get('/v1/intelligence/ev?sport=nba');
    const byBlend = await get('/v1/intelligence/ev?sport=nba&by=blend');
    expect([byFair.by, byBlend.by]).toEqual(['fair', 'blend']);
    expect(await get('/v1/intelligence/ev?sport=nba&by=fair')).toEqual(byFair);
    const percentOf = (p: number) => 100 * (p * 2.15 - 1);
    const expected = [home, away].filter(({ blend }) => percentOf(blend.probability) > 0.01);
    expect(expected.length).toBeGreaterThan(0);
    expect(byBlend.opportunities.map(({ bet_type }: any) => bet_type).sort()).toEqual(
      expected.map(({ bet_type }) => bet_type).sort(),
    );
    for (const one of byBlend.opportunities) {
      const bet = expected.find(({ bet_type }) => bet_type === one.bet_type)!;
      expect([one.blend_probability, one.fair_probability]).toEqual([bet.blend.probability, bet.fair.probability]);
      expect(one.ev.ev_pct).toBeCloseTo(percentOf(bet.blend.probability), 1);
    }
    for (const one of byFair.opportunities) expect(one).not.toHaveProperty('blend_probability');
    const listed = await get('/v1/intelligence/ev?sport=nba&by=blend&books=fanduel,betmgm');
    expect(listed.opportunities.map(({ ev }: any) => ev.ev_pct)).toEqual(
      byBlend.opportunities.map(({ ev }: any) => ev.ev_pct),
    );
    expect((await ask('/v1/intelligence/ev?sport=nba&by=nobody', { key })).status).toBe(422);

    // Before that midnight nothing had been learned.
    const earlier = `as_of=${encodeURIComponent(iso(midnight - 1))}&as_of_basis=observed`;
    const { bets: before } = await get(`/v1/events/${event}/intelligence?${earlier}`);
    for (const { blend } of before) if (blend) expect([blend.weight, blend.n]).toEqual([0, 0]);
    expect((await get('/v1/intelligence/record?sport=nba')).blend).toEqual({
      weight: WEIGHT,
      interval: [WEIGHT, 0.9],
      n: 700,
    });
    expect((await get('/v1/intelligence/record?sport=nfl')).blend).toEqual({ weight: 0, interval: null, n: 0 });
  });

  it('is told to alerts with the next price, from what is published', async () => {
    const { server, told, event, get } = await open();
    await told('fanduel', 118, -135, 20);
    await server.published();
    const records = (await server.log.readBackwards(50)).toReversed();
    const mapRecords = createRecordMapper({
      log: server.log,
      store: server.store,
      mappers: SUBSCRIPTION_MAPPERS,
      weightOf: (book) => SHARP_BOOK_WEIGHTS[book] ?? 0,
      withHistory: true,
    });
    const changes = await mapRecords(records, (type) => type === 'ev');
    const byBlend = changes.flatMap((change) => changeByJudge(change, 'blend') ?? []);
    const { opportunities } = await get('/v1/intelligence/ev?sport=nba&by=blend');
    for (const { bet_type, team, ev, blend_probability } of opportunities) {
      const last = byBlend.findLast(({ data, eventId }) => eventId === event && data['outcome'] === team);
      expect([bet_type, last?.data]).toMatchObject([
        bet_type,
        { by: 'blend', ev_percent: ev.ev_pct, bookmaker: ev.book, price: ev.price, blend_probability },
      ]);
    }
    expect(opportunities.length).toBeGreaterThan(0);
    // Who has edges judged by the fair price gets what he always got.
    for (const { data } of changes) expect(data).not.toHaveProperty('by');
  });
});
