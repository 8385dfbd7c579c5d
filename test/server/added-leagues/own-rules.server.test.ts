import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeague, AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import type { OwnRules } from '../../../src/domain/catalogue/own-rules.ts';
import type { AgentServer } from '../../api/agent/serving.ts';
import { type Message, schedule, score } from '../../api/spec/messages.ts';
import { serveWithLeagues } from './serve-with-leagues.ts';

const NOW = Date.parse('2026-08-10T20:00:00Z');
const DAY = 86_400_000;
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const leagueOf = (sport: AddedLeague['sport'], name: string, rules: OwnRules): AddedLeague => ({
  ...{ sport, name, season: { start_month: 1, year_name: 'start' } },
  rules,
});
const FIBA = { periods: 4, period_minutes: 10 };
const leagues: AddedLeagues = {
  euro: leagueOf({ slug: 'euro', like: 'ncaab' }, 'Euro Basket', FIBA),
  pacific: leagueOf('nba', 'Pacific Basket', { period_minutes: 10 }),
  spring: leagueOf('nfl', 'Spring Football', { overtime: 'untimed', draws: false }),
  plain: leagueOf('nfl', 'Plain Football', { overtime: 'none' }),
  knockout: leagueOf('soccer', 'Knockout Cup', { draws: false }),
  skate: leagueOf('nhl', 'Skate League', { points: { win: 3, overtime_win: 2, overtime_loss: 1 } }),
  softball: leagueOf({ slug: 'softball', like: 'mlb' }, 'Softball', { periods: 7 }),
};
const sportOf = (slug: string) => {
  const { sport } = leagues[slug]!;
  return typeof sport === 'string' ? sport : sport.slug;
};
const sidesOf = (slug: string) => [`${slug} Harbour`, `${slug} Mill`] as const;

/** What both sides made in each period, by its name. */
type Periods = Readonly<Record<string, readonly [number, number]>>;
const scoresOf = (periods: Periods, more: readonly [object, object] = [{}, {}]): [any, any] =>
  ([0, 1] as const).map((side) => ({
    score: String(Object.values(periods).reduce((sum, made) => sum + made[side], 0)),
    period_scores: Object.entries(periods).map(([period, made]) => ({ period, score: made[side] })),
    ...more[side],
  })) as [any, any];

let server: AgentServer;
const events: Record<string, number> = {};

/** A game of two days ago, or one that has begun. */
async function play(slug: string, ref: string, status: string, scores: [any, any], more: object = {}): Promise<any> {
  const startsAt = status === 'final' ? NOW - 2 * DAY : NOW - DAY / 24;
  const league = { sport: sportOf(slug), league: slug };
  const messages: Message[] = [
    schedule(league, ref, sidesOf(slug), iso(startsAt), { at: iso(startsAt - DAY) }),
    score(ref, status, scores, { at: iso(NOW - 60_000), ...more }),
  ];
  const { outcomes } = await server.take(messages);
  await server.published();
  events[ref] = await server.eventId('feed', ref);
  return outcomes[1];
}

async function settle(ref: string, leg: object, more: object = {}): Promise<any> {
  const legs = [{ event_id: events[ref], side: 'home', ...leg }];
  const { status, body } = await server.post('/v1/grade/slip', { legs, ...more });
  expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()]);
  return body.legs[0];
}

beforeAll(async () => {
  server = await serveWithLeagues(leagues, { time: NOW, livePage: true });
});
afterAll(() => server.close());

describe('leagues with rules of their own', () => {
  it('given four quarters of ten minutes in a sport of halves, then halves and quarters settle by the quarters', async () => {
    const quarters = { 1: [20, 10], 2: [20, 15], 3: [5, 30], 4: [10, 20] } as const;
    await play('euro', 'euro', 'final', scoresOf(quarters), { result_type: 'regulation' });
    const legs = [
      { market_key: 'spreads', line: -14.5, scope: '1H' },
      { market_key: 'spreads', line: -15.5, scope: '1H' },
      { market_key: 'h2h', scope: '2H' },
      { market_key: 'h2h', scope: 'Q3', side: 'away' },
    ];
    // One after the other: an address may have three graded at once.
    const results: string[] = [];
    for (const leg of legs) results.push((await settle('euro', leg)).result);
    expect(results).toEqual(['won', 'lost', 'lost', 'won']);
    const event = await server.get(`/v1/events/${events['euro']}`);
    expect(event).toMatchObject({ status: 'final' });
  });

  it('given a game that was given up after 36 of 40 minutes, then a house of 43 of 48 minutes settles it', async () => {
    const more = { period: '4', clock: '4:00' };
    await play('pacific', 'long', 'final', scoresOf({ 1: [9, 8], 2: [9, 8], 3: [9, 8], 4: [9, 8] }), more);
    const leg = { market_key: 'h2h' };
    expect(await settle('long', leg, { rules: 'betmgm' })).toMatchObject({ result: 'won' });
  });

  it('given no overtime, then a level game is a draw of the table, and one with an overtime is refused', async () => {
    await play('plain', 'level', 'final', scoresOf({ 1: [7, 0], 2: [0, 7], 3: [3, 3], 4: [0, 0] }));
    const { groups } = await server.get('/v1/leagues/plain/standings');
    expect(groups[0].rows).toMatchObject([
      { drawn: 1, won: 0 },
      { drawn: 1, won: 0 },
    ]);
    expect(await settle('level', { market_key: 'h2h' })).toMatchObject({ result: 'push' });
    const told = await play('plain', 'level', 'final', scoresOf({ 1: [7, 0], OT: [0, 7] }));
    expect(told).toMatchObject({ code: 'not_played', path: 'scores.0.period_scores.1.period' });
    expect(told.message).toContain('OT is not played in plain, which has 4 periods and nothing beyond them');
  });

  it('given a fifth quarter, then it is refused, and an overtime without a clock is taken', async () => {
    const regular = { 1: [7, 0], 2: [0, 7], 3: [3, 3], 4: [0, 0] } as const;
    const refused = await play('spring', 'spring', 'inprogress', scoresOf(regular), { period: '5' });
    expect(refused).toMatchObject({ status: 'rejected', code: 'not_played', path: 'period' });
    const taken = await play('spring', 'spring', 'inprogress', scoresOf({ ...regular, OT: [2, 0] }), { period: 'OT' });
    expect(taken).toMatchObject({ status: 'accepted' });
    expect(await server.get(`/v1/events/${events['spring']}`)).toMatchObject({ period: 'OT' });
  });

  it('given a cup of soccer without draws, then extra time wins in its table, and 90 minutes settle a bet', async () => {
    const periods = { '1H': [1, 0], '2H': [0, 1], ET1: [1, 0], ET2: [0, 0] } as const;
    const winner = [{ is_winner: true }, { is_winner: false }] as const;
    await play('knockout', 'cup', 'final', scoresOf(periods, winner), { result_type: 'overtime' });
    const { groups } = await server.get('/v1/leagues/knockout/standings');
    expect(groups[0].rows.map(({ team, won, drawn, points }: any) => [team, won, drawn, points])).toEqual([
      ['knockout Harbour', 1, 0, 3],
      ['knockout Mill', 0, 0, 0],
    ]);
    expect(await settle('cup', { market_key: 'h2h', side: 'draw' })).toMatchObject({ result: 'won' });
  });

  it('given a league of hockey that shares out three points, then its table and what it shows have them', async () => {
    const level = { 1: [1, 0], 2: [0, 1], 3: [0, 0] } as const;
    await play('skate', 'late', 'final', scoresOf({ ...level, OT: [1, 0] }), { result_type: 'overtime' });
    await play('skate', 'early', 'final', scoresOf({ 1: [0, 2], 2: [0, 0], 3: [1, 0] }), { result_type: 'regulation' });
    const { groups } = await server.get('/v1/leagues/skate/standings');
    expect(
      groups[0].rows.map((row: any) => [row.team, row.won, row.lost, row.lost_overtime, row.points, row.pct]),
    ).toEqual([
      ['skate Mill', 1, 0, 1, 4, 0.6667],
      ['skate Harbour', 1, 1, 0, 2, 0.3333],
    ]);
    const { sports } = await server.get('/v1/sports?active_only=false');
    const { rules } = sports.flatMap((sport: any) => sport.leagues).find(({ slug }: any) => slug === 'skate');
    expect(rules.points).toEqual({ win: 3, draw: 1, loss: 0, overtime_win: 2, overtime_loss: 1 });
    const page = await (await fetch(`${server.url}/leagues/skate`)).text();
    expect(page).toContain('Points: 3 for a win, 1 for a draw, 0 for a loss. Beyond regular time: 2 for a win, 1 for');
  });

  it('given games of seven innings, then seven are a full game', async () => {
    const innings = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [String(n + 1), [1, 0] as const]));
    await play('softball', 'seven', 'final', scoresOf(innings));
    expect(await settle('seven', { market_key: 'totals', line: 6.5, side: 'over' })).toMatchObject({ result: 'over' });
  });

  it('then the catalogue and the page of the league show them, and other leagues have none', async () => {
    const { sports } = await server.get('/v1/sports?active_only=false');
    const shown = Object.fromEntries(
      sports.flatMap(({ leagues: some }: any) => some.map(({ slug, rules }: any) => [slug, rules])),
    );
    expect(shown).toMatchObject({
      nba: undefined,
      pacific: {
        ...{ periods: 4, period_minutes: 10, overtime: 'timed', overtime_minutes: 5 },
        ...{ shootout: false, draws: false },
      },
      spring: { overtime: 'untimed', overtime_minutes: null, draws: false },
      plain: { overtime: 'none', overtime_minutes: null, draws: true },
      softball: { periods: 7, period_minutes: null },
    });
    const page = await (await fetch(`${server.url}/leagues/pacific`)).text();
    expect(page).toContain('4 quarters of 10 minutes. Overtime of 5 minutes. No game ends level.');
    expect(await (await fetch(`${server.url}/leagues/nba`)).text()).not.toContain('quarters');
  });
});
