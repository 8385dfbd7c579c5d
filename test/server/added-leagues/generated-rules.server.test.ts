import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeague, AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import { BUILT_IN_SLUGS } from '../../../src/domain/catalogue/built-in-sports.ts';
import type { OwnRules } from '../../../src/domain/catalogue/own-rules.ts';
import { loadWithLeagues } from './serve-with-leagues.ts';

const { rulesAllowed } = await import('../../../src/domain/catalogue/game-rules.ts');
const { leaguesSchema } = await import('../../../src/platform/settings/leagues-setting.ts');

const leagueOf = (sport: AddedLeague['sport'], rules: OwnRules): AddedLeague => ({
  ...{ sport, name: 'One', season: { start_month: 1, year_name: 'start' } },
  rules,
});

/** Every choice of rules that a sport may have, with one length of its periods. */
const leagues: AddedLeagues = Object.fromEntries(
  BUILT_IN_SLUGS.flatMap((like) => {
    const { periods, overtime, minutes, shootout } = rulesAllowed(like);
    return periods.flatMap((count) =>
      overtime.flatMap((beyond) =>
        [false, ...(shootout ? [true] : [])].map((ends): [string, AddedLeague] => [
          `${like}_${count}_${beyond}_${ends}`,
          leagueOf(
            { slug: `own_${like}`, like },
            {
              ...{ periods: count, overtime: beyond, shootout: ends },
              ...(minutes ? { period_minutes: 7 } : {}),
              ...(beyond === 'timed' ? { overtime_minutes: 3 } : {}),
            },
          ),
        ]),
      ),
    );
  }),
);
const slugs = Object.keys(leagues);

/** The modules of a process that has these leagues. */
async function loaded() {
  await loadWithLeagues(leagues);
  return {
    ...(await import('../../../src/domain/catalogue/game-rules.ts')),
    ...(await import('../../../src/domain/grading/leg-scope.ts')),
    ...(await import('../../../src/domain/grading/scope-scores.ts')),
    ...(await import('../../../src/domain/grading/settling-score.ts')),
    ...(await import('../../../src/domain/sports-events/sports-event.ts')),
    ...(await import('../../../src/ingest/subjects/score-by-rules.ts')),
    ...(await import('../../../src/intelligence/play/leader-chance.ts')),
    ...(await import('../../../src/sources/parsing/period-names.ts')),
  };
}
let modules: Awaited<ReturnType<typeof loaded>>;
beforeAll(async () => {
  modules = await loaded();
});

const gameIn = (league: string) => ({ sport: `own_${league.split('_')[0]}`, league });
const league = fc.constantFrom(...slugs);
const points = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 9, maxLength: 9 });

describe('a league with any rules of its own', () => {
  it('is one that CONFIG may have', () => {
    expect(slugs.length).toBeGreaterThan(50);
    expect(leaguesSchema.parse(leagues)).toEqual(leagues);
  });

  it('given a game of its regular periods, then each part settles by the periods in it, and parts make the whole', () => {
    fc.assert(
      fc.property(league, points, fc.boolean(), (slug, made, byNumber) => {
        const { gameRulesOf, legScopeState, hasScope, LEG_SCOPES, scoresByOvertime, newSportsEvent } = modules;
        const game = gameIn(slug);
        const { periods } = gameRulesOf(game);
        const own = made.slice(0, periods.length);
        const sum = (some: typeof own, side: 0 | 1) => some.reduce((total, one) => total + one[side], 0);
        const sideOf = (side: 0 | 1) => ({
          score: String(sum(own, side)),
          period_scores: own.map((one, place) => ({
            period: byNumber ? String(place + 1) : periods[place]!,
            score: one[side],
          })),
        });
        const event = { ...newSportsEvent(), status: 'final' as const, result_type: 'regulation' as const };
        const played = { ...game, event: { ...event, sides: [sideOf(0), sideOf(1)] as [object, object] } };
        const half = periods.length / 2;
        const partOf = (scope: string) => {
          if (scope === '1H') return own.slice(0, half);
          if (scope === '2H') return own.slice(half);
          return scope === 'F5' ? own.slice(0, 5) : own.slice(Number(scope[1]) - 1, Number(scope[1]));
        };
        for (const scope of LEG_SCOPES.filter((one) => hasScope(game, one))) {
          const { scores, isComplete } = legScopeState(played, scope, true);
          expect([scope, isComplete, ...scores]).toEqual([scope, true, sum(partOf(scope), 0), sum(partOf(scope), 1)]);
        }
        for (const counts of [true, false])
          expect(scoresByOvertime(played, counts)).toEqual([sum(own, 0), sum(own, 1)]);
      }),
      { numRuns: 150 },
    );
  });

  it('given a period that a source numbers, then it is taken exactly if the league plays it, and each has its own name', () => {
    fc.assert(
      fc.property(league, fc.integer({ min: 1, max: 12 }), fc.boolean(), (slug, number, playoffs) => {
        const { gameRulesOf, periodName, findUnplayed } = modules;
        const game = gameIn(slug);
        const { periods, overtime, shootout } = gameRulesOf(game);
        const name = periodName(game, number, playoffs);
        const before = Array.from({ length: number - 1 }, (_, place) => periodName(game, place + 1, playoffs));
        if (name !== undefined) expect(before).not.toContain(name);
        if (number <= periods.length) expect(name).toBe(periods[number - 1]);
        else if (overtime === 'none' && !shootout) expect(name).toBeUndefined();
        const refused = (period: string) =>
          findUnplayed({ eventId: 1, ...game }, { kind: 'score', source: 's', at: '', status: 'inprogress', period });
        if (name !== undefined) expect(refused(name)).toBeNull();
        const plays = { OT: overtime !== 'none', SO: shootout, PKs: shootout, ET1: overtime !== 'none' };
        for (const [period, isPlayed] of Object.entries(plays)) expect(refused(period) === null).toBe(isPlayed);
      }),
      { numRuns: 150 },
    );
  });

  it('given its clock, then the share of its time that is left goes from 1 to 0, evenly over its periods', () => {
    for (const slug of slugs) {
      const game = gameIn(slug);
      const { periods, periodMinutes: minutes, clock } = modules.gameRulesOf(game);
      if (minutes === null) continue;
      const shares = periods.map((period, place) =>
        modules.shareOfTimeLeft(game, period, clock === 'up' ? `${place * minutes}'` : `${minutes}:00`),
      );
      shares.forEach((share, place) => {
        expect(share).toBeCloseTo(1 - place / periods.length, 10);
      });
      const end = clock === 'up' ? `${periods.length * minutes}'` : '0:00';
      expect(modules.shareOfTimeLeft(game, periods.at(-1), end)).toBe(0);
    }
  });
});
