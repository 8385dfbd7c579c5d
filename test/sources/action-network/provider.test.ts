import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { actionNetworkProvider } from '../../../src/sources/action-network/provider.ts';
import type { LeagueView } from '../../../src/sources/provider-base/provider.ts';
import { known, NOW, readLive, view } from '../read-live-answers.ts';

const asked = (...leagues: LeagueView[]) => actionNetworkProvider().requests(leagues, NOW);

describe('what is asked of Action Network', () => {
  it.each([
    ['live', 600],
    ['soon', 600],
    ['later', 3600],
  ] as const)('of a league that is %s: today every %i s', (state, every) => {
    expect(asked(view({ state }))).toMatchObject([
      { path: '/web/v2/scoreboard/nfl', query: { date: '20261123' }, intervalSeconds: every, urgency: state },
    ]);
  });

  it('of the other days on which a game is to be played or is played', () => {
    const events = [
      known({ startsAt: NOW + 3 * DAY }),
      known({ startsAt: NOW + 8 * DAY }),
      known({ startsAt: NOW + 4 * DAY, status: 'postponed' }),
      known({ startsAt: NOW - DAY, status: 'final', overSince: NOW - 20 * HOUR }),
    ];

    const days = asked(view({ state: 'live', events })).map(({ query, intervalSeconds }) => [
      query['date'],
      intervalSeconds,
    ]);

    expect(days).toEqual([
      ['20261123', 600],
      ['20261126', 3600],
    ]);
  });

  it('of an idle league once after the start, and never again', () => {
    const provider = actionNetworkProvider();

    expect(provider.requests([view()], NOW)).toMatchObject([{ intervalSeconds: 'once', query: { date: '20261123' } }]);
    provider.requests([view({ state: 'live' })], NOW);
    expect(provider.requests([view()], NOW)).toEqual([]);
  });

  it('of a league that turns out to play today not sooner than its interval after the first time', () => {
    const provider = actionNetworkProvider();
    const [first] = provider.requests([view()], NOW);

    const [next] = provider.requests([view({ state: 'soon' })], NOW + 1000);

    expect(next).toMatchObject({ key: first!.key, intervalSeconds: 600 });
  });

  it('of no league that it does not cover', () => {
    expect(asked(view({ sport: 'soccer', league: 'ucl', state: 'live' }))).toEqual([]);
  });
});

const ASKED = { path: '/web/v2/scoreboard/nfl', query: { date: '20261123' } };
const row = (side: string, percent: number, odds = -110) => ({
  side,
  odds,
  value: 0,
  is_live: false,
  bet_info: { tickets: { percent, value: 1 }, money: { percent, value: 1 } },
});
const game = (more: object = {}) => ({
  id: 31,
  league_name: 'nfl',
  start_time: new Date(NOW + HOUR).toISOString(),
  status: 'scheduled',
  type: 'reg',
  season: 2026,
  week: 12,
  home_team_id: 1,
  away_team_id: 2,
  teams: [
    { id: 1, full_name: 'Cleveland Browns', abbr: 'CLE' },
    { id: 2, full_name: 'Kansas City Chiefs', abbr: 'KC' },
  ],
  markets: {
    15: { event: { moneyline: [row('home', 40), row('away', 60)] } },
    30: { event: { moneyline: [row('home', 40, -105), row('away', 60, -115)] } },
  },
  ...more,
});
const score = { total_home_points: 7, total_away_points: 3, period: 2, clock: '4:10', linescore: [] };

describe('a live scoreboard of Action Network', () => {
  it('tells schedule, odds and splits as of now, and no prices with which the consensus opened', async () => {
    const { messages } = await readLive(actionNetworkProvider(), ASKED, { games: [game()] }, { age: MINUTE });

    expect(messages.map(({ kind, at }) => [kind, at])).toEqual([
      ['schedule', '2026-11-23T17:59:00Z'],
      ['odds', '2026-11-23T17:59:00Z'],
      ['splits', '2026-11-23T17:59:00Z'],
    ]);
    expect(messages[1]).toMatchObject({ bookmaker: 'consensus', markets: [{ outcomes: [{ price: -110 }, {}] }] });
  });

  it('tells splits of a game that has begun as the last ones before it, and no score while it is played', async () => {
    const begun = game({ status: 'inprogress', start_time: '2026-11-23T17:00:00Z', boxscore: score });

    const { messages } = await readLive(actionNetworkProvider(), ASKED, { games: [begun] });

    expect(messages.map(({ kind, at }) => [kind, at])).toEqual([
      ['schedule', '2026-11-23T18:00:00Z'],
      ['odds', '2026-11-23T16:59:59Z'],
      ['splits', '2026-11-23T16:59:59Z'],
    ]);
  });

  it('tells a schedule again when it changes, and how a game ended once', async () => {
    const provider = actionNetworkProvider();
    const ask = async (more: object, arrivedAt: number) => {
      const { messages } = await readLive(provider, ASKED, { games: [game({ markets: {}, ...more })] }, { arrivedAt });
      return messages.map(({ kind }) => kind);
    };

    expect(await ask({}, NOW)).toEqual(['schedule']);
    expect(await ask({}, NOW + MINUTE)).toEqual([]);
    expect(await ask({ start_time: '2026-11-23T19:30:00Z' }, NOW + 2 * MINUTE)).toEqual(['schedule']);
    const over = { start_time: '2026-11-23T19:31:00Z', status: 'complete', boxscore: score };
    expect(await ask(over, NOW + 5 * HOUR)).toEqual(['score']);
    expect(await ask(over, NOW + 6 * HOUR)).toEqual([]);
  });

  it('takes the last of an id that stands in it twice', async () => {
    const twice = [game(), game({ start_time: '2026-11-23T20:00:00Z' })];

    const { of } = await readLive(actionNetworkProvider(), ASKED, { games: twice });

    expect(of('schedule').map(({ starts_at }) => starts_at)).toEqual(['2026-11-23T20:00:00Z']);
  });

  it('leaves out a game that cannot be read, and tells of drift where that is a fifth', async () => {
    const others = ['1', '2', '3', '4'].map((id) => game({ id }));
    const broken = game({ teams: [{ id: 1, full_name: 'X' }], start_time: undefined });

    const { of, rejected, drift } = await readLive(actionNetworkProvider(), ASKED, { games: [broken, ...others] });

    expect(of('schedule')).toHaveLength(4);
    expect(rejected).toMatchObject([{ code: 'incomplete_game' }]);
    expect(drift).toEqual([{ path: 'games[].start_time', problem: 'is absent in 1 of 5' }]);
  });

  it.each([[{}], [[]], [{ games: 3 }]])('is refused whole in another shape', async (body) => {
    await expect(readLive(actionNetworkProvider(), ASKED, body)).rejects.toMatchObject({ path: 'games' });
  });
});
