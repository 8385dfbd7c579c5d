import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages, game } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, NBA, player, team } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
});
afterAll(() => server.close());

const PLAYER = [
  'id',
  'slug',
  'full_name',
  'first_name',
  'last_name',
  'sport',
  'country_code',
  'birthdate',
  'position',
  'handedness',
  'height_cm',
  'weight_kg',
  'tennis_ranking',
  'tennis_ranking_points',
  'current_team_id',
  'current_team_name',
  'is_active',
  'retired_at',
  'image_url',
];
const list = (query: string, key?: string) => server.get(`/v1/players?${query}`, key);
const names = async (query: string) => (await list(query)).data.map(({ full_name }: any) => full_name);
const codeOf = async (path: string, key?: string) => {
  const { status, body } = await server.ask(path, key === undefined ? {} : { key });
  return [status, body.error?.code];
};

describe('Player', () => {
  it('the documented members, as the directory has them; 1 credit', async () => {
    const facts = {
      first_name: 'Carlos',
      last_name: 'Alcaraz',
      country_code: 'ESP',
      birthdate: '2003-05-05',
      handedness: 'right',
      height_cm: 183,
      weight_kg: 74.5,
      tennis_ranking: 1,
      tennis_ranking_points: 11_000,
      image_url: 'https://images.example/ca.png',
    };
    await server.feed(player('tennis', 'ca', 'Carlos Alcaraz', facts));
    const page = await list('q=carlos alcaraz');
    expectMembers(page, ['data', 'has_more', 'next_after_id']);
    const [item] = page.data;
    expectMembers(item, PLAYER);
    expect(item).toEqual({
      id: expect.any(Number),
      slug: 'carlos-alcaraz',
      full_name: 'Carlos Alcaraz',
      sport: 'tennis',
      ...facts,
      position: null,
      current_team_id: null,
      current_team_name: null,
      is_active: true,
      retired_at: null,
    });
    const { body, credits } = await server.ask(`/v1/players/${item.id}`);
    expect([body, credits]).toEqual([item, 1]);
  });

  it('position, current_team_id, current_team_name: of the present team, by its present name', async () => {
    await server.feed(
      team(NBA, 'bos', 'Boston', 'BOS', { at: '2026-03-01T08:00:00Z' }),
      team(NBA, 'mia', 'Miami Heat', 'MIA'),
      player('nba', 'jb', 'Jaylen Brown', { position: 'G', team_ref: 'bos', at: '2026-03-01T08:00:00Z' }),
    );
    const [{ id }] = (await list('q=jaylen')).data;
    const teamOf = async () => {
      const { current_team_id, current_team_name, position } = await server.get(`/v1/players/${id}`);
      return [current_team_id, current_team_name, position];
    };
    const idOf = async (q: string) => (await server.get(`/v1/teams?q=${q}`)).data[0].id;
    expect(await teamOf()).toEqual([await idOf('boston'), 'Boston', 'G']);
    await server.feed(team(NBA, 'bos', 'Boston Celtics', 'BOS'));
    expect(await teamOf()).toEqual([await idOf('boston'), 'Boston Celtics', 'G']);
    await server.feed(player('nba', 'jb', 'Jaylen Brown', { team_ref: 'mia' }));
    expect(await teamOf()).toEqual([await idOf('miami'), 'Miami Heat', 'G']);
  });

  it('a player of an unknown team waits for it', async () => {
    const report = await server.report([player('nba', 'wait', 'Waiting Man', { team_ref: 'later' })]);
    expect(report).toMatchObject({ quarantined: 1, accepted: 0 });
    expect(await names('q=waiting')).toEqual([]);
    await server.feed(team(NBA, 'later', 'Later Team', 'LAT'));
    expect(await names('q=waiting')).toEqual(['Waiting Man']);
  });

  it.each(['left', 'right', 'switch'])('handedness: %s', async (handedness) => {
    await server.feed(player('mlb', `h-${handedness}`, `Hand ${handedness}`, { handedness }));
    expect((await list(`q=hand ${handedness}`)).data[0].handedness).toBe(handedness);
  });

  it('is_active: false when retired; retired_at as reported', async () => {
    await server.feed(
      player('tennis', 'rf', 'Roger Federer', { retired_at: '2022-09-23' }),
      player('tennis', 'rn', 'Rafael Nadal', { is_active: false }),
    );
    expect((await list('q=federer')).data[0]).toMatchObject({ is_active: false, retired_at: '2022-09-23' });
    expect((await list('q=nadal')).data[0]).toMatchObject({ is_active: false, retired_at: null });
  });

  it('made from a schedule: what is not known is null', async () => {
    await game(server, ATP, { sides: [{ name: 'Gaël Monfils', country_code: 'FRA' }, 'Somebody Else'] });
    const [found] = (await list('q=monfils')).data;
    expect(found).toMatchObject({
      slug: 'gael-monfils',
      full_name: 'Gaël Monfils',
      country_code: 'FRA',
      sport: 'tennis',
    });
    const known = ['id', 'slug', 'full_name', 'country_code', 'sport', 'is_active'];
    for (const name of PLAYER) if (!known.includes(name)) expect([name, found[name]]).toEqual([name, null]);
  });

  it('members of a pair are players, the pair is none', async () => {
    const pair = (a: string, b: string) => ({ name: `${a}/${b}`, members: [{ name: a }, { name: b }] });
    const sides = [pair('Max Purcell', 'Jordan Thompson'), pair('Tim Puetz', 'Kevin Krawietz')] as const;
    await game(server, ATP, { sides, draw_type: 'doubles' });
    expect(await names('q=purcell')).toEqual(['Max Purcell']);
    expect(await names('q=krawietz')).toEqual(['Kevin Krawietz']);
  });
});

describe('GET /v1/players: parameters', () => {
  beforeAll(async () => {
    await server.feed(
      player('nhl', 'ao', 'Alexander Ovechkin', { country_code: 'RUS' }),
      player('nhl', 'sc', 'Sidney Crosby', { country_code: 'CAN', aliases: ['Sid the Kid'] }),
      player('nhl', 'jj', 'Jaromír Jágr', { country_code: 'CZE', is_active: false }),
      player('tennis', 'u1', 'Unranked One', {}),
      player('tennis', 'r9', 'Ranked Nine', { tennis_ranking: 9 }),
    );
  });

  it('sport', async () => {
    expect(await names('sport=nhl')).toEqual(['Alexander Ovechkin', 'Sidney Crosby', 'Jaromír Jágr']);
    expect(await list('sport=curling')).toEqual({ data: [], has_more: false, next_after_id: null });
  });

  it('q: case-insensitive partial full_name, accents too, and aliases', async () => {
    for (const q of ['crosb', 'SIDNEY', 'the kid']) expect(await names(`sport=nhl&q=${q}`)).toEqual(['Sidney Crosby']);
    for (const q of ['jaromir', 'JÁGR', 'jagr']) {
      expect(await names(`sport=nhl&q=${encodeURIComponent(q)}`)).toEqual(['Jaromír Jágr']);
    }
    expect(await names('sport=nhl&q=%25')).toEqual([]);
  });

  it('country: alpha-3, case-insensitive', async () => {
    expect(await names('sport=nhl&country=can')).toEqual(['Sidney Crosby']);
    expect(await names('sport=nhl&country=RUS')).toEqual(['Alexander Ovechkin']);
  });

  it('active: true active, false retired, both where left out', async () => {
    expect(await names('sport=nhl&active=false')).toEqual(['Jaromír Jágr']);
    expect(await names('sport=nhl&active=true')).toEqual(['Alexander Ovechkin', 'Sidney Crosby']);
  });

  it('ranked: true keeps only currently ranked tennis players', async () => {
    const ranked = await names('ranked=true');
    expect(ranked).toContain('Ranked Nine');
    expect(ranked).toContain('Carlos Alcaraz');
    expect(ranked).not.toContain('Unranked One');
    expect(ranked).not.toContain('Sidney Crosby');
    expect(await names('ranked=false')).toEqual(await names(''));
  });

  it('limit, after_id: ascending id order, every player once, null exactly on the last page', async () => {
    await server.feed(...Array.from({ length: 26 }, (_, i) => player('mlb', `m${i}`, `Pitcher ${i}`)));
    expect((await list('q=pitcher')).data).toHaveLength(25);
    expect(await list('q=pitcher')).toMatchObject({ has_more: true });
    for (const size of [1, 13, 25, 26, 100]) {
      const ids = (await allPages(server, `/v1/players?q=pitcher&limit=${size}`)).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(26);
    }
    expect(await list('q=pitcher&limit=26')).toMatchObject({ has_more: false, next_after_id: null });
  });

  it.each([
    ['limit=0', 422],
    ['limit=101', 422],
    ['active=1', 422],
    ['ranked=x', 422],
    ['after_id=x', 422],
    ['after_id=99999999', 400],
  ])('%s is %i', async (query, status) => {
    expect((await server.ask(`/v1/players?${query}`)).status).toBe(status);
  });
});

describe('Players: scoped keys and errors', () => {
  it('the granted sports only; another sport, player or cursor is 403', async () => {
    const key = await server.newKey(['nhl']);
    const found = await list('limit=100', key);
    expect(new Set(found.data.map(({ sport }: any) => sport))).toEqual(new Set(['nhl']));
    const [{ id }] = (await list('q=alcaraz')).data;
    const paths = [
      '/v1/players?sport=tennis',
      `/v1/players/${id}`,
      `/v1/players?after_id=${id}`,
      `/v1/players/${id}/events`,
    ];
    for (const path of paths) expect([path, ...(await codeOf(path, key))]).toEqual([path, 403, 'sport_scope_denied']);
  });

  it('404 if unknown, 422 for a non-integer', async () => {
    expect(await codeOf('/v1/players/99999999')).toEqual([404, 'not_found']);
    expect(await codeOf('/v1/players/abc')).toEqual([422, 'validation_error']);
  });
});
