import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentityDesk } from '../../../src/server/mending/identity-desk-service.ts';
import type { IdentityDesk, ShownWaiting } from '../../../src/web/account/admin/identity-desk.ts';
import { EPL, MLB, NBA, player, schedule, team } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';

const odds = (ref: string, match: object, more: object = {}) => ({
  kind: 'odds',
  source: 'book',
  at: '2026-02-28T12:00:00Z',
  ref,
  match,
  bookmaker: 'pinnacle',
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
  ...more,
});
const other = { source: 'other' };

let server: SpecServer;
let desk: IdentityDesk;
beforeAll(async () => {
  server = await startServer();
  await server.feed(
    team(NBA, 't1', 'Boston Celtics', 'BOS'),
    team(NBA, 't2', 'Miami Heat', 'MIA'),
    player('nba', 'p1', 'Luka Dončić', { league: 'nba', team_ref: 't1' }),
    player('nba', 'p2', 'Luka Garza', { league: 'nba', team_ref: 't2' }),
    schedule(MLB, 'd1', ['Chicago Cubs', 'Cincinnati Reds'], '2026-06-01T17:20:00Z'),
    schedule(MLB, 'd2', ['Chicago Cubs', 'Cincinnati Reds'], '2026-06-01T18:20:00Z'),
    // Nearer to 10:00 of the day after, but the other way round.
    schedule(MLB, 'd3', ['Cincinnati Reds', 'Chicago Cubs'], '2026-06-02T04:00:00Z'),
    schedule(EPL, 'e1', ['Tottenham Hotspur', 'Wolverhampton Wanderers'], '2026-03-07T14:00:00Z'),
    schedule(EPL, 'e2', ['Sheffield Wednesday', 'Leeds'], '2026-03-07T14:00:00Z', other),
  );
  const mlb = { sport: 'mlb', league: 'mlb', home: 'Chicago Cubs', away: 'Cincinnati Reds' };
  const epl = { sport: 'soccer', league: 'epl', starts_at: '2026-03-07T14:00:00Z' };
  const report = await server.report([
    odds('double', { ...mlb, starts_at: '2026-06-01T17:50:00Z', week: 9 }, { note: 'Game 2: A at B' }),
    odds(
      'double',
      { ...mlb, starts_at: '2026-06-01T17:50:00Z' },
      { at: '2026-02-28T12:01:00Z', note: 'x', venue_hint: 'y' },
    ),
    odds('far', { ...mlb, starts_at: '2026-06-02T10:00:00Z' }),
    odds('spurs', { ...epl, home: 'The Lilywhites', away: 'Wolverhampton Wanderers' }),
    odds('wed', { ...epl, starts_at: '2026-05-07T14:00:00Z', home: 'Wednesday of Sheffield', away: 'Nobody United' }),
    {
      ...{ kind: 'injury', source: 'book', at: '2026-02-28T12:00:00Z', sport: 'nba', league: 'nba' },
      ...{ team: 'Boston Celtics', player: 'L. Doncic Jr', status: 'out' },
    },
    odds('a', { ...epl, home: 'Known to Nobody', away: 'Neither' }, { source: 'aaa' }),
  ]);
  expect(report.rejected).toBe(0);
  const { ports, core } = server.composed;
  desk = createIdentityDesk({ ports, intake: { intake: core.intake, preview: core.preview! } });
});
afterAll(() => server.close());

const all = async () => (await desk.waiting({ after: null, limit: 50 })).rows;
const rowOf = async (ref: string): Promise<ShownWaiting> => (await all()).find((row) => row.ref === ref)!;
const entries = ({ near }: ShownWaiting) => near.filter(({ entry_id }) => entry_id !== null).map(({ name }) => name);

describe('what waits', () => {
  it('says what its messages have beyond the contract, of each member the oldest', async () => {
    expect((await rowOf('double')).extra).toEqual({ note: 'Game 2: A at B', 'match.week': 9, venue_hint: 'y' });
  });

  it('has near events the same way round first, and says what is swapped', async () => {
    const { near, things } = await rowOf('far');
    expect(near.map(({ starts_at, swapped }) => [starts_at, swapped])).toEqual([
      ['2026-06-01T18:20:00Z', false],
      ['2026-06-01T17:20:00Z', false],
      ['2026-06-02T04:00:00Z', true],
    ]);
    expect(things).toHaveLength(3);
    expect((await rowOf('double')).candidates.map(({ swapped }) => swapped)).toEqual([false, false]);
  });

  it('has the side that plays the known one, and the name as it is spelled', async () => {
    const row = await rowOf('spurs');
    expect(row).toMatchObject({ reason: 'unknown_team', names: ['The Lilywhites'] });
    expect(entries(row)).toEqual(['Tottenham Hotspur']);
  });

  it('has the teams of the league whose names are nearest, for both of two names', async () => {
    const row = await rowOf('wed');
    expect(row.names).toEqual(['Wednesday of Sheffield', 'Nobody United']);
    expect(entries(row)).toEqual(['Sheffield Wednesday']);
    expect(row.near.map(({ named }) => named)).toEqual(['Wednesday of Sheffield']);
  });

  it('has the players of the team that is named', async () => {
    const row = (await all()).find(({ reason }) => reason === 'unknown_player')!;
    expect(row).toMatchObject({ names: ['L. Doncic Jr'] });
    expect(entries(row)).toEqual(['Luka Dončić']);
  });

  it('is read in parts, by source and by reason', async () => {
    const rows = await all();
    const first = await desk.waiting({ after: null, limit: 2 });
    expect(first.rows.map(({ id }) => id)).toEqual(rows.slice(0, 2).map(({ id }) => id));
    const rest = await desk.waiting({ after: first.next, limit: 50 });
    expect([rest.rows.map(({ id }) => id), rest.next]).toEqual([rows.slice(2).map(({ id }) => id), null]);
    const asked = { after: null, limit: 50 };
    expect((await desk.waiting({ ...asked, source: 'aaa' })).rows.map(({ ref }) => ref)).toEqual(['a']);
    expect((await desk.waiting({ ...asked, source: 'aa' })).rows).toEqual([]);
    const far = await desk.waiting({ ...asked, source: 'book', reason: 'unknown_event' });
    expect(far.rows.map(({ ref }) => ref)).toEqual(['far']);
  });
});

describe('all that waits of a source', () => {
  it('is given up by an act for each group, which are undone one by one', async () => {
    const of = (rows: readonly ShownWaiting[]) => rows.filter(({ source }) => source === 'book');
    const groups = of(await all());
    const messages = groups.reduce((sum, { count }) => sum + count, 0);
    const said = { by: 'staff 1', note: 'errs' };
    const counted = await desk.dismissSource!('book', said, true);
    expect(counted).toEqual({ groups: groups.length, messages, left: 0, isMoreLeft: false });
    expect(of(await all())).toHaveLength(groups.length);
    expect(await desk.dismissSource!('book', said, false)).toEqual(counted);
    expect((await all()).map(({ source }) => source)).toEqual(['aaa']);
    const acts = await desk.acts(null, 50);
    expect(acts.map(({ action, by, note }) => [action, by, note])).toEqual(
      groups.map(() => ['dismiss', 'staff 1', 'errs']),
    );
    await desk.act!({ action: 'undo', act: acts[0]!.act }, false);
    expect(of(await all())).toHaveLength(1);
  });

  it('is at most 200 groups at once, and says what is left', async () => {
    const epl = { sport: 'soccer', league: 'epl', starts_at: '2026-03-07T14:00:00Z', home: 'Nil', away: 'Nought' };
    const many = Array.from({ length: 203 }, (_, index) => odds(`m${index}`, epl, { source: 'many' }));
    await server.report(many);
    const said = { by: 'staff 1' };
    expect(await desk.dismissSource!('many', said, true)).toMatchObject({ groups: 200, messages: 200, left: 3 });
    expect(await desk.dismissSource!('many', said, false)).toMatchObject({ groups: 200, left: 3 });
    expect(await desk.dismissSource!('many', said, false)).toMatchObject({ groups: 3, left: 0 });
    expect(await desk.dismissSource!('many', said, false)).toMatchObject({ groups: 0, left: 0 });
  });
});
