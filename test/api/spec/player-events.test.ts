import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages, game } from './events.ts';
import { expectMembers } from './members.ts';
import { ATP, EPL, NFL, player, schedule, team } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

const DAY = 86_400_000;
const TODAY = Date.parse('2026-03-01T00:00:00Z');
const dayOf = (days: number) => new Date(TODAY + days * DAY).toISOString().slice(0, 10);

let server: SpecServer;
beforeAll(async () => {
  server = await startServer({ adapters: 'sqlite' });
});
afterAll(() => server.close());

const ROW = [
  'event_id',
  'starts_at',
  'status',
  'sport',
  'competition',
  'venue',
  'venue_city',
  'role',
  'result',
  'score',
  'opponent',
];
let count = 0;
/** A tennis player whom nobody else plays, by his path. */
async function newPlayer(): Promise<{ name: string; path: string; id: number }> {
  const name = `Player Number${++count}x`;
  await server.feed(player('tennis', `pe-${count}`, name));
  const [{ id }] = (await server.get(`/v1/players?q=${name}`)).data;
  return { name, id, path: `/v1/players/${id}/events` };
}
const eventIds = async (path: string) => (await server.get(path)).data.map(({ event_id }: any) => event_id);

describe('Player event row', () => {
  it('{player_id, data[], has_more, next_after_id} with the documented members; 1 credit', async () => {
    const { name, path, id } = await newPlayer();
    const one = await game(server, ATP, {
      sides: [name, 'An Opponent'],
      competition: { name: 'Roland Garros' },
      venue: { name: 'Stade Roland Garros', city: 'Paris' },
    });
    const { body, credits } = await server.ask(path);
    expectMembers(body, ['player_id', 'data', 'has_more', 'next_after_id']);
    expectMembers(body.data[0], ROW);
    const [{ id: opponent }] = (await server.get('/v1/players?q=an opponent')).data;
    expect(body).toEqual({
      player_id: id,
      data: [
        {
          event_id: one.id,
          starts_at: '2026-03-01T18:00:00Z',
          status: 'scheduled',
          sport: 'tennis',
          competition: 'Roland Garros',
          venue: 'Stade Roland Garros',
          venue_city: 'Paris',
          role: 'player_1',
          result: null,
          score: null,
          opponent: { player_id: opponent, name: 'An Opponent' },
        },
      ],
      has_more: false,
      next_after_id: null,
    });
    expect(credits).toBe(1);
  });

  it('role, result, score: the own ones of each side, tennis with its own string', async () => {
    const [winner, loser] = [await newPlayer(), await newPlayer()];
    const one = await game(server, ATP, { sides: [loser.name, winner.name] });
    const rowsOf = async () => Promise.all([winner, loser].map(async ({ path }) => (await server.get(path)).data[0]));
    await server.feed(one.score('inprogress', ['6', '4'], { period: 'Set 2' }));
    expect((await rowsOf()).map(({ role, result, score }) => [role, result, score])).toEqual([
      ['player_2', null, '4'],
      ['player_1', null, '6'],
    ]);
    await server.feed(one.score('final', ['6 3 2', '4 6 6']));
    expect((await rowsOf()).map(({ result, score, opponent }) => [result, score, opponent])).toEqual([
      ['win', '4 6 6', { player_id: loser.id, name: loser.name }],
      ['loss', '6 3 2', { player_id: winner.id, name: winner.name }],
    ]);
  });

  it('a walkover has a result and no score', async () => {
    const { name, path } = await newPlayer();
    const one = await game(server, ATP, { sides: [name, 'Withdrew Early'] });
    await server.feed(one.score('walkover', [{ is_winner: true }, null]));
    expect((await server.get(path)).data[0]).toMatchObject({ status: 'walkover', result: 'win', score: null });
  });

  it("a pair's match shows with each of its members, against the other pair", async () => {
    const [first, second] = [await newPlayer(), await newPlayer()];
    const pair = (a: string, b: string) => ({ name: `${a}/${b}`, members: [{ name: a }, { name: b }] });
    const sides = [pair('Other A', 'Other B'), pair(first.name, second.name)] as const;
    const one = await game(server, ATP, { sides, draw_type: 'doubles' });
    await server.feed(one.score('final', ['6 6', '7 7']));
    for (const { path } of [first, second]) {
      expect((await server.get(path)).data).toMatchObject([
        { event_id: one.id, role: 'player_2', result: 'win', opponent: { player_id: null, name: 'Other A/Other B' } },
      ]);
    }
  });

  it('team sports: the events of the present team; the opponent is the other team, the score own-opponent', async () => {
    await server.feed(team(NFL, 'pe-kc', 'Event Chiefs', 'ECH'), team(NFL, 'pe-bu', 'Event Bills', 'EBI'));
    await server.feed(player('nfl', 'pe-pm', 'Event Mahomes', { team_ref: 'pe-kc', at: '2026-03-01T09:00:00Z' }));
    const [{ id }] = (await server.get('/v1/players?q=event mahomes')).data;
    const facts = { venue: { name: 'Arrowhead', city: 'Kansas City' } };
    const home = await game(server, NFL, {
      sides: ['Event Chiefs', 'Event Bills'],
      starts_at: '2026-02-20T18:00:00Z',
      ...facts,
    });
    const away = await game(server, NFL, { sides: ['Event Bills', 'Event Chiefs'], starts_at: '2026-02-27T18:00:00Z' });
    await server.feed(home.score('final', ['27', '20']), away.score('final', ['31', '17']));
    const { data } = await server.get(`/v1/players/${id}/events`);
    expect(data).toMatchObject([
      { event_id: away.id, role: 'away', result: 'loss', score: '17-31', venue: null, venue_city: null },
      { event_id: home.id, role: 'home', result: 'win', score: '27-20', venue: 'Arrowhead', venue_city: 'Kansas City' },
    ]);
    for (const { opponent, competition } of data) {
      expect(opponent).toEqual({ player_id: null, name: 'Event Bills' });
      expect(typeof competition).toBe('string');
    }
    await server.feed(player('nfl', 'pe-pm', 'Event Mahomes', { team_ref: 'pe-bu' }));
    const moved = (await server.get(`/v1/players/${id}/events`)).data;
    expect(moved.map(({ role, score }: any) => [role, score])).toEqual([
      ['home', '31-17'],
      ['away', '20-27'],
    ]);
  });

  it('a draw is neither a win nor a loss', async () => {
    await server.feed(team(EPL, 'pe-d', 'Draw Town', 'DRT'));
    await server.feed(player('soccer', 'pe-dd', 'Draw Player', { team_ref: 'pe-d' }));
    const one = await game(server, EPL, { sides: ['Draw Town', 'Other Town'] });
    await server.feed(one.score('final', ['1', '1']));
    const [{ id }] = (await server.get('/v1/players?q=draw player')).data;
    expect((await server.get(`/v1/players/${id}/events`)).data).toMatchObject([{ result: null, score: '1-1' }]);
  });

  it('a player without a team has no events', async () => {
    await server.feed(player('nfl', 'pe-free', 'Free Agent'));
    const [{ id }] = (await server.get('/v1/players?q=free agent')).data;
    const body = await server.get(`/v1/players/${id}/events`);
    expect(body).toEqual({ player_id: id, data: [], has_more: false, next_after_id: null });
  });
});

describe('GET /v1/players/{id}/events: parameters', () => {
  let subject: Awaited<ReturnType<typeof newPlayer>>;
  const ids = new Map<number, number>();
  beforeAll(async () => {
    subject = await newPlayer();
    const days = [-121, -91, -90, -89, -61, -60, -31, -30, 0, 30, 31, 60, 61, 90, 91, 121];
    for (const day of days) {
      const ref = `pe-day${day}`;
      await server.feed(schedule(ATP, ref, [subject.name, `Foe ${day}`], `${dayOf(day)}T12:00:00Z`));
      ids.set(day, await server.eventId('feed', ref));
    }
  });
  const shown = async (query: string) => {
    const found: number[] = await eventIds(`${subject.path}?limit=100&${query}`);
    return found.map((id) => [...ids].find(([, of]) => of === id)![0]);
  };
  const codeOf = async (query: string) => {
    const { status, body } = await server.ask(`${subject.path}?${query}`);
    return [status, body.error?.code];
  };

  it('from, to: today minus 30 days to today plus 30 days by default; descending starts_at', async () => {
    expect(await shown('')).toEqual([30, 0, -30]);
  });

  it('from, to: both inclusive, at most 90 days apart', async () => {
    expect(await shown(`from=${dayOf(-60)}&to=${dayOf(30)}`)).toEqual([30, 0, -30, -31, -60]);
    expect(await shown(`from=${dayOf(0)}&to=${dayOf(0)}`)).toEqual([0]);
    expect(await codeOf(`from=${dayOf(-60)}&to=${dayOf(31)}`)).toEqual([400, 'bad_request']);
    expect(await codeOf(`from=${dayOf(1)}&to=${dayOf(0)}`)).toEqual([400, 'bad_request']);
  });

  it('one bound alone: the other lies 30 days from today', async () => {
    expect(await shown(`from=${dayOf(-60)}`)).toEqual([30, 0, -30, -31, -60]);
    expect(await shown(`to=${dayOf(60)}`)).toEqual([60, 31, 30, 0, -30]);
    expect(await codeOf(`from=${dayOf(-61)}`)).toEqual([400, 'bad_request']);
  });

  it('one bound alone: 90 days from the given one where today lies on its other side', async () => {
    expect(await shown(`from=${dayOf(31)}`)).toEqual([121, 91, 90, 61, 60, 31]);
    expect(await shown(`to=${dayOf(-31)}`)).toEqual([-31, -60, -61, -89, -90, -91, -121]);
  });

  it.each(['2020-1-1', 'x', '', '2026-02-30'])('from, to: %j is no date: 400', async (value) => {
    expect(await codeOf(`from=${value}`)).toEqual([400, 'bad_request']);
    expect(await codeOf(`to=${value}`)).toEqual([400, 'bad_request']);
  });

  it('status: an event status; unrecognised is 400', async () => {
    expect(await shown('status=scheduled')).toEqual([30, 0, -30]);
    expect(await shown('status=final')).toEqual([]);
    expect(await codeOf('status=over')).toEqual([400, 'bad_request']);
  });

  it('limit, after_id: every row once, null exactly on the last page', async () => {
    const query = `from=${dayOf(-60)}&to=${dayOf(30)}`;
    for (const size of [1, 2, 4, 5, 6]) {
      const found = await allPages(server, `${subject.path}?${query}&limit=${size}`);
      expect([size, found.map(({ event_id }) => event_id)]).toEqual([
        size,
        [30, 0, -30, -31, -60].map((day) => ids.get(day)),
      ]);
    }
    const first = await server.get(`${subject.path}?${query}&limit=2`);
    expect(first).toMatchObject({ has_more: true, next_after_id: ids.get(0) });
    expect(await server.get(`${subject.path}?${query}&limit=5`)).toMatchObject({
      has_more: false,
      next_after_id: null,
    });
  });

  it('ties of starts_at go by id, across pages', async () => {
    const tied = await newPlayer();
    const refs = [1, 2, 3, 4].map((i) => `tie-${i}`);
    await server.feed(...refs.map((ref) => schedule(ATP, ref, [tied.name, `Rival ${ref}`], '2026-03-02T12:00:00Z')));
    const expected = await Promise.all(refs.map((ref) => server.eventId('feed', ref)));
    const found = (await allPages(server, `${tied.path}?limit=1`)).map(({ event_id }) => event_id);
    expect([...found].sort((a, b) => a - b)).toEqual(expected);
    expect([expected, expected.toReversed()]).toContainEqual(found);
  });

  it.each([
    ['limit=0', 422],
    ['limit=101', 422],
    ['after_id=x', 422],
    ['after_id=99999999', 400],
  ])('%s is %i', async (query, status) => {
    expect((await codeOf(query))[0]).toBe(status);
  });

  it('an unknown player is 404, a non-integer 422', async () => {
    expect((await server.ask('/v1/players/99999999/events')).status).toBe(404);
    expect((await server.ask('/v1/players/abc/events')).status).toBe(422);
  });
});
