import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages, game } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, NBA, NFL, NHL, team, WORLD_CUP } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
});
afterAll(() => server.close());

const LIST = [
  'id',
  'slug',
  'name',
  'abbreviation',
  'image_url',
  'sport',
  'league',
  'conference',
  'division',
  'venue',
  'is_active',
];
const DETAIL = [...LIST, 'short_name', 'city', 'state', 'country_code'];

const list = (query: string, key?: string) => server.get(`/v1/teams?${query}`, key);
const names = async (query: string, key?: string) => (await list(query, key)).data.map(({ name }: any) => name);
const codeOf = async (path: string, key?: string) => {
  const { status, body } = await server.ask(path, key === undefined ? {} : { key });
  return [status, body.error?.code];
};

const CHIEFS = {
  slug: 'kc',
  short_name: 'Chiefs',
  city: 'Kansas City',
  state: 'MO',
  country_code: 'USA',
  conference: 'AFC',
  division: 'West',
  image_url: 'https://images.example/kc.png',
  venue: { name: 'Arrowhead Stadium', city: 'Kansas City', country: 'USA', capacity: 76_416 },
  aliases: ['KC Football'],
  is_active: true,
};

describe('Team', () => {
  it('detail: the documented members, as the directory has them; 1 credit', async () => {
    await server.feed(team(NFL, 'kc', 'Kansas City Chiefs', 'KC', CHIEFS));
    const [{ id }] = (await list('q=kansas city chiefs')).data;
    const { body, credits } = await server.ask(`/v1/teams/${id}`);
    expectMembers(body, DETAIL);
    const { aliases: _, venue, ...facts } = CHIEFS;
    expect(body).toEqual({
      id,
      name: 'Kansas City Chiefs',
      abbreviation: 'KC',
      sport: 'nfl',
      league: 'nfl',
      ...facts,
      venue: { id: expect.any(Number), name: venue.name, city: venue.city },
    });
    expect(credits).toBe(1);
  });

  it('list item: the documented members, the same values', async () => {
    const page = await list('q=kansas city chiefs');
    expectMembers(page, ['data', 'has_more', 'next_after_id']);
    const [item] = page.data;
    expectMembers(item, LIST);
    expect(await server.get(`/v1/teams/${item.id}`)).toMatchObject(item);
  });

  it('made from a schedule: what is not known is null, is_active true, slug from the name', async () => {
    const one = await game(server, NHL, { sides: ["St. Mary's Élans", 'Second NHL'] });
    const { participants } = await server.get(one.path);
    const detail = await server.get(`/v1/teams/${participants[0].team.id}`);
    expect(detail).toEqual({
      id: participants[0].team.id,
      slug: 'st-marys-elans',
      name: "St. Mary's Élans",
      abbreviation: null,
      image_url: null,
      sport: 'nhl',
      league: 'nhl',
      conference: null,
      division: null,
      venue: { id: null, name: null, city: null },
      is_active: true,
      short_name: null,
      city: null,
      state: null,
      country_code: null,
    });
  });

  it('a newer message changes it, an older one fills in, and neither changes its id', async () => {
    const at = (hour: number) => ({ at: `2026-03-01T0${hour}:00:00Z` });
    await server.feed(team(NBA, 'sea', 'Seattle', 'SEA', { ...at(5), city: 'Seattle' }));
    const [{ id }] = (await list('q=seattle')).data;
    await server.feed(team(NBA, 'sea', 'Seattle SuperSonics', 'SEA', at(7)));
    await server.feed(team(NBA, 'sea', 'Seattle Older', 'OLD', { ...at(6), state: 'WA' }));
    const detail = await server.get(`/v1/teams/${id}`);
    expect(detail).toMatchObject({
      id,
      name: 'Seattle SuperSonics',
      abbreviation: 'SEA',
      city: 'Seattle',
      state: 'WA',
    });
  });

  it('one team for two sources that name it alike; St is State', async () => {
    await server.feed(team({ sport: 'ncaaf', league: 'ncaaf' }, 'osu', 'Ohio State', 'OSU'));
    await server.feed({ ...team({ sport: 'ncaaf', league: 'ncaaf' }, '77', 'OHIO ST.', 'OSU'), source: 'other' });
    expect((await list('sport=ncaaf&q=ohio')).data).toHaveLength(1);
  });
});

describe('GET /v1/teams: parameters', () => {
  beforeAll(async () => {
    await server.feed(
      team(EPL, 'ars', 'Arsenal', 'ARS', { country_code: 'GBR', short_name: 'The Gunners' }),
      team(EPL, 'mun', 'Manchester United', 'MUN', { country_code: 'GBR', aliases: ['Man Utd'], is_active: false }),
      team({ sport: 'soccer', league: 'la_liga' }, 'atm', 'Atlético Madrid', 'ATM', { country_code: 'ESP' }),
      team(NBA, 'bos', 'Boston Celtics', 'BOS', { conference: 'Eastern', division: 'Atlantic', country_code: 'USA' }),
      team(NBA, 'den', 'Denver Nuggets', 'DEN', { conference: 'Western', division: 'Northwest', country_code: 'USA' }),
    );
  });

  it('sport, league', async () => {
    expect(await names('sport=soccer')).toEqual(['Arsenal', 'Manchester United', 'Atlético Madrid']);
    expect(await names('league=epl')).toEqual(['Arsenal', 'Manchester United']);
    expect(await names('league=la_liga&sport=soccer')).toEqual(['Atlético Madrid']);
    expect(await names('league=la_liga&sport=nba')).toEqual([]);
    expect(await list('sport=curling')).toEqual({ data: [], has_more: false, next_after_id: null });
    expect(await names('league=nowhere')).toEqual([]);
  });

  it('conference, division', async () => {
    expect(await names('conference=Eastern')).toEqual(['Boston Celtics']);
    expect(await names('division=Northwest')).toEqual(['Denver Nuggets']);
    expect(await names('conference=Eastern&division=Northwest')).toEqual([]);
  });

  it('country: the ISO code', async () => {
    expect(await names('country=ESP')).toEqual(['Atlético Madrid']);
    expect(await names('country=esp')).toEqual(['Atlético Madrid']);
    expect(await names('country=XXX')).toEqual([]);
  });

  it.each([
    ['a part of the name', 'sena', 'Arsenal'],
    ['another case', 'ARSENAL', 'Arsenal'],
    ['no accents', 'atletico', 'Atlético Madrid'],
    ['accents in q', 'àtlético', 'Atlético Madrid'],
    ['the short name', 'gunners', 'Arsenal'],
    ['the abbreviation', 'mun', 'Manchester United'],
    ['an alias', 'man utd', 'Manchester United'],
  ])('q: %s', async (_, q, name) => {
    expect(await names(`sport=soccer&q=${encodeURIComponent(q)}`)).toEqual([name]);
  });

  it('q: wildcards of databases are plain characters', async () => {
    for (const q of ['%', '_', '*', '\\', "'"]) {
      expect([q, await names(`sport=soccer&q=${encodeURIComponent(q)}`)]).toEqual([q, []]);
    }
  });

  it('active: true, false, both where left out', async () => {
    expect(await names('league=epl&active=true')).toEqual(['Arsenal']);
    expect(await names('league=epl&active=false')).toEqual(['Manchester United']);
    expect(await codeOf('/v1/teams?active=maybe')).toEqual([422, 'validation_error']);
  });

  it('limit, after_id: ascending id order, every team once, null exactly on the last page', async () => {
    await server.feed(...Array.from({ length: 26 }, (_, i) => team(WORLD_CUP, `w${i}`, `Nation ${i}`, `N${i}`)));
    expect((await list('league=fifa_world_cup')).data).toHaveLength(25);
    expect(await list('league=fifa_world_cup&limit=26')).toMatchObject({ has_more: false, next_after_id: null });
    for (const size of [1, 5, 13, 25, 26, 100]) {
      const found = await allPages(server, `/v1/teams?league=fifa_world_cup&limit=${size}`);
      const ids = found.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(26);
    }
    const first = await list('league=fifa_world_cup&limit=13');
    expect(first).toMatchObject({ has_more: true, next_after_id: first.data.at(-1).id });
    const second = await list(`league=fifa_world_cup&limit=13&after_id=${first.next_after_id}`);
    expect(second).toMatchObject({ has_more: false, next_after_id: null });
  });

  it('paging is stable while teams come in', async () => {
    const first = await list('league=fifa_world_cup&limit=20');
    await server.feed(team(WORLD_CUP, 'w99', 'Nation 99', 'N99'));
    const second = await list(`league=fifa_world_cup&limit=20&after_id=${first.next_after_id}`);
    expect(second.data.map(({ name }: any) => name)).toEqual([20, 21, 22, 23, 24, 25, 99].map((i) => `Nation ${i}`));
  });

  it.each([
    ['limit=0', 422],
    ['limit=101', 422],
    ['limit=x', 422],
    ['after_id=x', 422],
    ['after_id=99999999', 400],
    ['sport=nba&sport=nfl', 422],
  ])('%s is %i', async (query, status) => {
    expect((await server.ask(`/v1/teams?${query}`)).status).toBe(status);
  });
});

describe('Teams: scoped keys', () => {
  it('the granted sports only; another sport, team or cursor is 403', async () => {
    const key = await server.newKey(['nba']);
    const found = await list('limit=100', key);
    expect(new Set(found.data.map(({ sport }: any) => sport))).toEqual(new Set(['nba']));
    const [{ id }] = (await list('q=arsenal')).data;
    for (const path of ['/v1/teams?sport=soccer', `/v1/teams/${id}`, `/v1/teams?after_id=${id}`]) {
      expect([path, ...(await codeOf(path, key))]).toEqual([path, 403, 'sport_scope_denied']);
    }
    expect((await list('sport=curling', key)).data).toEqual([]);
  });
});

describe('GET /v1/teams/{id}: errors', () => {
  it('404 if unknown, 422 for a non-integer', async () => {
    expect(await codeOf('/v1/teams/99999999')).toEqual([404, 'not_found']);
    expect(await codeOf('/v1/teams/99999999999999999999')).toEqual([422, 'validation_error']);
    expect(await codeOf('/v1/teams/abc')).toEqual([422, 'validation_error']);
  });

  it('a tennis player is no team', async () => {
    const before = (await allPages(server, '/v1/teams?limit=100')).length;
    await game(server, ATP);
    expect(await allPages(server, '/v1/teams?limit=100')).toHaveLength(before);
  });
});
