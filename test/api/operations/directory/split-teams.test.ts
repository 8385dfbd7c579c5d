import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATER, minute } from '../../../ingest/feed-messages.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';

/** Two universities have one name, so that the second source's team and player went to those of the first. */
const NCAA = { sport: 'ncaaf', league: 'ncaaf' };
const NAME = 'Miami';
const schedule = (source: string, ref: string, home: object, away: string) => ({
  ...NCAA,
  ...{ kind: 'schedule', source, at: '2026-09-01T00:00:00Z', ref, starts_at: '2026-09-12T18:00:00Z' },
  participants: [
    { role: 'home', ...home },
    { role: 'away', name: away },
  ],
});
const team = (source: string, more: object) => ({
  ...NCAA,
  ...{ kind: 'team', source, at: '2026-08-01T00:00:00Z', ref: `${source}-mia`, name: NAME, ...more },
});
const player = (source: string, position: string) => ({
  ...NCAA,
  ...{ kind: 'player', source, at: '2026-08-02T00:00:00Z', ref: `${source}-js`, full_name: 'John Smith', position },
  team_ref: `${source}-mia`,
});
const injury = (source: string, status: string, at: string) => ({
  ...NCAA,
  ...{
    kind: 'injury',
    source,
    at,
    player: 'John Smith',
    status,
    team_ref: `${source}-mia`,
    player_ref: `${source}-js`,
  },
});

let server: AgentServer;
let from: number;
let into: number;
let fromPlayer: number;
let intoPlayer: number;
/** Before the acts. */
let before: string;
let asBefore: any;
const refOf = (ref: string) => ({ source_ref: { source: 'b', ref } });

const idOf = async (type: string, source: string, ref: string): Promise<number> =>
  (await server.get(`/v1/mappings?type=${type}&source=${source}&ref=${ref}`)).mappings[0].id;
const reads = async (teamId: number, playerId: number, source: string) => ({
  team: await server.get(`/v1/teams/${teamId}`),
  player: await server.get(`/v1/players/${playerId}`),
  injuries: (await server.get(`/v1/events/${await server.eventId(source, `${source}-1`)}/injuries`)).injuries,
  events: (await server.get(`/v1/events?team_id=${teamId}`)).events.map(({ id, name }: any) => ({ id, name })),
});

async function act(members: object, expected: object = { status: 'accepted' }): Promise<void> {
  server.clock.time += 1000;
  const at = new Date(server.clock.time).toISOString();
  const { outcomes } = await server.take([{ kind: 'identity', source: 'operator', at, ...members }]);
  expect(outcomes).toMatchObject([expected]);
  await server.feed();
}

beforeAll(async () => {
  server = await serveAgent({ time: LATER });
  const told = [
    team('a', { abbreviation: 'MIA', city: 'Coral Gables' }),
    player('a', 'QB'),
    schedule('a', 'a-1', { name: NAME, ref: 'a-mia' }, 'Duke'),
    team('b', { abbreviation: 'MOH', nickname: 'RedHawks' }),
    player('b', 'WR'),
    schedule('b', 'b-1', { name: NAME, ref: 'b-mia' }, 'Akron'),
    schedule('c', 'c-1', { name: NAME }, 'Kent State'),
    injury('a', 'questionable', minute(1)),
    injury('b', 'out', minute(2)),
  ];
  await server.feed(...(told as unknown as { kind: string }[]));
  [from, fromPlayer] = [await idOf('team', 'a', 'a-mia'), await idOf('player', 'a', 'a-js')];
  expect([await idOf('team', 'b', 'b-mia'), await idOf('player', 'b', 'b-js')]).toEqual([from, fromPlayer]);
  asBefore = await reads(from, fromPlayer, 'a');
  server.clock.time += 60_000;
  before = new Date(server.clock.time).toISOString();
  await act({ action: 'split', what: 'team', ...refOf('b-mia') });
  await act({ action: 'split', what: 'player', ...refOf('b-js') });
  [into, intoPlayer] = [await idOf('team', 'b', 'b-mia'), await idOf('player', 'b', 'b-js')];
});
afterAll(() => server.close());

describe('a team whose ref was split off', () => {
  it('is two, each with what was told under its own refs; what was told by the name alone stays', async () => {
    expect(into).not.toBe(from);
    const [one, other] = [await reads(from, fromPlayer, 'a'), await reads(into, intoPlayer, 'b')];
    expect(one.team).toMatchObject({ id: from, name: NAME, city: 'Coral Gables', abbreviation: 'MIA' });
    expect(other.team).toMatchObject({ id: into, name: NAME, city: null, abbreviation: 'MOH' });
    const sides = (events: { name: string }[]) => events.map(({ name }) => name).sort();
    expect(sides(one.events)).toEqual(['Duke at Miami', 'Kent State at Miami']);
    expect(sides(other.events)).toEqual(['Akron at Miami']);
  });

  it('has its own players and injuries', async () => {
    const [one, other] = [await reads(from, fromPlayer, 'a'), await reads(into, intoPlayer, 'b')];
    expect([one.player.position, one.player.current_team_id]).toEqual(['QB', from]);
    expect([other.player.position, other.player.current_team_id]).toEqual(['WR', into]);
    const injured = ({ injuries }: { injuries: any[] }) => injuries.map(({ player_id, status }) => [player_id, status]);
    expect(injured(one)).toEqual([[fromPlayer, 'questionable']]);
    expect(injured(other)).toEqual([[intoPlayer, 'out']]);
  });

  it('keeps its refs apart in the mappings, and is merged from nothing', async () => {
    const { mappings } = await server.get(`/v1/mappings?type=team&id=${from}`);
    expect(mappings).toMatchObject([{ id: from, merged_from: [], refs: [{ source: 'a', ref: 'a-mia' }] }]);
    const others = (await server.get(`/v1/mappings?type=team&id=${into}`)).mappings;
    expect(others).toMatchObject([{ id: into, merged_from: [], refs: [{ source: 'b', ref: 'b-mia' }] }]);
  });

  it('is found by its name, as the other one is', async () => {
    const { data } = await server.get(`/v1/teams?sport=ncaaf&q=miami`);
    expect(data.map(({ id }: { id: number }) => id).sort()).toEqual([from, into].sort());
  });

  it('is the other one in an event as of a moment before the act', async () => {
    const event = await server.eventId('b', 'b-1');
    const path = `/v1/events/${event}/injuries`;
    const teams = ({ injuries }: { injuries: { team_id: number }[] }) => injuries.map(({ team_id }) => team_id);
    expect(new Set(teams(await server.get(`${path}?as_of=${before}`)))).toEqual(new Set([from]));
    expect(teams(await server.get(path))).toEqual([into]);
    expect(teams(await server.get(`${path}?as_of=${before}&as_of_basis=observed`))).toEqual([into]);
  });

  it('is told in the changes', async () => {
    const { changes } = await server.get('/v1/changes?types=identity&after=0');
    const data = { action: 'split', what: 'team', from: 'b:b-mia', into };
    expect(changes[0]).toMatchObject({ type: 'identity', event_id: null, data });
  });

  it('gets what comes under its ref', async () => {
    const news = { ...team('b', { abbreviation: 'MOH', city: 'Oxford' }), at: '2026-09-02T00:00:00Z' };
    await server.feed(news as unknown as { kind: string });
    expect((await server.get(`/v1/teams/${into}`)).city).toBe('Oxford');
    expect((await server.get(`/v1/teams/${from}`)).city).toBe('Coral Gables');
  });

  it('when all is taken back, is the one that it was, also by the id that it had', async () => {
    await act({ action: 'undo', act: 2 });
    await act({ action: 'undo', act: 1 });
    const after = await reads(from, fromPlayer, 'a');
    expect({ ...after, team: { ...after.team, city: asBefore.team.city } }).toEqual(asBefore);
    // What was told under the ref meanwhile is its too.
    expect(after.team.city).toBe('Oxford');
    const old = await server.ask(`/v1/teams/${into}`);
    expect([old.status, old.headers.get('x-merged-into'), old.body.id]).toEqual([200, String(from), from]);
  });

  it('is the same again when the undoing is undone', async () => {
    await act({ action: 'undo', act: 4 });
    expect(await idOf('team', 'b', 'b-mia')).toBe(into);
    expect((await server.get(`/v1/teams/${into}`)).abbreviation).toBe('MOH');
    await act({ action: 'undo', act: 5 });
    expect(await idOf('team', 'b', 'b-mia')).toBe(from);
  });
});
