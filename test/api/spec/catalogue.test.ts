import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { game } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, MLB, NBA, NFL, NHL, schedule } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

const DAY = 86_400_000;
const dayOf = (days: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + days * DAY).toISOString().slice(0, 10);

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('GET /v1/health', () => {
  it('status, version, time, log position, projections; free', async () => {
    const { status, body, credits } = await server.ask('/v1/health');
    expect([status, credits, body.status]).toEqual([200, 0, 'ok']);
    expectMembers(body, ['status', 'version', 'time', 'log', 'quarantined', 'projections']);
    expect(body.log).toEqual({ position: expect.stringMatching(/^\d+$/) });
    expect(body.projections.length).toBeGreaterThan(0);
    for (const one of body.projections) expectMembers(one, ['name', 'position', 'lag_events', 'lag_seconds']);
  });

  it('log.position grows with what is recorded, and the projections follow', async () => {
    const before = (await server.get('/v1/health')).log.position;
    await game(server, NFL);
    const { log, projections } = await server.get('/v1/health');
    expect(BigInt(log.position)).toBeGreaterThan(BigInt(before));
    for (const one of projections) expect([one.lag_events, one.position]).toEqual([0, log.position]);
  });
});

describe('GET /v1/sports', () => {
  const TABLE = [
    ['nfl', ['nfl'], 'team_league'],
    ['nba', ['nba'], 'team_league'],
    ['mlb', ['mlb'], 'team_league'],
    ['nhl', ['nhl'], 'team_league'],
    ['ncaaf', ['ncaaf'], 'team_league'],
    ['ncaab', ['ncaab'], 'team_league'],
    ['tennis', ['atp', 'wta'], 'individual_tour'],
    ['soccer', ['fifa_world_cup', 'ucl'], 'tournament'],
    ['soccer', ['mls', 'epl', 'la_liga', 'serie_a', 'bundesliga', 'ligue_1'], 'team_league'],
  ] as const;

  it('{sports[], total} with the documented members; 1 credit', async () => {
    const { body, credits } = await server.ask('/v1/sports?active_only=false');
    expectMembers(body, ['sports', 'total']);
    expect([body.total, body.sports.length, credits]).toEqual([8, 8, 1]);
    for (const sport of body.sports) {
      expectMembers(sport, ['id', 'slug', 'name', 'is_team_sport', 'leagues']);
      for (const league of sport.leagues) {
        const members = ['id', 'slug', 'name', 'abbreviation', 'league_type', 'country_code', 'current_season'];
        expectMembers(league, members);
      }
    }
    const ids = (items: { id: number }[]) => items.map(({ id }) => id);
    expect(new Set(ids(body.sports)).size).toBe(8);
    expect(new Set(body.sports.flatMap(({ leagues }: any) => ids(leagues))).size).toBe(16);
  });

  it.each(TABLE)('%s has the leagues %o of type %s', async (slug, leagues, type) => {
    const { sports } = await server.get('/v1/sports?active_only=false');
    const sport = sports.find((one: any) => one.slug === slug);
    const slugs = sport.leagues.filter((one: any) => one.league_type === type).map((one: any) => one.slug);
    expect(slugs.sort()).toEqual([...leagues].sort());
  });

  it('holds the sports and leagues of the table and no others', async () => {
    const { sports } = await server.get('/v1/sports?active_only=false');
    const slugs = sports.flatMap(({ slug, leagues }: any) => leagues.map((one: any) => `${slug}/${one.slug}`));
    expect(slugs.sort()).toEqual(TABLE.flatMap(([slug, leagues]) => leagues.map((one) => `${slug}/${one}`)).sort());
  });

  it('is_team_sport: false for tennis only', async () => {
    const { sports } = await server.get('/v1/sports?active_only=false');
    const others = sports.filter((one: any) => !one.is_team_sport);
    expect(others.map(({ slug }: any) => slug)).toEqual(['tennis']);
  });

  it('country_code: ISO alpha-3; null for atp, wta, ucl, fifa_world_cup', async () => {
    const { sports } = await server.get('/v1/sports?active_only=false');
    const leagues = sports.flatMap((one: any) => one.leagues);
    const by = Object.fromEntries(leagues.map(({ slug, country_code }: any) => [slug, country_code]));
    expect(by).toEqual({
      ...Object.fromEntries(['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'mls'].map((slug) => [slug, 'USA'])),
      ...Object.fromEntries(['atp', 'wta', 'ucl', 'fifa_world_cup'].map((slug) => [slug, null])),
      epl: 'GBR',
      la_liga: 'ESP',
      serie_a: 'ITA',
      bundesliga: 'DEU',
      ligue_1: 'FRA',
    });
  });

  it('active_only: true by default; active is an event within 180 days either way', async () => {
    const own = await startServer();
    const slugs = async (query = '') => (await own.get(`/v1/sports${query}`)).sports.map(({ slug }: any) => slug);
    expect(await slugs()).toHaveLength(8);
    await own.feed(
      schedule(NFL, 'far', ['A', 'B'], `${dayOf(300)}T12:00:00Z`),
      schedule(NHL, 'early', ['A', 'B'], `${dayOf(-181)}T12:00:00Z`),
    );
    expect(await slugs()).toEqual([]);
    await own.feed(
      schedule(MLB, 'last', ['A', 'B'], `${dayOf(180)}T12:00:00Z`),
      schedule(EPL, 'first', ['A', 'B'], `${dayOf(-180)}T12:00:00Z`),
    );
    expect((await slugs()).sort()).toEqual(['mlb', 'soccer']);
    expect((await slugs('?active_only=true')).sort()).toEqual(['mlb', 'soccer']);
    expect(await slugs('?active_only=false')).toHaveLength(8);
    await own.close();
  });

  it.each(['1', 'TRUE', '', 'no'])('active_only: %j is 422', async (value) => {
    const { status, body } = await server.ask(`/v1/sports?active_only=${value}`);
    expect([status, body.error.code]).toEqual([422, 'validation_error']);
  });

  it('current_season: null when none is active, else id, year, name, phase, start_date, end_date', async () => {
    const own = await startServer();
    const currentOf = async (slug: string) => {
      const { sports } = await own.get('/v1/sports?active_only=false');
      return sports.flatMap((one: any) => one.leagues).find((one: any) => one.slug === slug).current_season;
    };
    expect(await currentOf('nba')).toBeNull();
    const season = {
      year: 2025,
      name: 'NBA 2025/26',
      phase: 'regular_season',
      start_date: '2025-10-21',
      end_date: '2026-04-12',
    };
    await own.feed(schedule(NBA, 'g', ['A', 'B'], '2026-03-02T00:00:00Z', { season }));
    const current = await currentOf('nba');
    expect(current).toEqual({ id: expect.any(Number), ...season });
    const [listed] = (await own.get('/v1/seasons?sport=nba')).seasons;
    expect(listed).toMatchObject(current);
    expect(await currentOf('nfl')).toBeNull();
    await own.close();
  });

  it('a scoped key sees its sports only', async () => {
    const key = await server.newKey(['tennis', 'nba']);
    const { sports, total } = await server.get('/v1/sports?active_only=false', key);
    expect([sports.map(({ slug }: any) => slug).sort(), total]).toEqual([['nba', 'tennis'], 2]);
  });
});

describe('GET /v1/seasons', () => {
  const seasonsOf = async (query: string, key?: string) => (await server.get(`/v1/seasons?${query}`, key)).seasons;
  const find = async (league: string, year: number, query = 'current_only=false') =>
    (await seasonsOf(query)).find((one: any) => one.league.slug === league && one.year === year);

  it('{seasons[], total} with the documented members; 1 credit', async () => {
    await server.feed(schedule(ATP, 's1', ['A One', 'B Two'], '2026-03-01T12:00:00Z'));
    const { body, credits } = await server.ask('/v1/seasons');
    expectMembers(body, ['seasons', 'total']);
    expect([body.total, credits]).toEqual([body.seasons.length, 1]);
    for (const season of body.seasons) {
      const members = ['id', 'year', 'name', 'phase', 'start_date', 'end_date', 'is_current', 'sport', 'league'];
      expectMembers(season, members);
    }
    const atp = await find('atp', 2026);
    expect(atp.sport).toEqual({ slug: 'tennis', name: expect.any(String) });
    expect(atp.league).toEqual({ slug: 'atp', name: expect.any(String), abbreviation: 'ATP' });
  });

  it('start_date, end_date: as given, else of the first and last event', async () => {
    await server.feed(
      schedule(NHL, 's2', ['A', 'B'], '2015-10-07T23:00:00Z'),
      schedule(NHL, 's3', ['A', 'B'], '2016-04-10T00:30:00Z'),
      schedule(NHL, 's4', ['A', 'B'], '2016-01-10T00:30:00Z'),
    );
    expect(await find('nhl', 2015)).toMatchObject({ start_date: '2015-10-07', end_date: '2016-04-10' });
    const season = { year: 2016, phase: 'regular_season', start_date: '2016-09-30' };
    await server.feed(schedule(NHL, 's5', ['A', 'B'], '2016-10-12T23:00:00Z', { season }));
    expect(await find('nhl', 2016)).toMatchObject({ start_date: '2016-09-30', end_date: '2016-10-12' });
  });

  it.each(['preseason', 'regular_season', 'playoffs'])('phase: %s', async (phase) => {
    const year = 2000 + phase.length;
    await server.feed(schedule(MLB, `p-${phase}`, ['A', 'B'], `${year}-06-01T00:00:00Z`, { season: { year, phase } }));
    expect((await find('mlb', year)).phase).toBe(phase);
  });

  it('phase: that of the newest event', async () => {
    const season = (phase: string) => ({ season: { year: 1999, phase } });
    await server.feed(
      schedule(MLB, 'q2', ['A', 'B'], '1999-10-01T00:00:00Z', season('playoffs')),
      schedule(MLB, 'q1', ['A', 'B'], '1999-03-01T00:00:00Z', season('preseason')),
    );
    expect((await find('mlb', 1999)).phase).toBe('playoffs');
  });

  it('name: as given', async () => {
    const season = { year: 1998, phase: 'regular_season', name: 'The 1998 season' };
    await server.feed(schedule(MLB, 'n1', ['A', 'B'], '1998-06-01T00:00:00Z', { season }));
    expect((await find('mlb', 1998)).name).toBe('The 1998 season');
  });

  it('is_current: today lies within its dates; current_only: true by default', async () => {
    const dates = (start_date: string, end_date: string) => ({ start_date, end_date, phase: 'regular_season' });
    const cases = [
      ['nfl', NFL, dates(dayOf(0), dayOf(10)), true],
      ['nba', NBA, dates(dayOf(-10), dayOf(0)), true],
      ['mlb', MLB, dates(dayOf(1), dayOf(10)), false],
      ['epl', EPL, dates(dayOf(-10), dayOf(-1)), false],
    ] as const;
    for (const [slug, league, season, isCurrent] of cases) {
      const facts = { season: { year: 2077, ...season } };
      await server.feed(schedule(league, `c-${slug}`, ['A', 'B'], '2026-03-01T00:00:00Z', facts));
      expect([slug, (await find(slug, 2077)).is_current]).toEqual([slug, isCurrent]);
      const shown = (await find(slug, 2077, 'current_only=true')) !== undefined;
      const byDefault = (await find(slug, 2077, '')) !== undefined;
      expect([slug, shown, byDefault]).toEqual([slug, isCurrent, isCurrent]);
    }
  });

  it('sport: a slug; unknown gives an empty list', async () => {
    for (const { sport } of await seasonsOf('sport=mlb&current_only=false')) expect(sport.slug).toBe('mlb');
    expect(await seasonsOf('sport=mlb&current_only=false')).not.toEqual([]);
    expect(await server.get('/v1/seasons?sport=curling')).toEqual({ seasons: [], total: 0 });
  });

  it('a scoped key: its sports without sport, 403 for another one', async () => {
    const key = await server.newKey(['mlb']);
    const sports = (await seasonsOf('current_only=false', key)).map(({ sport }: any) => sport.slug);
    expect(new Set(sports)).toEqual(new Set(['mlb']));
    const { status, body } = await server.ask('/v1/seasons?sport=nhl', { key });
    expect([status, body.error.code]).toEqual([403, 'sport_scope_denied']);
    expect(await seasonsOf('sport=curling', key)).toEqual([]);
  });

  it('current_only: only true and false are right', async () => {
    expect((await server.ask('/v1/seasons?current_only=1')).status).toBe(422);
  });
});
