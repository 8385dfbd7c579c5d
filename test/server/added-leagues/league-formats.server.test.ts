import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import { type AgentServer, BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { type Message, schedule, score } from '../../api/spec/messages.ts';
import { serveWithLeagues } from './serve-with-leagues.ts';

const TEAMS = 16;
const leagues: AddedLeagues = {
  second: {
    ...{ sport: 'soccer', name: 'Second Division', season: { start_month: 7, year_name: 'span' } },
    format: { title: 'table', double_round_of: TEAMS, promoted: 2, relegated: 3, playoffs: { places: 4 } },
  },
  silent: { sport: 'soccer', name: 'Silent', season: { start_month: 7, year_name: 'span' } },
};
const NAMES = Array.from({ length: TEAMS }, (_, index) => `Club ${String.fromCharCode(65 + index)}`);

const wonBy = (own: number, other: number) => ({ score: String(own), is_winner: own > other });

/** Of each two clubs the one before in the alphabet wins at its home, mostly; of the second half nothing is listed. */
function firstHalf(): Message[] {
  const pairs = NAMES.flatMap((_, home) => NAMES.map((__, away) => [home, away] as const));
  return pairs
    .filter(([home, away]) => (home + away) % 2 === Number(home < away) && home !== away)
    .flatMap(([home, away], index): Message[] => {
      const day = new Date(Date.UTC(2025, 7, 1) + index * 86_400_000).toISOString().slice(0, 10);
      const [first, second] = home < away ? [2, (home + away) % 3] : [1, 1 + ((home + away) % 2)];
      const ref = `g${home}-${away}`;
      const at = { at: '2025-07-20T00:00:00Z' };
      return [
        schedule({ sport: 'soccer', league: 'second' }, ref, [NAMES[home]!, NAMES[away]!], `${day}T12:00:00Z`, {
          ...at,
          season: { year: 2025, phase: 'regular_season' },
        }),
        score(ref, 'final', [wonBy(first!, second!), wonBy(second!, first!)], { at: `${day}T15:00:00Z` }),
      ];
    });
}

let server: AgentServer;
beforeAll(async () => {
  server = await serveWithLeagues(leagues, { livePage: true, time: Date.parse('2026-01-10T12:00:00Z') });
  await server.feed(...firstHalf());
});
afterAll(() => server.close());

const ask = async (slug: string) =>
  (await server.ask(`/v1/leagues/${slug}/projections?season=2025`, { key: BOOTSTRAP_KEY })).body as any;

describe('projections of a league of a file', () => {
  it('given what its table decides, then the rest of its season is played as that of other leagues', async () => {
    const body = await ask('second');
    expect(body).toMatchObject({ available: true, reason: null, games_left: 120, simulations: 10_000 });
    const sum = (member: string) => body.rows.reduce((total: number, row: any) => total + row[member], 0);
    expect(['title', 'promotion', 'playoffs', 'relegation'].map((member) => Math.round(10 * sum(member)) / 10)).toEqual(
      [1, 3, 4, 3],
    );
    const of = (name: string) => body.rows.find(({ team }: any) => team === name);
    expect(of('Club A').promotion).toBeGreaterThan(of('Club P').promotion + 0.3);
    expect(of('Club A').market).toEqual({ title: null, playoffs: null, relegation: null, promotion: null });
    const page = await (await fetch(`${server.url}/leagues/second?date=2026-01-10`)).text();
    expect(page).toContain('Promotion');
  });

  it('given a file that says nothing of it, then it is not known, and leagues that are built in answer as before', async () => {
    expect(await ask('silent')).toMatchObject({ available: false, reason: 'format_unknown', rows: [] });
    expect((await ask('epl')).reason).not.toBe('format_unknown');
  });
});
