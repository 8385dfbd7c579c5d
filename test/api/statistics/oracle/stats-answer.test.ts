import { describe, expect, it } from 'vitest';
import { exactly, mean, rounded } from './exact.ts';
import type { BoxRow, Game } from './game.ts';
import { plainBox, plainGame } from './plain-games.ts';
import { statsAnswer } from './stats-answer.ts';

const EPL = { sport: 'soccer', league: 'epl' };
const NHL = { sport: 'nhl', league: 'nhl' };
const NFL = { sport: 'nfl', league: 'nfl' };
const ATP = { sport: 'tennis', league: 'atp' };

/** The answer about a game that is yet to come, after these. */
function answered(games: readonly Game[], event: Game): any {
  return statsAnswer([...games, event], event.eventId);
}

describe('exact numbers', () => {
  it('round halves up, below zero too, whatever binary fractions make of them', () => {
    expect(rounded(exactly(1.005), 2)).toBe(1.01);
    expect(rounded(exactly(-0.125), 2)).toBe(-0.12);
    expect(rounded(exactly(2.5), 0)).toBe(3);
    expect(rounded(exactly(1e-7), 2)).toBe(0);
    expect(rounded(mean([54.33, 54.34].map(exactly))!, 2)).toBe(54.34);
  });
});

describe('soccer', () => {
  const games = [
    plainGame(EPL, '2025-08-01T15:00:00Z', [1, 2], '2-1', plainBox({ shots: 10, saves: 3 }, { shots_on_target: 4 })),
    plainGame(EPL, '2025-08-04T15:00:00Z', [3, 1], '0-0', plainBox({ shots: 7 }, { shots: 5 })),
    plainGame(EPL, '2025-08-08T15:00:00Z', [2, 3], '3-0'),
  ];
  const event = plainGame(EPL, '2025-08-11T03:00:00Z', [1, 2]);

  it('counts form, table, places and opponents', () => {
    const { home, away } = answered(games, event).teams;

    expect(home.rest_days).toBe(7); // 6.5 days
    expect(home.recent_form).toEqual({ window: 5, results: ['D', 'W'], goals_scored: [0, 2], goals_conceded: [0, 1] });
    const table = { source: 'league_table_ppg', ppg: 2, games: 2, points: 4, w: 1, d: 1, l: 0, gf: 2, ga: 1, gd: 1 };
    expect(home.team_strength).toEqual({ ...table, rank: 1 });
    // Team 2 has won one of two games: 1.5 points a game; team 3 has one point from two.
    expect(home.sos).toEqual({ source: 'opp_ppg_avg', window: 5, games: 2, opp_ppg_avg: 1 });
    expect(home.venue).toEqual({
      source: 'home_away_ppg_split',
      home_ppg: 3,
      home_games: 1,
      away_ppg: 1,
      away_games: 1,
    });
    expect(away.team_strength).toMatchObject({ points: 3, gd: 2, rank: 2 });
    expect(away.head_to_head).toEqual({ window: 10, meetings: [{ home_goals: 2, away_goals: 1 }], total: 1 });
    expect(answered(games, event).league_context).toEqual({ avg_goals_per_team: 1 });
  });

  it('takes of boxes what they state', () => {
    const { rates_l5, rates_season } = answered(games, event).teams.home;

    expect(rates_l5).toMatchObject({ window: 'l5', window_size: 5, games: 2, shots_for: 7.5, shots_against: 7 });
    expect(rates_l5.field_games).toMatchObject({ shots_for: 2, shots_against: 1, fouls: 0, save_rate: 1 });
    expect(rates_l5).toMatchObject({ save_rate: 0.75, fouls: null });
    expect(rates_season).not.toHaveProperty('window_size');
  });

  it('knows nothing of games that end with its start or later, of preseason, of other seasons', () => {
    const late = { ended_at: event.starts_at };
    const none = [
      plainGame(EPL, '2025-08-10T23:00:00Z', [1, 2], '1-0', late),
      plainGame(EPL, '2025-08-02T15:00:00Z', [1, 2], '1-0', { phase: 'preseason' }),
      plainGame(EPL, '2025-08-03T15:00:00Z', [1, 2], '1-0', { status: 'cancelled' }),
    ];
    expect(answered(none, event).teams.home).toMatchObject({
      rest_days: null,
      team_strength: { games: 0, rank: null },
    });

    const lastYear = plainGame({ ...EPL, league: 'ucl' }, '2025-08-01T03:00:00Z', [2, 1], '1-0', { season: 2024 });
    const { home } = answered([lastYear], event).teams;
    expect(home).toMatchObject({ rest_days: 10, team_strength: { games: 0, ppg: null } });
    expect(home.head_to_head.meetings).toEqual([{ home_goals: 0, away_goals: 1 }]);
  });

  it('leaves a neutral site out of the split alone, and makes a shootout a draw', () => {
    const final = plainGame(EPL, '2025-08-01T03:00:00Z', [1, 2], '1-1', {
      result_type: 'shootout',
      winner: 'home',
      neutral_site: true,
    });
    const { home } = answered([final], event).teams;

    expect(home.recent_form.results).toEqual(['D']);
    expect(home.team_strength).toMatchObject({ d: 1, points: 1 });
    expect(home.venue).toMatchObject({ home_games: 0, home_ppg: null });
  });

  it('of the World Cup, tells ranks and confederations', () => {
    const game = plainGame({ sport: 'soccer', league: 'fifa_world_cup' }, '2025-08-01T03:00:00Z', [1, 2]);
    const ranked = { ...game, home: { ...game.home, fifa_rank: 3, conference: 'UEFA' } };
    const { profile, teams } = answered([], ranked);

    expect(profile).toBe('world_cup');
    expect(teams.home).toMatchObject({ sos: null, team_strength: { source: 'fifa_rank', rank: 3 } });
    expect(teams.home.venue).toEqual({ source: 'confederation', confederation: 'UEFA' });
    expect(teams.away.team_strength).toEqual({ source: 'fifa_rank', rank: null });
  });

  it('is not available without both teams', () => {
    expect(answered([], plainGame(EPL, '2025-08-01T03:00:00Z', [1, null]))).toEqual({
      event_id: expect.any(Number),
      available: false,
      league_slug: 'epl',
      neutral_site: false,
      profile: 'club',
      teams: {},
      windows: { recent_form: 5, rates_l5: 5, rates_season: 'season', head_to_head: 10, sos: 5 },
    });
  });
});

describe('ranks', () => {
  it('are shared by equals, and the places behind them stay empty', () => {
    const games = [
      plainGame(EPL, '2025-08-01T15:00:00Z', [1, 4], '2-0'),
      plainGame(EPL, '2025-08-01T15:00:00Z', [2, 3], '1-1'),
    ];
    const rankOf = (id: number) =>
      answered(games, plainGame(EPL, '2025-09-01T15:00:00Z', [id, 9])).teams.home.team_strength.rank;

    expect([1, 2, 3, 4, 9].map(rankOf)).toEqual([1, 2, 2, 4, null]);
  });
});

describe('ice hockey', () => {
  it('gives a point for a loss after overtime, and the shootout to its winner', () => {
    const games = [
      plainGame(NHL, '2025-10-01T00:00:00Z', [1, 2], '3-2', { result_type: 'overtime', winner: 'home' }),
      plainGame(NHL, '2025-10-03T00:00:00Z', [2, 1], '2-2', { result_type: 'shootout', winner: 'home' }),
      plainGame(NHL, '2025-10-05T00:00:00Z', [1, 2], '1-4', { winner: 'away' }),
    ];
    const { teams, player_box } = answered(games, plainGame(NHL, '2025-10-06T00:00:00Z', [1, 2]));

    expect(teams.home.recent_form.results).toEqual(['L', 'L', 'W']);
    expect(teams.home.team_strength).toEqual({
      source: 'points_pct',
      points_pct: 0.5,
      games: 3,
      points: 3,
      w: 1,
      l: 1,
      otl: 1,
      scored: 6,
      conceded: 8,
      diff: -2,
      rank: 2,
    });
    expect(teams.away.team_strength).toMatchObject({ points: 5, points_pct: 0.833, w: 2, otl: 1, rank: 1 });
    expect(teams.home.sos).toEqual({ source: 'opp_points_pct_avg', window: 5, games: 3, opp_points_pct_avg: 0.833 });
    expect(teams.home.venue).toMatchObject({ source: 'home_away_points_pct_split', home_points_pct: 0.5 });
    expect(teams.home.rates_season).toMatchObject({ goals_for: 2, goals_against: 2.67, hits_for: null });
    expect(teams.home.rates_season.field_games).toMatchObject({ goals_for: 3, hits_for: 0 });
    expect(player_box).toEqual({ available: false, final: false, home: [], away: [] });
  });
});

describe('football', () => {
  const rows: readonly BoxRow[] = [
    { player_id: 5, name: 'A', side: 'away', starter: true, stats: { tackles: 2 } },
    { player_id: null, name: 'B', side: 'home', dnp: true, stats: {} },
  ];

  it('counts a tie as half a win', () => {
    const games = [plainGame(NFL, '2025-09-07T00:00:00Z', [1, 2], '20-20')];
    const { home } = answered(games, plainGame(NFL, '2025-09-14T00:00:00Z', [1, 3])).teams;

    expect(home.recent_form.results).toEqual(['T']);
    expect(home.team_strength).toMatchObject({ win_pct: 0.5, w: 0, l: 0, t: 1, rank: 1 });
    expect(home.head_to_head).toEqual({ window: 10, meetings: [], total: 0 });
  });

  it('shows the players of its own box while it is played and after', () => {
    const box = { box: { final: false, teams: {}, players: rows } };
    const playing = plainGame(NFL, '2025-09-07T00:00:00Z', [1, 2], undefined, { ...box, status: 'suspended' });
    const home = [{ player_id: null, name: 'B', starter: false, dnp: true, stats: {} }];
    const away = [{ player_id: 5, name: 'A', starter: true, dnp: false, stats: { tackles: 2 } }];

    expect(answered([], playing).player_box).toEqual({ available: true, final: false, home, away });
    expect(answered([], { ...playing, status: 'postponed' }).player_box.available).toBe(false);
  });
});

describe('tennis', () => {
  const games = [
    plainGame(ATP, '2025-01-01T00:00:00Z', [1, 2], '6-4 7-6', { winner: 'home', surface: 'hard', round: '1st Round' }),
    plainGame(ATP, '2025-01-03T00:00:00Z', [3, 1], '6-3 3-1', {
      result_type: 'retired',
      winner: 'away',
      surface: 'clay',
    }),
    plainGame(ATP, '2025-01-04T00:00:00Z', [1, 3], undefined, {
      status: 'final',
      winner: 'home',
      ended_at: '2025-01-04T05:00:00Z',
    }),
    plainGame(ATP, '2025-01-05T00:00:00Z', [1, 3], '6-0 6-0', { winner: 'home', round: 'Qualifying 1' }),
    plainGame(ATP, '2025-01-05T00:00:00Z', [1, 3], '6-0 6-0', { winner: 'home', draw_type: 'doubles' }),
    plainGame(ATP, '2025-01-05T00:00:00Z', [1, 3], undefined, { status: 'walkover', winner: 'home' }),
  ];
  const event = plainGame(ATP, '2025-01-08T00:00:00Z', [2, 1], undefined, { surface: 'clay' });

  it('counts singles of the main draw, retirements too, walkovers not', () => {
    const { player_1, player_2 } = answered(games, event).players;

    expect(player_2).toMatchObject({ rest_days: 4, recent_form: { results: ['W', 'W', 'W'] } });
    expect(player_2.recent_form).toMatchObject({ sets_won: [null, 0, 2], sets_lost: [null, 1, 0] });
    const ranking = { ranking: null, ranking_points: null };
    expect(player_2.team_strength).toEqual({ source: 'win_pct', win_pct: 1, games: 3, w: 3, l: 0, ...ranking });
    expect(player_2.rates_season).toMatchObject({ games: 3, sets_won: 1, games_won: 8.5, games_lost: 9.5, aces: null });
    expect(player_2.rates_season.field_games).toMatchObject({ sets_won: 2, aces: 0 });
    const surfaces = { clay: { win_pct: 1, games: 1 }, hard: { win_pct: 1, games: 1 } };
    expect(player_2.venue).toMatchObject({ surface: 'clay', ...surfaces, grass: { win_pct: null, games: 0 } });
    expect(player_1.head_to_head.meetings).toEqual([
      { winner: 'player_2', player_1_sets: 0, player_2_sets: 2, surface: 'hard' },
    ]);
    expect(player_1.sos).toEqual({ source: 'opp_win_pct_avg', window: 5, games: 1, opp_win_pct_avg: 1 });
  });

  it.each([{ round: 'Q2' }, { round: '2nd Round Qualifying' }, { draw_type: 'doubles' }])(
    'is not available for %o',
    (more) => {
      expect(answered(games, { ...event, ...more })).toMatchObject({ available: false, players: {} });
    },
  );

  it('is available for quarterfinals', () => {
    expect(answered(games, { ...event, round: 'QF' })).toMatchObject({ available: true });
  });
});
