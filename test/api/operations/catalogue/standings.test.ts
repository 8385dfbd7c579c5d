import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import type { Message } from '../../spec/messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
});
afterEach(() => server.close());

interface Told {
  readonly league?: string;
  readonly sport?: string;
  readonly phase?: string;
  readonly year?: number;
  readonly more?: object;
}

let refs = 0;
/** A game that has ended, from its start on. */
function game(day: string, home: string, away: string, score: string, told: Told = {}): Message[] {
  const { league = 'epl', sport = 'soccer', phase = 'regular_season', year = 2025, more = {} } = told;
  const ref = `g${++refs}`;
  const [first, second] = score.split('-').map(Number);
  const common = { source: 'feed', ref };
  const sides = [
    { role: 'home', score: String(first), is_winner: first! > second! },
    { role: 'away', score: String(second), is_winner: second! > first! },
  ];
  return [
    {
      ...common,
      kind: 'schedule',
      at: `${day}T10:00:00Z`,
      sport,
      league,
      season: { year, phase },
      starts_at: `${day}T12:00:00Z`,
      participants: [
        { role: 'home', name: home },
        { role: 'away', name: away },
      ],
    },
    { ...common, kind: 'score', at: `${day}T15:00:00Z`, status: 'final', scores: sides, ...more },
  ] as unknown as Message[];
}

const deduction = (at: string, points: number, more: object = {}) =>
  ({
    kind: 'deduction',
    source: 'feed',
    at,
    sport: 'soccer',
    league: 'epl',
    season: 2025,
    team: 'Ashford',
    points,
    reason: 'late accounts',
    ...more,
  }) as unknown as Message;

const table = async (path: string) => (await server.ask(`/v1/leagues/${path}`, { key: BOOTSTRAP_KEY })).body;
const placesOf = ({ groups }: any) =>
  groups.map(({ rows }: any) => rows.map(({ rank, team, points }: any) => `${rank} ${team} ${points}`));

const THREE = () => [
  ...game('2025-09-01', 'Ashford', 'Brook', '2-0'),
  ...game('2025-09-08', 'Brook', 'Cove', '1-1'),
  ...game('2025-09-15', 'Cove', 'Ashford', '0-1'),
];

describe('the table of a season', () => {
  it('given results, then it has ranks, sums, form and both grounds', async () => {
    await server.feed(...THREE());
    const answer = await server.ask('/v1/leagues/epl/standings?season=2025', { key: BOOTSTRAP_KEY });
    expect(answer.credits).toBe(1);
    expect(answer.body).toMatchObject({ league: 'epl', season: 2025, as_of: null });
    expect(placesOf(answer.body)).toEqual([['1 Ashford 6', '2 Cove 1', '3 Brook 1']]);
    expect(answer.body.groups[0].name).toBeNull();
    const { team_id, ...ashford } = answer.body.groups[0].rows[0];
    expect(team_id).toBeTypeOf('number');
    const one = { played: 1, won: 1, drawn: 0, lost: 0 };
    expect(ashford).toEqual({
      rank: 1,
      team: 'Ashford',
      ...{ played: 2, won: 2, drawn: 0, lost: 0, points: 6, for: 3, against: 0, difference: 3 },
      ...{ pct: 1, games_behind: null, streak: 'W2' },
      last_10: { played: 2, won: 2, drawn: 0, lost: 0, for: 3, against: 0 },
      home: { ...one, for: 2, against: 0 },
      away: { ...one, for: 1, against: 0 },
    });
  });

  it('given a moment, then it has the results that were known then', async () => {
    await server.feed(...THREE());
    const then = await table('epl/standings?season=2025&as_of=2025-09-10T00:00:00Z&as_of_basis=observed');
    expect(then.as_of).toBe('2025-09-10T00:00:00Z');
    expect(placesOf(then)).toEqual([['1 Ashford 3', '2 Cove 1', '3 Brook 1']]);
    const before = await table('epl/standings?season=2025&as_of=2025-09-10T00:00:00Z');
    expect(before.groups).toEqual([]);
  });

  it('given points taken away, then they are missing, by the newest number of each decision', async () => {
    await server.feed(...THREE(), deduction('2025-10-01T00:00:00Z', 6));
    expect(placesOf(await table('epl/standings?season=2025'))).toEqual([['1 Cove 1', '2 Brook 1', '3 Ashford 0']]);
    await server.feed(
      deduction('2025-11-01T00:00:00Z', 4),
      deduction('2025-11-02T00:00:00Z', 1, { reason: 'crowd trouble' }),
    );
    expect(placesOf(await table('epl/standings?season=2025'))).toEqual([['1 Ashford 1', '2 Cove 1', '3 Brook 1']]);
    const then = await table('epl/standings?season=2025&as_of=2025-10-15T00:00:00Z&as_of_basis=observed');
    expect(placesOf(then)).toEqual([['1 Cove 1', '2 Brook 1', '3 Ashford 0']]);
  });

  it('given playoffs and another season, then their games do not count', async () => {
    await server.feed(
      ...game('2025-10-01', 'Ashford', 'Brook', '1-0', { league: 'nba', sport: 'nba' }),
      ...game('2026-02-20', 'Brook', 'Ashford', '1-0', { league: 'nba', sport: 'nba', phase: 'playoffs' }),
      ...game('2024-10-20', 'Brook', 'Ashford', '1-0', { league: 'nba', sport: 'nba', year: 2024 }),
    );
    const [{ rows }] = (await table('nba/standings?season=2025')).groups;
    expect(
      rows.map(({ team, won, lost, points, games_behind }: any) => [team, won, lost, points, games_behind]),
    ).toEqual([
      ['Ashford', 1, 0, null, 0],
      ['Brook', 0, 1, null, 1],
    ]);
  });

  it('given losses after overtime and by a shootout in the NHL, then they stand apart and bring a point', async () => {
    const nhl = { league: 'nhl', sport: 'nhl' };
    await server.feed(
      ...game('2025-11-01', 'Ashford', 'Brook', '3-2', { ...nhl, more: { result_type: 'overtime' } }),
      ...game('2025-11-03', 'Ashford', 'Brook', '3-2', { ...nhl, more: { result_type: 'shootout' } }),
      ...game('2025-11-05', 'Brook', 'Ashford', '4-1', nhl),
    );
    const [{ rows }] = (await table('nhl/standings?season=2025')).groups;
    const shown = rows.map((row: any) => [row.team, row.points, row.won, row.lost, row.lost_overtime]);
    // Level on points and games: Brook has the one win in regulation.
    expect(shown).toEqual([
      ['Brook', 4, 1, 0, 2],
      ['Ashford', 4, 2, 1, 0],
    ]);
  });

  it('given teams with divisions, then each has a group; given one without, then there is one group', async () => {
    const nfl = { league: 'nfl', sport: 'nfl' };
    const team = (name: string, conference: string) =>
      ({
        kind: 'team',
        source: 'feed',
        at: '2025-08-01T00:00:00Z',
        sport: 'nfl',
        league: 'nfl',
        ref: name,
        name,
        abbreviation: name.slice(0, 3),
        conference,
        division: 'East',
      }) as unknown as Message;
    await server.feed(team('Ashford', 'AFC'), ...game('2025-09-10', 'Ashford', 'Brook', '20-17', nfl));
    expect((await table('nfl/standings?season=2025')).groups.map(({ name }: any) => name)).toEqual([null]);
    await server.feed(team('Brook', 'NFC'));
    expect((await table('nfl/standings?season=2025')).groups.map(({ name }: any) => name)).toEqual([
      'AFC East',
      'NFC East',
    ]);
  });

  it('given a deduction of an unknown team, then it waits; one of fewer than no points is rejected', async () => {
    const take = async (message: Message) => {
      const { outcomes } = await server.take([message]);
      return outcomes[0]!.status;
    };
    const at = '2025-10-01T00:00:00Z';
    expect(await take(deduction(at, 6))).toBe('quarantined');
    expect(await take(deduction(at, -6))).toBe('rejected');
    await server.feed(...THREE());
    expect(placesOf(await table('epl/standings?season=2025'))).toEqual([['1 Cove 1', '2 Brook 1', '3 Ashford 0']]);
    expect(await take(deduction(at, 6))).toBe('unchanged');
  });

  it('given a league that is not known, or a tour, then it says so', async () => {
    const key = BOOTSTRAP_KEY;
    expect((await server.ask('/v1/leagues/xfl/standings', { key })).status).toBe(404);
    expect((await server.ask('/v1/leagues/atp/standings', { key })).status).toBe(400);
  });
});
