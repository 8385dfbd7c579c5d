import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../web/browse/table-cells.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../agent/serving.ts';
import type { Message } from '../../spec/messages.ts';

const NAMES = Array.from({ length: 20 }, (_, index) => `Club ${String.fromCharCode(65 + index)}`);
const DAY = 86_400_000;

/** A club beats those behind it in the alphabet, mostly: the earlier it stands, the more goals. */
function round(home: number, away: number, index: number): Message[] {
  const ref = `g${home}-${away}`;
  const day = new Date(Date.UTC(2025, 7, 15) + index * DAY * 0.7).toISOString().slice(0, 10);
  const goals = (own: number, other: number) =>
    (other - own > 3 ? 2 : other > own ? 1 : 0) + ((own * 7 + other) % 3 === 0 ? 1 : 0);
  const [first, second] = [goals(home, away), goals(away, home)];
  const common = { source: 'feed', ref };
  return [
    {
      ...common,
      ...{ kind: 'schedule', at: '2025-07-01T00:00:00Z', sport: 'soccer', league: 'epl' },
      season: { year: 2025, phase: 'regular_season' },
      starts_at: `${day}T12:00:00Z`,
      participants: [
        { role: 'home', name: NAMES[home] },
        { role: 'away', name: NAMES[away] },
      ],
    },
    {
      ...{ ...common, kind: 'score', at: `${day}T15:00:00Z`, status: 'final' },
      scores: [
        { role: 'home', score: String(first), is_winner: first > second },
        { role: 'away', score: String(second), is_winner: second > first },
      ],
    },
  ] as unknown as Message[];
}

/** The first meeting of all pairs; of the second one nothing is listed. */
const FIRST_HALF = NAMES.flatMap((_, home) => NAMES.flatMap((__, away) => (home < away ? [[home, away] as const] : [])))
  .map(
    ([home, away], index, { length }) =>
      [...((home + away) % 2 ? [home, away] : [away, home]), (index * 77) % length] as const,
  )
  .sort((a, b) => a[2]! - b[2]!);

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({ livePage: true });
  await server.feed(...FIRST_HALF.flatMap(([home, away, index]) => round(home!, away!, index!)));
});
afterAll(() => server.close());

const ask = (query: string, slug = 'epl') =>
  server.ask(`/v1/leagues/${slug}/projections?${query}`, { key: BOOTSTRAP_KEY });
const sum = (rows: any[], member: string) => rows.reduce((total, row) => total + row[member], 0);

describe('the projections of a season', () => {
  it('given half a season, then the rest is played, though nothing of it is listed', async () => {
    const { body, credits } = await ask('season=2025');
    expect(credits).toBe(1);
    expect(body).toMatchObject({ league: 'epl', season: 2025, as_of: null, available: true, reason: null });
    expect([body.simulations, body.games_left, body.rows.length]).toEqual([10_000, 190, 20]);
    expect(sum(body.rows, 'title')).toBeCloseTo(1, 2);
    expect(sum(body.rows, 'relegation')).toBeCloseTo(3, 2);
    const of = (name: string) => body.rows.find(({ team }: any) => team === name);
    expect(of('Club A').title).toBeGreaterThan(0.1);
    expect(of('Club T')).toMatchObject({ title: 0, playoffs: null, relegation: expect.closeTo(0.9, 0) });
    expect(of('Club A').expected_points).toBeGreaterThan(of('Club T').expected_points + 30);
    expect(of('Club A').market).toEqual({ title: null, playoffs: null, relegation: null });
    expect((await ask('season=2025')).body, 'the same facts').toEqual(body);
  });

  it('given an earlier day, then only what was known counts, and games that were listed then are left', async () => {
    const { body } = await ask('season=2025&as_of=2025-11-15T00:00:00Z&as_of_basis=observed');
    expect(body).toMatchObject({ as_of: '2025-11-15T00:00:00Z', available: true });
    expect(body.games_left).toBeGreaterThan(190);
    expect(sum(body.rows, 'title')).toBeCloseTo(1, 2);
    const early = (await ask('season=2025&as_of=2025-09-01T00:00:00Z&as_of_basis=observed')).body;
    expect(early).toMatchObject({ available: false, reason: 'few_results', rows: [] });
  });

  it('given prices on the end of the season, then they stand beside it without their margin', async () => {
    await server.feed(
      ...[
        ['winner', { 'Club A': -110, 'Club B': 110 }],
        ['relegation', { 'Club T': -900 }],
      ].map(
        ([market, prices]) =>
          ({
            ...{ kind: 'outright', source: 'feed', at: '2025-12-20T00:00:00Z', sport: 'soccer', league: 'epl' },
            ...{ season: 2025, market, bookmaker: 'pinnacle' },
            outcomes: Object.entries(prices as object).map(([team, price]) => ({ team, price })),
          }) as unknown as Message,
      ),
    );
    const { rows } = (await ask('season=2025')).body;
    const of = (name: string) => rows.find(({ team }: any) => team === name).market;
    expect(of('Club A')).toEqual({ title: expect.closeTo(0.5238, 3), playoffs: null, relegation: null });
    expect(of('Club A').title + of('Club B').title).toBeCloseTo(1, 3);
    expect(of('Club T')).toMatchObject({ title: null, relegation: expect.closeTo(0.9, 2) });
  });

  it('given these chances, then the pages of the league and of its teams show them beside the market', async () => {
    const page = async (path: string) => (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text();
    const { rows } = (await ask('season=2025')).body;
    const league = await page('/leagues/epl?date=2026-01-10');
    const cells = cellsOf(league, 'What is left of the season');
    expect(cells.map(([name]) => name)).toEqual(rows.map(({ team }: any) => team));
    const first = cells.find(([name]) => name === 'Club A')!;
    const of = rows.find(({ team }: any) => team === 'Club A');
    expect(first[1]).toBe(`${(100 * of.title).toFixed(1)}%`);
    expect(first[2]).toBe('52.4%');
    expect(first.at(-1)).toBe(of.expected_points.toFixed(1));
    expect(league).toContain('190 games are left, played 10,000 times');

    const team = await page(`/teams/${of.team_id}`);
    const part = team.slice(team.indexOf('<h2>What is left of the season</h2>'));
    expect(part).toContain(`<dt>Title</dt><dd>${first[1]} <span class="about">the market: 52.4%</span></dd>`);
    expect(part).not.toContain('<dt>Playoffs</dt>');
  });

  it('given another league, then it says why there is nothing, for free', async () => {
    const unknown = await ask('season=2025', 'nba');
    expect([unknown.body.available, unknown.body.reason, unknown.credits]).toEqual([false, 'schedule_incomplete', 0]);
    expect((await ask('season=2025', 'ucl')).body.reason).toBe('format_unknown');
    expect((await ask('', 'atp')).status).toBe(400);
    expect((await ask('', 'xfl')).status).toBe(404);
  });
});
