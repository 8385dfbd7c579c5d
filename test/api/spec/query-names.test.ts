import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEAMS, teamMessages } from '../../text/name-matching/league-teams.ts';
import { game } from './events.ts';
import { ATP, EPL, NBA, NFL, NHL, player, team } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

const NOW = '2026-09-16T12:00:00Z';

let server: SpecServer;
/** The ids of teams and players by their names; of teams by sport and name too. */
const ids = new Map<string, number>();
beforeAll(async () => {
  server = await startServer({ now: NOW });
  await server.feed(
    ...teamMessages(TEAMS),
    player('nba', 'lebron', 'LeBron James', { team_ref: 'nba-LAL' }),
    player('nba', 'bronny', 'Bronny James', { team_ref: 'nba-LAL' }),
    player('nfl', 'mahomes', 'Patrick Mahomes', { team_ref: 'nfl-KC' }),
  );
  for (const kind of ['teams', 'players']) {
    let after = '';
    do {
      const { data, next_after_id } = await server.get(`/v1/${kind}?limit=100${after}`);
      for (const one of data) ids.set(one.name ?? one.full_name, one.id).set(`${one.sport} ${one.name}`, one.id);
      after = next_after_id === null ? '' : `&after_id=${next_after_id}`;
    } while (after !== '');
  }
});
afterAll(() => server.close());

const ask = async (query: string, more: object = {}, key?: string) => {
  const answer = await server.post('/v1/query', { query, ...more }, key === undefined ? {} : { key });
  expect([query, answer.status]).toEqual([query, 200]);
  expect(answer.credits).toBe(1);
  return answer.body;
};
const termsOf = ({ candidates }: any) => candidates.map(({ term, type }: any) => [term, type]);

describe('the examples with names of docs/query.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/query.md'), 'utf8');
  const section = page.slice(page.indexOf('## Examples with names\n'));
  const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, code]) => code!);
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1));

  it.each(rows)('%s', async (text, request, unknown, ambiguous) => {
    const body = await ask(codeIn(text!)[0]!);
    const expected = codeIn(request!)[0]?.replaceAll(/\{(.+?)\}/g, (_, name: string) => String(ids.get(name)));
    expect(body.unrecognized_terms).toEqual(codeIn(unknown!));
    expect(termsOf(body)).toEqual(codeIn(ambiguous!).map((term) => [term, ambiguous!.trim().split(' ').at(-1)]));
    if (ambiguous!.trim() === '') expect(body.equivalent_request).toBe(`GET ${expected ?? '/v1/events'}`);
    else expect(body).toMatchObject({ equivalent_request: null, events: [], total: 0, next_after_id: null });
  });

  it('are many', () => expect(rows.length).toBeGreaterThan(20));
});

describe('names in questions', () => {
  it('give the events of the team, as the equivalent request has them', async () => {
    const sides = [{ name: 'Kansas City Chiefs' }, { name: 'Buffalo Bills' }] as const;
    const own = await game(server, NFL, { starts_at: '2026-09-20T17:00:00Z', sides });
    const later = await game(server, NFL, { starts_at: '2026-09-27T17:00:00Z', sides });
    await game(server, NFL, { starts_at: '2026-09-20T17:00:00Z' });
    const { events, total, next_after_id, equivalent_request, interpreted } = await ask('chiefs, next 7 days');
    expect(events.map(({ id }: any) => id)).toEqual([own.id]);
    expect(interpreted).toMatchObject({ sport: null, team_id: ids.get('Kansas City Chiefs'), player_id: null });
    expect({ events, total, next_after_id }).toEqual(await server.get(equivalent_request.replace('GET ', '')));
    const first = await ask('chiefs', { limit: 1 });
    expect(first.next_after_id).toBe(own.id);
    const next = await server.get(`${first.equivalent_request.replace('GET ', '')}&after_id=${own.id}`);
    expect(next.events.map(({ id }: any) => id)).toEqual([later.id]);
  });

  it('give the events of the player, those that the player’s list has, in its order', async () => {
    const sides = ['Boston Celtics', 'Los Angeles Lakers'].map((name) => ({ name })) as any;
    const made = [];
    for (const day of [10, 18, 20])
      made.push(await game(server, NBA, { starts_at: `2026-09-${day}T23:00:00Z`, sides }));
    const { events, total, next_after_id, equivalent_request, interpreted } = await ask('LeBron James', { limit: 2 });
    expect(equivalent_request).toBe(`GET /v1/players/${ids.get('LeBron James')}/events?limit=2`);
    expect(interpreted).toMatchObject({ team_id: null, player_id: ids.get('LeBron James'), from: null, to: null });
    expect([events.map(({ id }: any) => id), total]).toEqual([[made[2]!.id, made[1]!.id], 2]);
    const list = await server.get(equivalent_request.replace('GET ', ''));
    expect(list.data.map(({ event_id }: any) => event_id)).toEqual(events.map(({ id }: any) => id));
    expect(next_after_id).toBe(list.next_after_id);
    const [listed] = (await server.get('/v1/events?sport=nba&date=2026-09-20')).events;
    expect(events[0]).toEqual(listed);
    expect((await ask('LeBron James yesterday')).total).toBe(0);
    const both = await ask('LeBron James, Lakers');
    expect(both.interpreted).toMatchObject({
      team_id: ids.get('Los Angeles Lakers'),
      player_id: ids.get('LeBron James'),
    });
  });

  it('are ambiguous with the candidates that the resolvers have', async () => {
    const { candidates } = await ask('giants, next week');
    const resolved = (await server.post('/v1/resolve/team', { query: 'giants' })).body;
    expect(candidates).toEqual([{ term: 'giants', type: 'team', candidates: resolved.candidates }]);
    const players = (await ask('James of the nba')).candidates;
    const clues = { sport: 'nba' };
    const ofSport = (await server.post('/v1/resolve/player', { query: 'James', clues })).body;
    expect(players).toEqual([{ term: 'james', type: 'player', candidates: ofSport.candidates }]);
    expect(termsOf(await ask('giants james giants'))).toEqual([
      ['giants', 'team'],
      ['james', 'player'],
    ]);
    expect((await ask('giants james xyz')).interpreted).toMatchObject({ team_id: null, player_id: null });
  });

  it('are ambiguous as a team and as a player where both resolvers resolve them, or none does', async () => {
    await server.feed(player('nhl', 'jets', 'Winnipeg Jets'), player('nfl', 'houston', 'James Houston'));
    const both = await ask('winnipeg jets');
    expect(termsOf(both)).toEqual([
      ['winnipeg jets', 'team'],
      ['winnipeg jets', 'player'],
    ]);
    expect(termsOf(await ask('houston'))).toEqual([
      ['houston', 'team'],
      ['houston', 'player'],
    ]);
    expect((await ask('houston nfl')).interpreted.team_id, 'a place and a sport resolve').toBe(
      ids.get('Houston Texans'),
    );
  });

  it('count with a league that is that of the player’s team, and with no other', async () => {
    await server.feed(
      player('soccer', 'messi', 'Lionel Messi', { team_ref: 'mls-MIA' }),
      player('tennis', 'djokovic', 'Novak Djokovic'),
    );
    const own = await ask('Lionel Messi in the MLS');
    expect([own.interpreted.league, own.unrecognized_terms]).toEqual(['mls', []]);
    const other = await ask('ucl games of Lionel Messi in the champions league');
    expect([other.interpreted.league, other.unrecognized_terms]).toEqual([null, ['ucl', 'champions', 'league']]);
    const tour = await ask('atp: Novak Djokovic');
    expect([tour.interpreted.league, tour.unrecognized_terms]).toEqual([null, ['atp']]);
    const wrong = await ask('epl games of Patrick Mahomes');
    expect([wrong.interpreted.player_id, wrong.unrecognized_terms]).toEqual([null, ['patrick', 'mahomes']]);
  });

  it('hold words of the grammar where the longer phrase is a name', async () => {
    await server.feed(
      team(NHL, 'oslo', 'Oslo Hockey Club', 'OSL'),
      team(EPL, 'games', 'The Games', 'TGA'),
      team(EPL, 'progress', 'In Progress', 'INP'),
    );
    const { interpreted, unrecognized_terms: left } = await ask('Oslo Hockey Club today');
    expect([interpreted.sport, interpreted.team_id, left]).toEqual([null, expect.any(Number), []]);
    expect((await ask('in progress')).interpreted).toMatchObject({ status: 'inprogress', team_id: null });
    // Words of the grammar alone are never looked up.
    expect((await ask('the games')).interpreted.team_id).toBeNull();
  });

  it('are those of the key’s sports', async () => {
    const key = await server.newKey(['nba']);
    expect(termsOf(await ask('kings', {}, key))).toEqual([]);
    const { interpreted, unrecognized_terms: left } = await ask('kings and chiefs', {}, key);
    expect([interpreted.team_id, left]).toEqual([ids.get('Sacramento Kings'), ['chiefs']]);
    const denied = await server.post('/v1/query', { query: 'nfl chiefs' }, { key });
    expect([denied.status, denied.credits]).toEqual([403, 0]);
  });

  it.each(['chiefs next 91 days', 'giants next 91 days', 'LeBron James last 13 weeks'])(
    'leave what is refused refused, and free: %s',
    async (query) => {
      const { status, credits } = await server.post('/v1/query', { query });
      expect([status, credits]).toEqual([400, 0]);
    },
  );

  it('are looked for with a number of reads that does not grow with their number', async () => {
    const readsOf = async (query: string) => {
      const before = server.reads();
      await ask(query);
      return server.reads() - before;
    };
    const names = TEAMS.map(({ name }) => name);
    const long = names.join(' ').slice(0, 500);
    expect(await readsOf('hello')).toBeLessThanOrEqual(3);
    expect(await readsOf(long)).toBeLessThanOrEqual(40);
    expect(await readsOf(Array.from({ length: 250 }, (_, index) => 'bcdfghjk'[index % 8]).join(' '))).toBeLessThan(40);
  });

  it('are full names in tennis', async () => {
    await game(server, ATP, { starts_at: '2026-09-17T12:00:00Z', sides: ['Novak Djokovic', 'Carlos Alcaraz'] });
    expect((await ask('Novak Djokovic tomorrow')).total).toBe(1);
    expect(termsOf(await ask('Alcaraz'))).toEqual([['alcaraz', 'player']]);
  });
});
