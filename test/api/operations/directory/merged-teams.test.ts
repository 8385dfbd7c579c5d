import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATER, minute } from '../../../ingest/feed-messages.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';

/** Two sources spell one team in two ways; each tells of the game of it. */
const NFL = { sport: 'nfl', league: 'nfl' };
const schedule = (source: string, home: string) => ({
  ...NFL,
  ...{ kind: 'schedule', source, at: '2026-09-01T00:00:00Z', ref: `${source}-1`, starts_at: '2026-09-13T18:00:00Z' },
  participants: [
    { role: 'home', name: home, ref: `${source}-chiefs` },
    { role: 'away', name: 'Bills' },
  ],
});
const team = (source: string, name: string, abbreviation: string) => ({
  ...NFL,
  ...{ kind: 'team', source, at: '2026-08-01T00:00:00Z', ref: `${source}-chiefs`, name, abbreviation },
});
const player = (source: string, ref: string, full_name: string) => ({
  ...NFL,
  ...{ kind: 'player', source, at: '2026-08-02T00:00:00Z', ref, full_name, team_ref: `${source}-chiefs` },
});
const injury = (source: string, name: string) => ({
  ...NFL,
  ...{ kind: 'injury', source, at: minute(1), player: name, status: 'out', team_ref: `${source}-chiefs` },
});

let server: AgentServer;
let from: number;
let into: number;
let fromEvent: number;
let intoEvent: number;
let fromPlayer: number;
let intoPlayer: number;
/** Before the acts. */
let before: string;
let asBefore: any;

const idOf = async (type: string, source: string, ref: string): Promise<number> =>
  (await server.get(`/v1/mappings?type=${type}&source=${source}&ref=${ref}`)).mappings[0].id;

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
    team('a', 'Kansas City Chiefs', 'KC'),
    schedule('a', 'Kansas City Chiefs'),
    player('a', 'a-pm', 'Patrick Mahomes'),
    team('b', 'KC Chiefs', 'KCC'),
    schedule('b', 'KC Chiefs'),
    player('b', 'b-pm', 'Pat Mahomes'),
    injury('b', 'Pat Mahomes'),
  ];
  await server.feed(...(told as { kind: string }[]));
  [into, from] = [await idOf('team', 'a', 'a-chiefs'), await idOf('team', 'b', 'b-chiefs')];
  [intoEvent, fromEvent] = [await server.eventId('a', 'a-1'), await server.eventId('b', 'b-1')];
  [intoPlayer, fromPlayer] = [await idOf('player', 'a', 'a-pm'), await idOf('player', 'b', 'b-pm')];
  server.clock.time += 60_000;
  before = new Date(server.clock.time).toISOString();
  asBefore = await server.get(`/v1/events/${fromEvent}`);
  await act({ action: 'merge', what: 'event', from: fromEvent, into: intoEvent }, { code: 'different_sides' });
  await act({ action: 'merge', what: 'team', from, into });
});
afterAll(() => server.close());

describe('the old id of a merged team', () => {
  it('answers as the team that it was merged into, with a header that says so', async () => {
    const [old, present] = [await server.ask(`/v1/teams/${from}`), await server.ask(`/v1/teams/${into}`)];
    expect([old.status, old.headers.get('x-merged-into'), old.body.id]).toEqual([200, String(into), into]);
    expect(old.body).toEqual(present.body);
    expect(present.headers.get('x-merged-into')).toBeNull();
  });

  it('is in no list, and both events are of the one team', async () => {
    const { data } = await server.get('/v1/teams?sport=nfl');
    expect(data.map(({ id }: { id: number }) => id)).not.toContain(from);
    for (const id of [from, into]) {
      const { events } = await server.get(`/v1/events?team_id=${id}`);
      expect(events.map((event: { id: number }) => event.id).sort()).toEqual([intoEvent, fromEvent].sort());
    }
  });

  it('has both refs and the ids in the mappings', async () => {
    const { mappings } = await server.get(`/v1/mappings?type=team&id=${from}`);
    expect(mappings).toMatchObject([{ id: into, merged_from: [from], refs: [{ source: 'a' }, { source: 'b' }] }]);
    expect(await idOf('team', 'b', 'b-chiefs')).toBe(into);
  });

  it('is itself in an event as of a moment of recording before the act', async () => {
    const then = await server.get(`/v1/events/${fromEvent}?as_of=${before}`);
    expect(then.participants).toEqual(asBefore.participants);
    const observed = await server.get(`/v1/events/${fromEvent}?as_of=${before}&as_of_basis=observed`);
    expect(observed.participants).not.toEqual(asBefore.participants);
  });

  it('is told in the changes', async () => {
    const { changes } = await server.get('/v1/changes?types=identity&after=0');
    expect(changes.at(-1)).toMatchObject({ type: 'identity', data: { action: 'merge', what: 'team', from, into } });
  });

  it('is the team of its players, and the events can be merged now', async () => {
    expect((await server.get(`/v1/players/${fromPlayer}`)).current_team_id).toBe(into);
    await act({ action: 'merge', what: 'player', from: fromPlayer, into: intoPlayer });
    const { body, headers } = await server.ask(`/v1/players/${fromPlayer}`);
    expect([body.id, headers.get('x-merged-into')]).toEqual([intoPlayer, String(intoPlayer)]);
    await act({ action: 'merge', what: 'event', from: fromEvent, into: intoEvent });
    const { events } = await server.get(`/v1/events?team_id=${from}`);
    expect(events.map((event: { id: number }) => event.id)).toEqual([intoEvent]);
    await act({ action: 'undo', act: 1 }, { code: 'stands_on' });
  });

  it('when all is taken back, then all is as before', async () => {
    await act({ action: 'undo', act: 3 });
    await act({ action: 'undo', act: 2 });
    await act({ action: 'undo', act: 1 });
    expect((await server.get(`/v1/teams/${from}`)).id).toBe(from);
    expect((await server.get(`/v1/events/${fromEvent}`)).participants).toEqual(asBefore.participants);
    expect((await server.get(`/v1/players/${fromPlayer}`)).current_team_id).toBe(from);
    expect(await idOf('team', 'b', 'b-chiefs')).toBe(from);
  });
});
