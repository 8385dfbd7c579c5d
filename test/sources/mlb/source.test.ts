import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { MLB } from '../../../src/sources/mlb/source.ts';
import { createGamesProvider } from '../../../src/sources/provider-base/games-source.ts';
import { clockOf } from '../../../src/sources/provider-base/hidden-clock.ts';
import { known, NOW, readLive, view } from '../read-live-answers.ts';

const ADDRESS = { path: '/api/v1/schedule', query: {} };
const league = { sport: 'mlb', league: 'mlb' } as const;

/** A game in the shape of StatsAPI; everything in it is made up. */
const game = (given: Record<string, any> = {}) => ({
  gamePk: 990001,
  gameType: 'R',
  season: '2026',
  gameDate: '2026-06-04T17:05:00Z',
  officialDate: '2026-06-04',
  status: { abstractGameState: 'Live', detailedState: 'In Progress', startTimeTBD: false },
  teams: {
    away: { team: { id: 142, name: 'Minnesota Twins', abbreviation: 'MIN' }, score: 1 },
    home: { team: { id: 116, name: 'Detroit Tigers', abbreviation: 'DET' }, score: 2 },
  },
  linescore: {
    currentInning: 2,
    inningState: 'Bottom',
    outs: 1,
    innings: [
      { num: 1, home: { runs: 0 }, away: { runs: 1 } },
      { num: 2, home: { runs: 2 }, away: { runs: 0 } },
    ],
    teams: { home: { runs: 2 }, away: { runs: 1 } },
  },
  doubleHeader: 'N',
  gameNumber: 1,
  ...given,
});
const status = (detailedState: string, more: object = {}) => ({ status: { detailedState, ...more } });
const read = (...games: object[]) => readLive(createGamesProvider(MLB), ADDRESS, { dates: [{ games }] });

describe('what is asked of MLB', () => {
  it.each([
    ['live', 15, 3600],
    ['soon', 60, 3600],
    ['later', 600, 3600],
    ['idle', 3600, 21_600],
  ] as const)('of a league that is %s: today every %i s, the week ahead every %i s', (state, today, ahead) => {
    expect(createGamesProvider(MLB).requests([view({ ...league, state }), view()], NOW)).toMatchObject([
      { query: { sportId: '1', date: '2026-11-23', hydrate: 'linescore,team' }, intervalSeconds: today },
      { query: { startDate: '2026-11-24', endDate: '2026-11-30' }, intervalSeconds: ahead },
    ]);
  });

  it('of yesterday while one of its games goes on', () => {
    const events = [known({ status: 'inprogress', startsAt: NOW - DAY })];
    const asked = createGamesProvider(MLB).requests([view({ ...league, state: 'live', events })], NOW);
    expect(asked.map(({ query }) => query['date'])).toEqual(['2026-11-23', '2026-11-22', undefined]);
  });
});

describe('what MLB says', () => {
  it('of a game in play: schedule, line score, and the outs as a clock', async () => {
    const { of } = await read(game());
    expect(of('schedule')).toEqual([
      {
        kind: 'schedule',
        source: 'mlb',
        at: '2026-11-23T18:00:00Z',
        sport: 'mlb',
        league: 'mlb',
        ref: '990001',
        season: { year: 2026, phase: 'regular_season' },
        starts_at: '2026-06-04T17:05:00Z',
        starts_at_qualifier: 'exact',
        participants: [
          { role: 'home', ref: '116', name: 'Detroit Tigers', abbreviation: 'DET' },
          { role: 'away', ref: '142', name: 'Minnesota Twins', abbreviation: 'MIN' },
        ],
      },
    ]);
    expect(of('score')).toEqual([
      {
        kind: 'score',
        source: 'mlb',
        at: '2026-11-23T18:00:00Z',
        ref: '990001',
        status: 'inprogress',
        period: 'Bot 2',
        scores: [
          {
            role: 'home',
            score: '2',
            period_scores: [
              { period: '1', score: 0 },
              { period: '2', score: 2 },
            ],
          },
          {
            role: 'away',
            score: '1',
            period_scores: [
              { period: '1', score: 1 },
              { period: '2', score: 0 },
            ],
          },
        ],
      },
    ]);
    const [, score] = [...MLB.messages(game(), undefined, { add() {}, *drain() {} })];
    expect(clockOf(score!)).toBe('1 out');
  });

  it.each([
    ['Scheduled', undefined],
    ['Pre-Game', undefined],
    ['Warmup', undefined],
    ['Delayed Start: Rain', 'delayed'],
    ['Delayed: Rain', 'suspended'],
    ['Suspended: Rain', 'suspended'],
    ['In Progress', 'inprogress'],
    ['Manager challenge: Tag play', 'inprogress'],
    ['Umpire review', 'inprogress'],
    ['Postponed', 'postponed'],
    ['Cancelled: Rain', 'cancelled'],
    ['Completed Early: Rain', 'final'],
    ['Game Over', 'final'],
    ['Final', 'final'],
  ])('"%s" is %s, whatever the abstract state', async (detailed, expected) => {
    const { of } = await read(game(status(detailed, { abstractGameState: 'Final' })));
    expect(of('score').map((score) => score['status'])).toEqual(expected === undefined ? [] : [expected]);
  });

  it('of the end: who won, and that the home side did not bat again', async () => {
    const won = game({
      ...status('Final'),
      teams: {
        away: { ...game().teams.away, isWinner: false },
        home: { ...game().teams.home, isWinner: true },
      },
      linescore: { currentInning: 9, innings: [{ num: 9, away: { runs: 0 }, home: {} }] },
    });
    const { of } = await read(won);
    expect(of('score')[0]).toMatchObject({
      period: 'Mid 9',
      result_type: 'regulation',
      scores: [{ is_winner: true }, { is_winner: false }],
    });
  });

  it.each([
    ['N', 1, undefined],
    ['Y', 1, 1],
    ['S', 2, 2],
    ['S', 9, undefined],
  ])('of doubleHeader %s with gameNumber %i: game_number %s', async (doubleHeader, gameNumber, expected) => {
    const { of } = await read(game({ doubleHeader, gameNumber }));
    expect(of('schedule')[0]!['game_number']).toBe(expected);
  });

  it('of a start that is a placeholder: tbd; of an all-star game: nothing; of a game without sides: that it is left out', async () => {
    const { of } = await read(game({ status: { detailedState: 'Scheduled', startTimeTBD: true } }));
    expect(of('schedule')[0]!['starts_at_qualifier']).toBe('tbd');
    const silent = await read(game({ status: { detailedState: 'Scheduled' } }));
    expect(silent.of('schedule')[0]!['starts_at_qualifier']).toBeUndefined();
    expect((await read(game({ gameType: 'A' }))).messages).toEqual([]);
    const broken = await read(game({ gamePk: 1 }), ...Array.from({ length: 9 }, (_, i) => game({ gamePk: i + 2 })), {
      ...game({ gamePk: 99 }),
      teams: {},
    });
    expect(broken.rejected.map(({ code }) => code)).toEqual(['incomplete_game']);
    expect(broken.of('schedule').length).toBe(10);
  });

  it('of the same again: the score, and no schedule that has not changed', async () => {
    const provider = createGamesProvider(MLB);
    const ask = (body: object) => readLive(provider, ADDRESS, { dates: [{ games: [body] }] });
    expect((await ask(game())).messages.map(({ kind }) => kind)).toEqual(['schedule', 'score']);
    expect((await ask(game())).messages.map(({ kind }) => kind)).toEqual(['score']);
    const moved = await ask(game({ gameDate: '2026-06-04T18:05:00Z' }));
    expect(moved.messages.map(({ kind }) => kind)).toEqual(['schedule', 'score']);
  });

  it('in another shape is refused as a whole', async () => {
    await expect(readLive(createGamesProvider(MLB), ADDRESS, { games: [] })).rejects.toThrow(
      'dates[].games[]: is no list',
    );
  });
});
