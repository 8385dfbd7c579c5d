import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Game, game } from './events.ts';
import { expectMembers } from './members.ts';
import { injury, NBA, NFL, player, schedule, team } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const HOUR = 3_600_000;
const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
const injuriesOf = ({ path }: Game, query = '') => server.get(`${path}/injuries${query}`);
const STATUSES = ['out', 'doubtful', 'questionable', 'probable', 'day_to_day', 'ir', 'suspended', 'available'] as const;

/** A report of a player of the first side. */
const report = (one: Game, name: string, status: string, at: string, more: Record<string, unknown> = {}) =>
  injury(one.league as typeof NFL, one.sides[0], name, status, { at, ...more });

describe('Injury report: envelope', () => {
  it('available: false, and free, while no source has checked', async () => {
    const one = await game(server, NFL);
    const { status, body, credits } = await server.ask(`${one.path}/injuries`);
    expectMembers(body, ['event_id', 'available', 'last_checked_at', 'confirmed_at', 'next_check_at', 'injuries']);
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toMatchObject({
      event_id: one.id,
      available: false,
      last_checked_at: null,
      confirmed_at: null,
      injuries: [],
    });
  });

  it('available: true, for 1 credit, when a source looked and found nothing', async () => {
    const one = await game(server, NFL);
    const checked = { kind: 'injury', source: 'feed', at: '2026-03-01T10:00:00Z', checked: true, ref: one.ref };
    await server.feed(checked);
    const { body, credits } = await server.ask(`${one.path}/injuries`);
    expect(body).toMatchObject({ available: true, last_checked_at: '2026-03-01T10:00:00Z', injuries: [] });
    expect(credits).toBe(1);
  });

  it('last_checked_at: every report about one of its teams is a check; an older one does not move it back', async () => {
    const one = await game(server, NFL);
    const lastOf = async () => (await injuriesOf(one)).last_checked_at;
    await server.feed(report(one, 'A B', 'out', '2026-03-01T10:00:00Z'));
    expect(await lastOf()).toBe('2026-03-01T10:00:00Z');
    await server.feed(injury(NFL, one.sides[1], 'C D', 'out', { at: '2026-03-01T10:30:00Z' }));
    expect(await lastOf()).toBe('2026-03-01T10:30:00Z');
    await server.feed(report(one, 'A B', 'out', '2026-03-01T11:00:00Z'));
    expect(await lastOf()).toBe('2026-03-01T11:00:00Z');
    await server.feed(report(one, 'E F', 'out', '2026-03-01T09:00:00Z'));
    expect(await lastOf()).toBe('2026-03-01T11:00:00Z');
    const match = { ...NFL, starts_at: '2026-03-01T18:00:00Z', home: one.sides[1], away: one.sides[0] };
    await server.feed({ kind: 'injury', source: 'third', at: '2026-03-01T11:30:00Z', checked: true, match });
    expect(await lastOf()).toBe('2026-03-01T11:30:00Z');
  });

  it('next_check_at, confirmed_at: 24 h steps up to a day before, then 18, 12, 6 and 2 hours before the start', async () => {
    const own = await startServer();
    const start = Date.parse('2026-03-05T18:00:00Z');
    const one = await game(own, NFL, { starts_at: timeOf(start) });
    const steps: [last: number, next: number | null, confirmed: number | null][] = [
      [95, 72, null],
      [72.001, 72, null],
      [72, 48, null],
      [30, 24, null],
      [24, 18, null],
      [20, 18, null],
      [18, 12, null],
      [12, 6, null],
      [7, 6, null],
      [6, 2, null],
      [2.001, 2, null],
      [2, null, 2],
      [1, null, 2],
      [0.5, null, 2],
    ];
    const ahead = (hours: number | null) => (hours === null ? null : timeOf(start - hours * HOUR));
    for (const [last, next, confirmed] of steps) {
      const at = ahead(last)!;
      own.setClock(at);
      await own.feed({ kind: 'injury', source: 'feed', at, checked: true, ref: one.ref });
      expect(await own.get(`${one.path}/injuries`)).toMatchObject({
        last_checked_at: at,
        next_check_at: ahead(next),
        confirmed_at: ahead(confirmed),
      });
    }
    own.setClock(timeOf(start));
    expect((await own.get(`${one.path}/injuries`)).next_check_at).toBeNull();
    await own.close();
  });

  it('next_check_at is null from the start on, also after an early check', async () => {
    const own = await startServer();
    const one = await game(own, NFL, { starts_at: '2026-03-03T18:00:00Z' });
    await own.feed({ kind: 'injury', source: 'feed', at: '2026-03-01T11:00:00Z', checked: true, ref: one.ref });
    const next = async () => (await own.get(`${one.path}/injuries`)).next_check_at;
    expect(await next()).toBe('2026-03-01T18:00:00Z');
    own.setClock('2026-03-03T17:59:59Z');
    expect(await next()).toBe('2026-03-01T18:00:00Z');
    own.setClock('2026-03-03T18:00:00Z');
    expect(await next()).toBeNull();
    await own.close();
  });
});

describe('Injury report: next_check_at', () => {
  it.each(['inprogress', 'suspended', 'final', 'cancelled'])(
    'is null once the event is %s, before its start too',
    async (status) => {
      const one = await game(server, NFL, { starts_at: '2026-03-03T18:00:00Z' });
      await server.feed(report(one, 'A B', 'out', '2026-03-01T07:00:00Z'));
      expect((await injuriesOf(one)).next_check_at).toBe('2026-03-01T18:00:00Z');
      await server.feed(one.score(status));
      expect((await injuriesOf(one)).next_check_at).toBeNull();
    },
  );
});

describe('Injury report: items', () => {
  it('have the documented members', async () => {
    const one = await game(server, NFL);
    await server.feed(
      report(one, 'Patrick Mahomes', 'questionable', '2026-03-01T10:00:00Z', {
        body_part: 'ankle',
        note: 'Limited in practice',
        source_url: 'https://news.example/1',
      }),
    );
    const { participants } = await server.get(one.path);
    const { injuries } = await injuriesOf(one);
    expect(injuries).toEqual([
      {
        player: 'Patrick Mahomes',
        player_id: null,
        team: one.sides[0],
        team_id: participants[0].team.id,
        status: 'questionable',
        previous_status: null,
        body_part: 'ankle',
        note: 'Limited in practice',
        source_url: 'https://news.example/1',
        severity: 'info',
        last_changed_at: '2026-03-01T10:00:00Z',
      },
    ]);
  });

  it('body_part null, note and source_url empty strings where unknown', async () => {
    const one = await game(server, NFL);
    await server.feed(report(one, 'A B', 'out', '2026-03-01T10:00:00Z'));
    const { injuries } = await injuriesOf(one);
    expect(injuries[0]).toMatchObject({ body_part: null, note: '', source_url: '' });
  });

  it.each(STATUSES)('status: %s', async (status) => {
    const one = await game(server, NFL);
    await server.feed(report(one, 'A B', status, '2026-03-01T10:00:00Z'));
    expect((await injuriesOf(one)).injuries[0].status).toBe(status);
  });

  it('player_id: of the directory, also when it learns of the player later', async () => {
    const one = await game(server, NFL);
    await server.feed(team(NFL, `team-${one.ref}`, one.sides[0], 'XXX'));
    await server.feed(
      player('nfl', `k-${one.ref}`, `Known ${one.ref}`, { team_ref: `team-${one.ref}` }),
      report(one, `Known ${one.ref}`, 'out', '2026-03-01T10:00:00Z'),
      report(one, `Later ${one.ref}`, 'out', '2026-03-01T10:00:00Z'),
    );
    const idOf = async (name: string) =>
      (await injuriesOf(one)).injuries.find((item: any) => item.player === name).player_id;
    const found = async (q: string) => (await server.get(`/v1/players?q=${q}`)).data[0].id;
    expect(await idOf(`Known ${one.ref}`)).toBe(await found(`known ${one.ref}`));
    expect(await idOf(`Later ${one.ref}`)).toBeNull();
    await server.feed(player('nfl', `l-${one.ref}`, `Later ${one.ref}`, { team_ref: `team-${one.ref}` }));
    expect(await idOf(`Later ${one.ref}`)).toBe(await found(`later ${one.ref}`));
  });

  it('previous_status, last_changed_at: of the last change; a reconfirmation leaves them, with another note too', async () => {
    const one = await game(server, NFL);
    const item = async () => (await injuriesOf(one)).injuries[0];
    await server.feed(report(one, 'A B', 'questionable', '2026-03-01T09:00:00Z', { note: 'One' }));
    await server.feed(report(one, 'A B', 'out', '2026-03-01T09:10:00Z', { note: 'Two' }));
    const changed = {
      status: 'out',
      previous_status: 'questionable',
      last_changed_at: '2026-03-01T09:10:00Z',
      note: 'Two',
      severity: 'material',
    };
    expect(await item()).toMatchObject(changed);
    await server.feed(report(one, 'A B', 'out', '2026-03-01T09:20:00Z', { note: 'Two' }));
    expect(await item()).toMatchObject({ ...changed, severity: 'info' });
    await server.feed(report(one, 'A B', 'out', '2026-03-01T09:30:00Z', { note: 'Three' }));
    expect(await item()).toMatchObject({ ...changed, severity: 'info', note: 'Three' });
  });

  it('what a report leaves out stays as an earlier one had it', async () => {
    const one = await game(server, NFL);
    const facts = { body_part: 'knee', note: 'Torn', source_url: 'https://news.example/2' };
    await server.feed(report(one, 'A B', 'questionable', '2026-03-01T09:00:00Z', facts));
    await server.feed(report(one, 'A B', 'out', '2026-03-01T09:10:00Z'));
    expect((await injuriesOf(one)).injuries[0]).toMatchObject({ status: 'out', ...facts });
  });

  it('a late report takes its place in the history', async () => {
    const one = await game(server, NFL);
    await server.feed(report(one, 'A B', 'out', '2026-03-01T09:20:00Z'));
    await server.feed(report(one, 'A B', 'probable', '2026-03-01T09:00:00Z'));
    expect((await injuriesOf(one)).injuries[0]).toMatchObject({ status: 'out', previous_status: 'probable' });
  });

  it('shows on every event of the team that was not over at its at, and those keep it', async () => {
    const past = await game(server, NBA, { starts_at: '2026-03-01T07:00:00Z' });
    const next = schedule(NBA, `n-${past.ref}`, [past.sides[1], past.sides[0]], '2026-03-03T18:00:00Z');
    await server.feed(next);
    const nextPath = `/v1/events/${await server.eventId('feed', `n-${past.ref}`)}`;
    await server.feed(report(past, 'A B', 'questionable', '2026-03-01T09:00:00Z'));
    await server.feed(past.score('final', ['100', '90'], { at: '2026-03-01T10:00:00Z' }));
    await server.feed(report(past, 'A B', 'out', '2026-03-01T10:30:00Z'));
    await server.feed(report(past, 'C D', 'out', '2026-03-01T10:30:00Z'));
    const { injuries, last_checked_at } = await injuriesOf(past);
    expect(injuries.map((item: any) => [item.player, item.status])).toEqual([['A B', 'questionable']]);
    expect(last_checked_at).toBe('2026-03-01T09:00:00Z');
    const later = await server.get(`${nextPath}/injuries`);
    expect(later.injuries.map((item: any) => [item.player, item.status]).sort()).toEqual([
      ['A B', 'out'],
      ['C D', 'out'],
    ]);
  });
});

describe('Injury report: severity', () => {
  const start = Date.parse('2026-03-02T00:00:00Z');
  /** Hours before the start, as far as the clock reaches: it stands at 12 hours before it. */
  let clocked: SpecServer;
  beforeAll(async () => {
    clocked = await startServer({ now: timeOf(start) });
  });
  afterAll(() => clocked.close());

  const severityAfter = async (steps: readonly (readonly [status: string, hoursBefore: number])[]) => {
    const one = await game(clocked, NFL, { starts_at: timeOf(start) });
    await clocked.feed(...steps.map(([status, hours]) => report(one, 'A B', status, timeOf(start - hours * HOUR))));
    const { injuries } = await clocked.get(`${one.path}/injuries`);
    return injuries[0].severity;
  };

  it.each([
    ...(['questionable', 'probable', 'day_to_day', 'available'] as const).flatMap((status) => [
      [status, 7, 'info'] as const,
      [status, 1, 'info'] as const,
    ]),
    ...(['out', 'doubtful'] as const).flatMap((status) => [
      [status, 7, 'material'] as const,
      [status, 6.001, 'material'] as const,
      [status, 6, 'critical'] as const,
      [status, 0.1, 'critical'] as const,
    ]),
    ...(['ir', 'suspended'] as const).flatMap((status) => [
      [status, 7, 'material'] as const,
      [status, 1, 'material'] as const,
    ]),
  ])('%s first seen %d hours before the start is %s', async (status, hours, severity) => {
    expect(await severityAfter([[status, hours]])).toBe(severity);
  });

  it.each([
    ...(['available', 'probable'] as const).flatMap((from) =>
      (['questionable', 'day_to_day', 'doubtful', 'out', 'ir', 'suspended'] as const).flatMap((to) => [
        [from, to, 7, 'material'] as const,
        [from, to, 6, 'critical'] as const,
      ]),
    ),
    ['questionable', 'out', 1, 'material'],
    ['day_to_day', 'doubtful', 1, 'material'],
    ['out', 'available', 1, 'material'],
    ['questionable', 'probable', 1, 'material'],
    ['probable', 'available', 1, 'material'],
    ['doubtful', 'questionable', 7, 'material'],
  ] as const)('from %s to %s, %d hours before the start, is %s', async (from, to, hours, severity) => {
    expect(
      await severityAfter([
        [from, 10],
        [to, hours],
      ]),
    ).toBe(severity);
  });

  it.each(STATUSES)('an unchanged reconfirm of %s is info', async (status) => {
    expect(
      await severityAfter([
        [status, 5],
        [status, 4],
      ]),
    ).toBe('info');
  });

  it('is measured against the start that was known at its at', async () => {
    const one = await game(clocked, NFL, { starts_at: timeOf(start) });
    await clocked.feed(report(one, 'A B', 'out', timeOf(start - 5 * HOUR)));
    await clocked.feed(one.schedule({ starts_at: timeOf(start + 20 * HOUR), at: timeOf(start - 4 * HOUR) }));
    await clocked.feed(report(one, 'C D', 'out', timeOf(start - 3 * HOUR)));
    const { injuries } = await clocked.get(`${one.path}/injuries`);
    expect(Object.fromEntries(injuries.map((item: any) => [item.player, item.severity]))).toEqual({
      'A B': 'critical',
      'C D': 'material',
    });
  });
});

describe('GET injuries: exclude_status', () => {
  let one: Game;
  beforeAll(async () => {
    one = await game(server, NFL);
    await server.feed(...STATUSES.map((status) => report(one, `P ${status}`, status, '2026-03-01T10:00:00Z')));
  });
  const shown = async (query: string) =>
    (await injuriesOf(one, query)).injuries.map(({ status }: any) => status).sort();

  it('comma-separated, case-insensitive statuses are dropped', async () => {
    expect(await shown('')).toEqual([...STATUSES].sort());
    expect(await shown('?exclude_status=')).toEqual([...STATUSES].sort());
    expect(await shown('?exclude_status=OUT')).not.toContain('out');
    const dropped = 'Available,%20probable,day_to_day,';
    expect(await shown(`?exclude_status=${dropped}`)).toEqual(['doubtful', 'ir', 'out', 'questionable', 'suspended']);
  });

  it('dropping all of them leaves available: true', async () => {
    const { available, injuries } = await injuriesOf(one, `?exclude_status=${STATUSES.join(',')}`);
    expect([available, injuries]).toEqual([true, []]);
  });

  it.each(['hurt', 'out,hurt', 'day-to-day'])('unknown values (%s) are 400', async (value) => {
    const { status, body, credits } = await server.ask(`${one.path}/injuries?exclude_status=${value}`);
    expect([status, body.error.code, credits]).toEqual([400, 'bad_request', 0]);
  });
});
