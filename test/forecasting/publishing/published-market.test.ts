import { expect, it, onTestFinished } from 'vitest';
import { SPORT_SLUGS } from '../../../src/domain/catalogue/catalogue.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import type { CountedTrackRecord } from '../../../src/forecasting/track-record/count-track-record.ts';
import { serveAgent } from '../../api/agent/serving.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { iso, messagesOf, pricesOf, refOf, scheduleOf } from '../track-record/game-messages.ts';
import { publishedIn, typesOf } from './publications.ts';

const GAMES = 125;

/** A record by which moneylines of the NBA are published from these midnights on, and not, in turn. */
function recordOf(until: number, turns: readonly number[]): CountedTrackRecord {
  const none = { rows: [], publications: [], blends: { turns: [], version: '' } };
  const ofSport = (sport: string) => ({
    spreads: none,
    totals: none,
    h2h: sport === 'nba' ? { ...none, publications: turns } : none,
  });
  const sports = Object.fromEntries(SPORT_SLUGS.map((sport) => [sport, ofSport(sport)]));
  return { until, position: null, sports: sports as unknown as CountedTrackRecord['sports'] };
}

it('when a midnight publishes a market, edges of its upcoming events show without another fact', async () => {
  const games = gamesOf('nba', 'nba', GAMES, numbersOf(7));
  const next = games.at(-1)!;
  const midnight = Math.floor(next.startsAt / DAY) * DAY;
  const server = await serveAgent({
    time: next.startsAt - 1,
    publishes: true,
    countRecord: async (until) => recordOf(until, [midnight]),
  });
  onTestFinished(() => server.close());
  await server.feed(...messagesOf('nba', games.slice(0, -1)), scheduleOf('nba', next, GAMES - 1));
  await server.feed(pricesOf('nba', next, GAMES - 1));
  const event = await server.eventId('feed', refOf(GAMES - 1));
  const { key } = await server.newKey({ scopes: ['all'] });
  const published = async () => {
    await server.published();
    return (await publishedIn(server.log)).filter((one) => one.event === event);
  };
  const betsNow = async () => (await server.get(`/v1/events/${event}/intelligence`, key)).bets;
  const before = await published();
  expect(before.at(-1)!.at < iso(midnight)).toBe(true);
  expect((await betsNow()).map(({ tier }: any) => tier)).toEqual([null, null, null, null, null, null]);

  await server.recordKeeper.rows('nba', 'h2h');
  const [fact, ...more] = (await published()).slice(before.length);
  expect([fact!.at, typesOf(fact!), more]).toEqual([iso(midnight), ['ML_P1', 'ML_P2'], []]);
  const bets = await betsNow();
  expect(fact!.bets).toEqual(bets.slice(0, 2).map((bet: any) => ({ ...bet, ...ageless(bet, fact!.bets) })));
  for (const bet of bets.slice(0, 2)) {
    expect([bet.computed_at, typeof bet.edge, typeof bet.tier]).toEqual([iso(midnight), 'number', 'string']);
  }
  for (const bet of bets.slice(2)) expect([bet.edge, bet.tier]).toEqual([null, null]);
  const recommended = bets.some(({ tier }: any) => tier === 'strong' || tier === 'very_high');
  expect(fact!.has_recommend).toBe(recommended);
  const listed = await server.get('/v1/events?sport=nba&has_recommend=true', key);
  expect(listed.events.map(({ id }: any) => id)).toEqual(recommended ? [event] : []);
  expect(await published()).toHaveLength(before.length + 1);
});

/** Quotes age between the midnight and now. */
function ageless(bet: any, told: readonly any[]) {
  const { best, ev } = told.find(({ bet_type }) => bet_type === bet.bet_type);
  return { best, ev };
}
