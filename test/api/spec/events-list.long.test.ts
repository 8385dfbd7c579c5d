import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages, type Game, game, gamesOf } from './events.ts';
import { expectMembers, SUMMARY } from './members.ts';
import { ATP, EPL, MLB, NBA, NFL, NHL, schedule } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
});
afterAll(() => server.close());

const list = (query: string, key?: string) => server.get(`/v1/events?${query}`, key);
const idsOf = ({ events }: { events: { id: number }[] }) => events.map(({ id }) => id);
const ids = async (query: string, key?: string) => idsOf(await list(query, key));
const codeOf = async (query: string, key?: string) => {
  const { status, body } = await server.ask(`/v1/events?${query}`, key === undefined ? {} : { key });
  return [status, body.error?.code];
};
const BAD_REQUEST = [400, 'bad_request'];
const INVALID = [422, 'validation_error'];

describe('List events: envelope', () => {
  it('{events[], total, next_after_id}, total is the events on this page', async () => {
    await gamesOf(server, NFL, 3, { starts_at: '2020-01-05T18:00:00Z' });
    const page = await list('date=2020-01-05&limit=2');
    expectMembers(page, ['events', 'total', 'next_after_id']);
    expect([page.events.length, page.total]).toEqual([2, 2]);
    for (const event of page.events) expectMembers(event, SUMMARY);
    expect(await list('date=2020-01-06')).toEqual({ events: [], total: 0, next_after_id: null });
  });

  it('is sorted by starts_at ascending, ties by id', async () => {
    const late = await game(server, NFL, { starts_at: '2020-02-02T20:00:00Z' });
    const [a, b] = await gamesOf(server, NBA, 2, { starts_at: '2020-02-02T10:00:00Z' });
    const early = await game(server, NHL, { starts_at: '2020-02-02T01:00:00Z' });
    expect(await ids('date=2020-02-02')).toEqual([early.id, a!.id, b!.id, late.id]);
    expect(await ids('date=2020-02-02&sort=time')).toEqual([early.id, a!.id, b!.id, late.id]);
  });

  it('costs 1 credit, also when it is empty', async () => {
    expect((await server.ask('/v1/events')).credits).toBe(1);
    expect((await server.ask('/v1/events?sport=curling')).credits).toBe(1);
  });
});

describe('List events: parameters', () => {
  it('sport: each slug', async () => {
    for (const sport of ['nfl', 'nba', 'mlb', 'nhl', 'tennis', 'soccer', 'ncaaf', 'ncaab']) {
      const league = { sport, league: sport === 'tennis' ? 'wta' : sport === 'soccer' ? 'mls' : sport };
      const one = await game(server, league, { starts_at: '2020-03-03T12:00:00Z' });
      expect([sport, await ids(`sport=${sport}&date=2020-03-03`)]).toEqual([sport, [one.id]]);
    }
    expect(await ids('date=2020-03-03')).toHaveLength(8);
  });

  it('sport: an unknown one gives an empty list', async () => {
    for (const sport of ['curling', '', 'NFL']) {
      expect(await list(`sport=${sport}`)).toEqual({ events: [], total: 0, next_after_id: null });
    }
  });

  it('league: a slug; an unknown one gives an empty list', async () => {
    const epl = await game(server, EPL, { starts_at: '2020-03-04T12:00:00Z' });
    await game(server, { sport: 'soccer', league: 'la_liga' }, { starts_at: '2020-03-04T12:00:00Z' });
    expect(await ids('date=2020-03-04&league=epl')).toEqual([epl.id]);
    expect(await ids('date=2020-03-04&league=eredivisie')).toEqual([]);
    expect(await ids('date=2020-03-04&league=epl&sport=nfl')).toEqual([]);
  });

  it('status: each value', async () => {
    const ways: Record<string, string[]> = {
      scheduled: [],
      inprogress: ['inprogress'],
      delayed: ['delayed'],
      suspended: ['inprogress', 'suspended'],
      postponed: ['postponed'],
      cancelled: ['cancelled'],
      final: ['final'],
      walkover: ['walkover'],
    };
    const games = await gamesOf(server, ATP, 8, { starts_at: '2020-03-05T12:00:00Z' });
    const statuses = Object.keys(ways);
    await server.feed(...statuses.flatMap((status, i) => ways[status]!.map((step) => games[i]!.score(step))));
    for (const [index, status] of statuses.entries()) {
      expect([status, await ids(`date=2020-03-05&status=${status}`)]).toEqual([status, [games[index]!.id]]);
    }
  });

  it.each(['live', '', 'Final', 'in_progress', 'final,scheduled'])(
    'status: unrecognised (%s) is 400',
    async (status) => {
      expect(await codeOf(`status=${status}`)).toEqual(BAD_REQUEST);
    },
  );

  it('date: from 00:00Z of the day until 00:00Z of the next', async () => {
    await game(server, NFL, { starts_at: '2020-03-06T23:59:59.999Z' });
    const first = await game(server, NFL, { starts_at: '2020-03-07T00:00:00Z' });
    const last = await game(server, NFL, { starts_at: '2020-03-07T23:59:59.999Z' });
    await game(server, NFL, { starts_at: '2020-03-08T00:00:00Z' });
    expect(await ids('date=2020-03-07')).toEqual([first.id, last.id]);
    expect(await ids('from=2020-03-07&to=2020-03-07')).toEqual([first.id, last.id]);
  });

  it.each(['2020-3-7', '20200307', '2020-02-30', '2020-13-01', 'today', '', '2020-03-07T00:00:00Z', '2020-03-07 '])(
    'date, from, to: %j is no date: 400',
    async (value) => {
      for (const name of ['date', 'from', 'to']) {
        expect([name, ...(await codeOf(`${name}=${encodeURIComponent(value)}`))]).toEqual([name, ...BAD_REQUEST]);
      }
    },
  );

  it('date: mutually exclusive with from and to: 400', async () => {
    expect(await codeOf('date=2020-03-07&from=2020-03-07')).toEqual(BAD_REQUEST);
    expect(await codeOf('date=2020-03-07&to=2020-03-07')).toEqual(BAD_REQUEST);
    expect(await codeOf('date=2020-03-07&from=2020-03-07&to=2020-03-07')).toEqual(BAD_REQUEST);
  });

  it('from, to: inclusive, at most 90 days apart', async () => {
    const first = await game(server, MLB, { starts_at: '2019-01-01T00:00:00Z' });
    const last = await game(server, MLB, { starts_at: '2019-04-01T23:59:59Z' });
    expect(await ids('from=2019-01-01&to=2019-04-01')).toEqual([first.id, last.id]);
    expect(await codeOf('from=2019-01-01&to=2019-04-02')).toEqual(BAD_REQUEST);
    expect(await codeOf('from=2019-01-02&to=2019-01-01')).toEqual(BAD_REQUEST);
  });

  it('from, to: one bound alone leaves the other side open', async () => {
    const old = await game(server, MLB, { starts_at: '2010-01-01T00:00:00Z' });
    const far = await game(server, MLB, { starts_at: '2040-01-01T00:00:00Z' });
    expect(await ids('to=2010-12-31')).toEqual([old.id]);
    expect(await ids('from=2039-01-01')).toEqual([far.id]);
  });

  it('season_id', async () => {
    const season = { year: 2011, phase: 'regular_season' };
    const [one] = await gamesOf(server, NBA, 2, { starts_at: '2011-12-25T18:00:00Z', season });
    const { season_id } = await server.get(one!.path);
    const other = await game(server, NBA, { starts_at: '2012-12-25T18:00:00Z' });
    const found = await ids(`season_id=${season_id}`);
    expect(found).toHaveLength(2);
    expect(found).not.toContain(other.id);
    expect(await ids('season_id=999999999')).toEqual([]);
    for (const bad of ['x', '1.5', '']) expect(await codeOf(`season_id=${bad}`)).toEqual(INVALID);
  });

  it('team_id: at home and away', async () => {
    const first = await game(server, NHL, { sides: ['Team A', 'Team B'], starts_at: '2020-05-01T18:00:00Z' });
    const second = await game(server, NHL, { sides: ['Team C', 'Team A'], starts_at: '2020-05-02T18:00:00Z' });
    await game(server, NHL, { sides: ['Team C', 'Team B'], starts_at: '2020-05-03T18:00:00Z' });
    const { participants } = await server.get(first.path);
    expect(await ids(`team_id=${participants[0].team.id}`)).toEqual([first.id, second.id]);
    expect(await ids(`team_id=${participants[0].team.id}&from=2020-05-02`)).toEqual([second.id]);
    expect(await ids('team_id=99999999')).toEqual([]);
    for (const bad of ['x', '1.5', '']) expect(await codeOf(`team_id=${bad}`)).toEqual(INVALID);
  });

  it('limit: 25 by default, 1 to 100', async () => {
    await gamesOf(server, NBA, 101, { starts_at: '2020-06-01T18:00:00Z' });
    expect((await list('date=2020-06-01')).total).toBe(25);
    expect((await list('date=2020-06-01&limit=1')).total).toBe(1);
    expect((await list('date=2020-06-01&limit=100')).total).toBe(100);
  });

  it.each(['0', '101', '-1', '1.5', 'ten', '', '1e1', '+5'])('limit: %j is 422', async (limit) => {
    expect(await codeOf(`limit=${encodeURIComponent(limit)}`)).toEqual(INVALID);
  });

  it('include_scores: false by default; true bypasses the cache', async () => {
    const cache = async (query: string) => (await server.ask(`/v1/events?${query}`)).headers.get('cache-control');
    expect(await cache('')).toBe('private, max-age=300');
    expect(await cache('include_scores=false')).toBe('private, max-age=300');
    expect(await cache('include_scores=true')).toBe('private, no-cache, must-revalidate');
  });

  it('has_recommend: true keeps only events with a recommended bet, false keeps all', async () => {
    expect(await ids('has_recommend=true')).toEqual([]);
    expect(await ids('has_recommend=false')).toEqual(await ids(''));
  });

  it.each(['include_scores', 'has_recommend'])('%s: only true and false are right', async (name) => {
    for (const bad of ['1', 'TRUE', 'yes', '']) expect(await codeOf(`${name}=${bad}`)).toEqual(INVALID);
  });

  it.each(['starts_at', '', 'TIME', '-time'])('sort: unknown (%s) is 422', async (sort) => {
    expect(await codeOf(`sort=${sort}`)).toEqual(INVALID);
  });

  it('sort=status: live, delayed or upcoming, final, cancelled or postponed, then chronological', async () => {
    const steps = [
      ['cancelled'],
      ['final'],
      ['postponed'],
      [],
      ['inprogress', 'suspended'],
      ['walkover'],
      ['delayed'],
      ['inprogress'],
    ];
    const games: Game[] = [];
    for (const [index, way] of steps.entries()) {
      const one = await game(server, ATP, { starts_at: `2020-07-01T0${9 - index}:00:00Z` });
      await server.feed(...way.map((status) => one.score(status)));
      games.push(one);
    }
    const { events, next_after_id } = await list('date=2020-07-01&sort=status');
    expect(events.map(({ status }: any) => status)).toEqual([
      'inprogress',
      'suspended',
      'delayed',
      'scheduled',
      'walkover',
      'final',
      'postponed',
      'cancelled',
    ]);
    expect(next_after_id).toBeNull();
    const short = await list('date=2020-07-01&sort=status&limit=3');
    expect([short.total, short.next_after_id]).toEqual([3, null]);
    expect(await ids('date=2020-07-01&sort=status&status=final')).toEqual([games[1]!.id]);
    expect(await codeOf(`sort=status&after_id=${games[0]!.id}`)).toEqual(BAD_REQUEST);
  });

  it('unknown parameters are ignored, repeated ones are 422', async () => {
    expect(await ids('date=2020-07-01&nonsense=1&nonsense=2')).toHaveLength(8);
    for (const name of ['sport', 'limit', 'date', 'after_id', 'sort']) {
      expect([name, ...(await codeOf(`${name}=1&${name}=1`))]).toEqual([name, ...INVALID]);
    }
  });
});

describe('List events: after_id', () => {
  it.each([1, 2, 3, 4, 6, 7])(
    'pages of %i hold every event once, in order; null exactly on the last page',
    async (size) => {
      const day = `2021-01-0${size}`;
      const [a, b] = [
        await gamesOf(server, NFL, 3, { starts_at: `${day}T18:00:00Z` }),
        await gamesOf(server, NBA, 3, { starts_at: `${day}T12:00:00Z` }),
      ];
      const all = [...b, ...a].map(({ id }) => id);
      const seen: number[] = [];
      let pages = 0;
      const client = server.client({ onResponse: () => void pages++ });
      for await (const { id } of client.each.listEvents({ date: day, limit: size })) seen.push(id);
      expect(seen).toEqual(all);
      expect(pages).toBe(Math.ceil(6 / size));
    },
  );

  it('the cursor is stable while new events are ingested before and behind it', async () => {
    const before = await gamesOf(server, NFL, 6, { starts_at: '2021-02-01T12:00:00Z' });
    const seen: number[] = [];
    for await (const { id } of server.client().each.listEvents({ date: '2021-02-01', limit: 2 })) {
      seen.push(id);
      // Before each of the three pages that follow.
      if (seen.length > 6 || seen.length % 2 === 1) continue;
      await game(server, NFL, { starts_at: '2021-02-01T11:00:00Z' });
      await game(server, NFL, { starts_at: '2021-02-01T13:00:00Z' });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 6)).toEqual(before.map(({ id }) => id));
    expect(seen).toHaveLength(9);
  });

  it("when the cursor's event has moved, paging goes on from its new place", async () => {
    const games = await gamesOf(server, NFL, 4, { starts_at: '2021-03-01T12:00:00Z' });
    const last = await game(server, NFL, { starts_at: '2021-03-01T20:00:00Z' });
    const { next_after_id } = await list('date=2021-03-01&limit=2');
    expect(next_after_id).toBe(games[1]!.id);
    await server.feed(games[1]!.schedule({ starts_at: '2021-03-01T16:00:00Z' }));
    expect(await ids(`date=2021-03-01&limit=2&after_id=${next_after_id}`)).toEqual([last.id]);
  });

  it('the cursor need not fit the filter', async () => {
    const [one, two] = await gamesOf(server, NFL, 2, { starts_at: '2021-03-02T12:00:00Z' });
    await server.feed(one!.score('final', ['1', '0']));
    expect(await ids(`date=2021-03-02&status=scheduled&after_id=${one!.id}`)).toEqual([two!.id]);
  });

  it('an unknown one is 400, no integer is 422', async () => {
    for (const unknown of ['99999999', '0', '-1']) expect(await codeOf(`after_id=${unknown}`)).toEqual(BAD_REQUEST);
    for (const bad of ['x', '1.5', '']) expect(await codeOf(`after_id=${bad}`)).toEqual(INVALID);
  });

  it('works together with every filter', async () => {
    const games = await gamesOf(server, EPL, 5, { starts_at: '2021-04-01T12:00:00Z' });
    await server.feed(...games.map((one) => one.score('final', ['1', '0'])));
    const found = await allPages(
      server,
      '/v1/events?sport=soccer&league=epl&status=final&date=2021-04-01&limit=2&include_scores=true',
    );
    expect(found.map(({ id }) => id)).toEqual(games.map(({ id }) => id));
  });
});

describe('List events: scoped keys', () => {
  let tennis: string;
  beforeAll(async () => {
    tennis = await server.newKey(['tennis', 'soccer']);
  });
  const denied = async (query: string, sport: string) => {
    const { status, body, credits } = await server.ask(`/v1/events?${query}`, { key: tennis });
    expect([query, status, body.error?.code, credits]).toEqual([query, 403, 'sport_scope_denied', 0]);
    expect(body.error).toMatchObject({ sport, granted_scopes: ['tennis', 'soccer'], upgrade_url: expect.any(String) });
  };

  it('lists without sport hold the granted sports only', async () => {
    const [atp] = await gamesOf(server, ATP, 1, { starts_at: '2021-05-01T12:00:00Z' });
    await gamesOf(server, NFL, 1, { starts_at: '2021-05-01T12:00:00Z' });
    const [epl] = await gamesOf(server, EPL, 1, { starts_at: '2021-05-01T13:00:00Z' });
    expect(await ids('date=2021-05-01', tennis)).toEqual([atp!.id, epl!.id]);
    expect(await ids('date=2021-05-01&sort=status', tennis)).toEqual([atp!.id, epl!.id]);
    expect(await ids('date=2021-05-01&league=nfl', tennis)).toEqual([]);
  });

  it('an out-of-scope sport, team, season or cursor is 403, an unknown sport an empty list', async () => {
    const nfl = await game(server, NFL);
    const { participants, season_id } = await server.get(nfl.path);
    await denied('sport=nfl', 'nfl');
    await denied(`team_id=${participants[0].team.id}`, 'nfl');
    await denied(`season_id=${season_id}`, 'nfl');
    await denied(`after_id=${nfl.id}`, 'nfl');
    expect(await ids('sport=curling', tennis)).toEqual([]);
    expect((await server.ask('/v1/events?sport=tennis', { key: tennis })).status).toBe(200);
  });
});

describe('List events: what changes an event changes the list', () => {
  it('a reschedule moves it to another date', async () => {
    const one = await game(server, NFL, { starts_at: '2022-01-01T12:00:00Z' });
    await server.feed(one.schedule({ starts_at: '2022-01-05T12:00:00Z' }));
    expect(await ids('date=2022-01-01')).toEqual([]);
    expect(await ids('date=2022-01-05')).toEqual([one.id]);
  });

  it('a second source of the same event makes no second one', async () => {
    const one = await game(server, NFL, { starts_at: '2022-02-01T12:00:00Z' });
    const again = schedule(NFL, 'other-1', [one.sides[1], one.sides[0]], '2022-02-01T17:59:59Z', { source: 'other' });
    await server.feed(again);
    expect(await ids('date=2022-02-01')).toEqual([one.id]);
    await server.feed(schedule(NFL, 'far-1', one.sides, '2022-02-02T00:00:00Z', { source: 'third' }));
    expect(await ids('date=2022-02-02')).toHaveLength(1);
    expect(await ids('date=2022-02-02')).not.toEqual([one.id]);
  });
});
