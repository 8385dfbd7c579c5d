import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDuplicates } from '../../../src/server/mending/duplicates.ts';
import type { DuplicateRow } from '../../../src/web/account/admin/identity-desk.ts';
import { EPL, MLB, NBA, NFL, player, schedule, score, team } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
  const by = (source: string) => ({ source });
  await server.feed(
    team(NBA, 't1', 'Boston Celtics', 'BOS'),
    team(NBA, 't2', 'Miami Heat', 'MIA'),
    schedule(NBA, 'g1', ['Boston Celtics', 'Miami Heat'], '2026-03-01T16:00:00Z'),
    // Another source has the game a day later, the first has one of the same sides itself.
    schedule(NBA, 'x1', ['Boston Celtics', 'Miami Heat'], '2026-03-02T12:00:00Z', by('other')),
    schedule(NBA, 'g2', ['Boston Celtics', 'Miami Heat'], '2026-03-05T16:00:00Z'),
    schedule(NBA, 'g3', ['Boston Celtics', 'Miami Heat'], '2026-03-06T16:00:00Z'),
    score('g1', 'final', ['100', '90']),
    schedule(EPL, 'e1', ['Manchester United', 'Arsenal'], '2026-03-01T16:00:00Z'),
    schedule(EPL, 'e2', ['Manchester United FC', 'Leeds'], '2026-03-08T16:00:00Z'),
    // A source has a ref for each, so they are two.
    team(EPL, 'u1', 'Dundee', 'DUN'),
    team(EPL, 'u2', 'Dundee United', 'DUU'),
    schedule(EPL, 'e4', ['Dundee', 'Arsenal'], '2026-03-15T16:00:00Z'),
    schedule(EPL, 'e5', ['Dundee United', 'Leeds'], '2026-03-15T19:00:00Z'),
    // The first and the second game of a day, each of a source of its own.
    schedule(MLB, 'd1', ['Cubs', 'Reds'], '2026-06-01T16:00:00Z', { game_number: 1 }),
    schedule(MLB, 'd2', ['Cubs', 'Reds'], '2026-06-01T23:00:00Z', { game_number: 2, ...by('other') }),
    // They met, so they are two.
    schedule(EPL, 'e3', ['Bristol', 'Bristol City'], '2026-03-08T19:00:00Z'),
    player('nba', 'p1', 'Luka Dončić', { league: 'nba', team_ref: 't1' }),
    player('nba', 'p2', 'Luka Doncic', { league: 'nba', team_ref: 't1', ...by('feed'), birthdate: '1999-02-28' }),
    player('nba', 'p3', 'Jay Brown', { league: 'nba', team_ref: 't1', birthdate: '1996-10-24' }),
    player('nba', 'p4', 'Jaylen Brown', { league: 'nba', team_ref: 't1', birthdate: '1996-10-24' }),
    player('tennis', 'a1', 'Carlos Alcaraz Garfia'),
    player('tennis', 'td1', 'Alcaraz C.', by('td')),
    player('tennis', 'a2', 'Juan Martín del Potro'),
    player('tennis', 'td2', 'Del Potro J.M.', by('td')),
    // Two fit.
    player('tennis', 'a3', 'Alexander Zverev'),
    player('tennis', 'a4', 'Andrei Zverev'),
    player('tennis', 'td3', 'Zverev A.', by('td')),
    // The same source has both.
    player('tennis', 'a5', 'Serena Williams'),
    player('tennis', 'a6', 'Williams S.'),
    player('nba', 'p5', 'Jay Brown', { league: 'nba', team_ref: 't2', birthdate: '1990-01-01' }),
  );
});
afterAll(() => server.close());

async function found(league?: string, since?: number): Promise<DuplicateRow[]> {
  const rows: DuplicateRow[] = [];
  const { identities, log } = server.composed.ports;
  const { replacements } = log;
  for await (const row of findDuplicates({ store: server.store, identities, since, replacements }, league))
    rows.push(row);
  return rows;
}
const pairs = (rows: readonly DuplicateRow[], what: string) =>
  rows.filter((row) => row.what === what).map(({ a, b, reason }) => [a.name, b.name, reason]);

describe('duplicates', () => {
  it('are events of the same sides within 36 hours, from different sources', async () => {
    const events = (await found()).filter(({ what }) => what === 'event');
    expect(events).toEqual([
      {
        what: 'event',
        reason: 'the same sides, 1200 minutes apart, from different sources',
        a: {
          id: 1,
          name: 'Miami Heat at Boston Celtics',
          starts_at: '2026-03-01T16:00:00Z',
          sources: ['feed'],
          score: '100:90 (final)',
        },
        b: {
          id: 2,
          name: 'Miami Heat at Boston Celtics',
          starts_at: '2026-03-02T12:00:00Z',
          sources: ['other'],
          score: null,
        },
      },
    ]);
  });

  it('are the nearest first, and say what is swapped and what stands in several pairs', async () => {
    const by = (source: string) => ({ source });
    const nfl = (ref: string, sides: [string, string], time: string, source: string) =>
      schedule(NFL, ref, sides, `2026-03-${time}:00Z`, by(source));
    const [home, away] = ['Bills', 'Jets'] as const;
    await server.feed(
      nfl('n1', [home, away], '07T10:00', 'one'),
      nfl('n2', [home, away], '07T20:00', 'two'),
      nfl('n3', [away, home], '08T03:00', 'three'),
    );
    const rows = (await found('nfl')).filter(({ what }) => what === 'event');
    const [first, second, third] = [...new Set(rows.flatMap(({ a, b }) => [a.id, b.id]))].sort((a, b) => a - b);
    const each = [first, second, third].map((id) => `event ${id} stands in 2 pairs`);
    expect(rows.map(({ a, b, reason }) => [a.id, b.id, reason])).toEqual([
      [
        second,
        third,
        `the same sides, sides swapped, 420 minutes apart, from different sources; ${each[1]}; ${each[2]}`,
      ],
      [first, second, `the same sides, 600 minutes apart, from different sources; ${each[0]}; ${each[1]}`],
      [
        first,
        third,
        `the same sides, sides swapped, 1020 minutes apart, from different sources; ${each[0]}; ${each[2]}`,
      ],
    ]);
  });

  it('are teams of a league that differ by a word and never met', async () => {
    expect(pairs(await found(), 'team')).toEqual([
      ['Manchester United', 'Manchester United FC', 'one word more or less'],
    ]);
  });

  it('are players of tennis of whom one has an initial, and the only one whom it fits', async () => {
    expect(pairs(await found('atp'), 'player')).toEqual([
      ['Carlos Alcaraz Garfia', 'Alcaraz C.', 'the same initial and last name'],
      ['Juan Martín del Potro', 'Del Potro J.M.', 'the same initial and last name'],
    ]);
  });

  it('are players of one team with one name, or one birthdate and last name', async () => {
    expect(pairs(await found('nba'), 'player')).toEqual([
      ['Luka Dončić', 'Luka Doncic', 'the same name in one team'],
      ['Jay Brown', 'Jaylen Brown', 'the same birthdate and last name in one team'],
    ]);
  });

  it('are asked for by league, and from a start on', async () => {
    expect((await found('epl')).map(({ what }) => what)).toEqual(['team']);
    expect((await found('nba', Date.parse('2026-03-02T00:00:00Z'))).map(({ what }) => what)).toEqual([
      'player',
      'player',
    ]);
  });
});
