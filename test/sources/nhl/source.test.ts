import { describe, expect, it } from 'vitest';
import { NHL } from '../../../src/sources/nhl/source.ts';
import { createGamesProvider } from '../../../src/sources/provider-base/games-source.ts';
import { clockOf } from '../../../src/sources/provider-base/hidden-clock.ts';
import { NOW, readLive, view } from '../read-live-answers.ts';

const ADDRESS = { path: '/v1/score/2026-01-30', query: {} };
const goal = (teamAbbrev: string, period: number, periodType = 'REG') => ({
  period,
  periodDescriptor: { number: period, periodType },
  teamAbbrev,
});

/** A game in the shape of the NHL's API; everything in it is made up. */
const game = (given: Record<string, any> = {}) => ({
  id: 2025020901,
  season: 20252026,
  gameType: 2,
  gameDate: '2026-01-30',
  startTimeUTC: '2026-01-31T00:00:00Z',
  gameState: 'LIVE',
  gameScheduleState: 'OK',
  awayTeam: { id: 14, name: { default: 'Lightning' }, abbrev: 'TBL', score: 1 },
  homeTeam: { id: 6, name: { default: 'Bruins' }, abbrev: 'BOS', score: 2 },
  periodDescriptor: { number: 3, periodType: 'REG', maxRegulationPeriods: 3 },
  clock: { timeRemaining: '01:12', secondsRemaining: 72, running: true, inIntermission: false },
  goals: [goal('BOS', 1), goal('TBL', 2), goal('BOS', 3)],
  ...given,
});
const scored = (home: number, away: number) => ({
  homeTeam: { ...game().homeTeam, score: home },
  awayTeam: { ...game().awayTeam, score: away },
});
const read = (...games: object[]) => readLive(createGamesProvider(NHL), ADDRESS, { games });

describe('what is asked of the NHL', () => {
  it('by day and never by `now`, which redirects; the week ahead in one request', () => {
    const asked = createGamesProvider(NHL).requests([view({ sport: 'nhl', league: 'nhl', state: 'live' })], NOW);
    expect(asked).toMatchObject([
      { path: '/v1/score/2026-11-23', intervalSeconds: 15, isPrerequisite: true },
      { path: '/v1/schedule/2026-11-24', intervalSeconds: 3600 },
    ]);
  });
});

describe('what the NHL says', () => {
  it('of a game in play: full names, goals by period, and the time left as a clock that is not shown', async () => {
    const { of } = await read(game());
    expect(of('schedule')[0]).toMatchObject({
      ref: '2025020901',
      season: { year: 2025, phase: 'regular_season' },
      starts_at: '2026-01-31T00:00:00Z',
      starts_at_qualifier: 'exact',
      participants: [
        { role: 'home', ref: '6', name: 'Boston Bruins', abbreviation: 'BOS' },
        { role: 'away', ref: '14', name: 'Tampa Bay Lightning', abbreviation: 'TBL' },
      ],
    });
    expect(of('score')).toEqual([
      {
        kind: 'score',
        source: 'nhl',
        at: '2026-11-23T18:00:00Z',
        ref: '2025020901',
        status: 'inprogress',
        period: '3',
        scores: [
          {
            role: 'home',
            score: '2',
            period_scores: [
              { period: '1', score: 1 },
              { period: '2', score: 0 },
              { period: '3', score: 1 },
            ],
          },
          {
            role: 'away',
            score: '1',
            period_scores: [
              { period: '1', score: 0 },
              { period: '2', score: 1 },
              { period: '3', score: 0 },
            ],
          },
        ],
      },
    ]);
    const [, score] = [...NHL.messages(game(), undefined, { add() {}, *drain() {} })];
    expect(clockOf(score!)).toBe('01:12');
  });

  it.each([
    ['FUT', 'OK', undefined],
    ['PRE', 'TBD', undefined],
    ['LIVE', 'OK', 'inprogress'],
    ['CRIT', 'OK', 'inprogress'],
    ['FINAL', 'OK', 'final'],
    ['OFF', 'OK', 'final'],
    ['FUT', 'PPD', 'postponed'],
    ['LIVE', 'SUSP', 'suspended'],
    ['FUT', 'CNCL', 'cancelled'],
  ])('%s with schedule %s is %s', async (gameState, gameScheduleState, expected) => {
    const { of } = await read(game({ gameState, gameScheduleState }));
    expect(of('score').map((score) => score['status'])).toEqual(expected === undefined ? [] : [expected]);
  });

  it('of a shootout: one goal more for its winner, in a period of its own', async () => {
    const { of } = await read(
      game({
        ...scored(2, 1),
        gameState: 'OFF',
        periodDescriptor: { number: 5, periodType: 'SO' },
        gameOutcome: { lastPeriodType: 'SO' },
        goals: [goal('BOS', 1), goal('TBL', 2), goal('BOS', 5, 'SO')],
      }),
    );
    const [score] = of('score') as any[];
    expect(score).toMatchObject({ status: 'final', period: 'SO', result_type: 'shootout' });
    expect(score.scores[0].period_scores.map(({ period, score: goals }: any) => [period, goals])).toEqual([
      ['1', 1],
      ['2', 0],
      ['3', 0],
      ['OT', 0],
      ['SO', 1],
    ]);
    expect(score.scores.map((side: any) => [side.score, side.is_winner])).toEqual([
      ['2', true],
      ['1', false],
    ]);
  });

  it('of the fifth period in the playoffs: a second overtime', async () => {
    const { of } = await read(
      game({ gameType: 3, gameState: 'CRIT', periodDescriptor: { number: 5, periodType: 'OT' } }),
    );
    expect(of('score')[0]).toMatchObject({ period: 'OT2' });
  });

  it('of a goal that is taken back: a shorter list; while list and score differ, no scores by period', async () => {
    const { of } = await read(game({ ...scored(1, 1) }));
    expect((of('score')[0] as any).scores[0]).toEqual({ role: 'home', score: '1' });
  });

  it('of a postponed game without a start: only that; of all-star games: nothing; of an unknown club: that it is left out', async () => {
    const postponed = await read(game({ gameScheduleState: 'PPD', gameState: 'FUT', startTimeUTC: undefined }));
    expect(postponed.messages.map(({ kind, status }) => [kind, status])).toEqual([['score', 'postponed']]);
    expect((await read(game({ gameType: 4 }))).messages).toEqual([]);
    const strange = await read(game({ homeTeam: { id: 99, abbrev: 'XXX', name: { default: 'Rangers' }, score: 0 } }));
    expect([strange.messages, strange.rejected.map(({ code }) => code)]).toEqual([[], ['incomplete_game']]);
  });

  it('of a week of games: their schedules', async () => {
    const week = {
      gameWeek: [{ games: [game({ gameState: 'FUT' })] }, { games: [game({ id: 2, gameState: 'FUT' })] }],
    };
    const { of } = await readLive(createGamesProvider(NHL), { path: '/v1/schedule/2026-01-31', query: {} }, week);
    expect(of('schedule').map(({ ref }) => ref)).toEqual(['2025020901', '2']);
  });
});
