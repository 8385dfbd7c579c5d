import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AddedLeague, AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import type { OwnRules } from '../../../src/domain/catalogue/own-rules.ts';
import type { CountedGame } from '../../../src/domain/statistics/counted-game.ts';
import { loadWithLeagues } from '../../server/added-leagues/serve-with-leagues.ts';
import { cases } from '../../support/cases.ts';

const leagueOf = (sport: AddedLeague['sport'], rules: OwnRules): AddedLeague => ({
  ...{ sport, name: 'One', season: { start_month: 9, year_name: 'span' } },
  rules,
});
const leagues = {
  three_points: leagueOf('nhl', { points: { win: 3, draw: 1, loss: 0, overtime_win: 2, overtime_loss: 1 } }),
  loser_point: leagueOf('nhl', { points: { win: 2, overtime_win: 2, overtime_loss: 1 } }),
  soccer: leagueOf('soccer', { points: { win: 3, draw: 1, loss: 0 } }),
  two_points: leagueOf('soccer', { points: { win: 2 } }),
  penalties: leagueOf('soccer', { draws: false, overtime: 'none', points: { overtime_win: 2, overtime_loss: 1 } }),
  basket: leagueOf('nba', { points: { win: 2, loss: 1 } }),
} satisfies AddedLeagues;
type Slug = keyof typeof leagues;

/** What is written above, in full: win, draw, loss, win and loss beyond regular time. */
const WORTHS: Readonly<Record<Slug, readonly [number, number, number, number, number]>> = {
  three_points: [3, 1, 0, 2, 1],
  loser_point: [2, 1, 0, 2, 1],
  soccer: [3, 1, 0, 3, 0],
  two_points: [2, 1, 0, 2, 0],
  penalties: [3, 1, 0, 2, 1],
  basket: [2, 1, 1, 2, 1],
};

async function loaded() {
  await loadWithLeagues(leagues);
  return {
    ...(await import('../../../src/domain/catalogue/catalogue.ts')),
    ...(await import('../../../src/domain/standings/build-table.ts')),
    ...(await import('../../../src/read-models/rendering/statistics/standings.ts')),
  };
}
let modules: Awaited<ReturnType<typeof loaded>>;
beforeAll(async () => {
  modules = await loaded();
});
// Files of one process share their modules: those after this one have no such leagues.
afterAll(() => {
  vi.resetModules();
});

const TEAMS = 5;
interface Played {
  readonly home: number;
  readonly away: number;
  readonly goals: readonly [number, number];
  readonly beyond: CountedGame['beyond'];
  /** Of a shootout. */
  readonly shootout: 0 | 1;
}
const played: fc.Arbitrary<Played> = fc
  .record({
    home: fc.nat(TEAMS - 1),
    step: fc.integer({ min: 1, max: TEAMS - 1 }),
    goals: fc.tuple(fc.nat(5), fc.nat(5)),
    beyond: fc.constantFrom(null, null, 'overtime' as const, 'shootout' as const),
    shootout: fc.constantFrom<0 | 1>(0, 1),
  })
  .map(({ home, step, goals: [own, other], beyond, shootout }) => ({
    ...{ home, away: (home + step) % TEAMS, beyond, shootout },
    goals: [own, beyond === 'shootout' ? own : other],
  }));

const counted = ({ home, away, goals, beyond, shootout }: Played, index: number): CountedGame => ({
  ...{ eventId: index + 1, seasonId: 1, startsAt: index, endedAt: index, sides: [home, away], scores: goals },
  winner: goals[0] === goals[1] ? (beyond === 'shootout' ? shootout : null) : goals[0] > goals[1] ? 0 : 1,
  ...{ games: null, beyond, neutral: false, surface: null },
});

/** Points of each team, added up game by game. */
function addUp(slug: Slug, games: readonly Played[]): ReadonlyMap<number, number> {
  const [win, draw, loss, lateWin, lateLoss] = WORTHS[slug];
  const sums = new Map<number, number>();
  const give = (team: number, points: number) => sums.set(team, (sums.get(team) ?? 0) + points);
  for (const { home, away, goals, beyond, shootout } of games) {
    const lead = Math.sign(goals[0] - goals[1]);
    const countsShootout = beyond === 'shootout' && slug !== 'soccer' && slug !== 'two_points';
    const ahead = lead !== 0 ? lead : countsShootout ? (shootout === 0 ? 1 : -1) : 0;
    const [forWinner, forLoser] = beyond === null ? [win, loss] : [lateWin, lateLoss];
    give(home, ahead === 0 ? draw : ahead > 0 ? forWinner : forLoser);
    give(away, ahead === 0 ? draw : ahead < 0 ? forWinner : forLoser);
  }
  return sums;
}

describe('the points that a league of a file gives', () => {
  it('given any games, then the table has the sum of them, ranks by it, and statistics have the same', () => {
    const slugs = Object.keys(leagues) as Slug[];
    fc.assert(
      fc.property(fc.constantFrom(...slugs), fc.array(played, { maxLength: 30 }), (slug, any) => {
        // Basketball has no shootout.
        const all = slug === 'basket' ? any.filter(({ beyond }) => beyond !== 'shootout') : any;
        const games = all.map(counted);
        const league = modules.findLeague(slug)!;
        const [group] = modules.buildTable({ league, year: 2025, games, teams: new Map(), deducted: new Map() });
        const rows = group?.rows ?? [];
        const sums = addUp(slug, all);
        expect(new Map(rows.map(({ team_id, points }) => [team_id, points]))).toEqual(sums);
        const inOrder = rows.map(({ points }) => points!);
        expect(inOrder).toEqual([...inOrder].sort((a, b) => b - a));
        expect(rows.every(({ games_behind }) => games_behind === null)).toBe(true);
        const standing = modules.standingRulesOf({ sport: league.sport, league: slug });
        for (const [team, sum] of sums) {
          const own = games.filter(({ sides }) => sides.includes(team)).map((game) => modules.sideGameOf(game, team));
          expect(modules.recordOf(standing, own).worth).toBe(sum);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it('given teams that are level on points, then a sport that counts wins goes on by goals', () => {
    const at = (home: number, away: number, goals: [number, number]): Played => ({
      ...{ home, away, goals, beyond: null, shootout: 0 },
    });
    const games = [at(0, 1, [5, 1]), at(1, 2, [9, 1]), at(2, 0, [2, 1])].map(counted);
    const league = modules.findLeague('basket')!;
    const [group] = modules.buildTable({ league, year: 2025, games, teams: new Map(), deducted: new Map([[1, 1]]) });
    expect(group!.rows.map(({ rank, team_id, points }) => [rank, team_id, points])).toEqual([
      [1, 0, 3],
      [2, 2, 3],
      [3, 1, 2],
    ]);
  });
});
