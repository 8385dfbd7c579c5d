import { describe, expect, it } from 'vitest';
import type { EventStatistics, SideStatistics } from '../../../../../src/web/live/answers/live-page-answers.ts';
import {
  meetingScores,
  rankOf,
  rateRows,
  recordOf,
  statisticsOf,
} from '../../../../../src/web/live/page/view-model/side-statistics.ts';

const sideOf = (name: string, more: Partial<SideStatistics> = {}): SideStatistics => ({
  name,
  rest_days: 7,
  recent_form: { results: ['W'] },
  team_strength: {},
  rates_l5: { games: 0 },
  rates_season: { games: 0 },
  head_to_head: { meetings: [], total: 0 },
  ...more,
});
const of = (more: Partial<EventStatistics>): EventStatistics => ({ event_id: 1, available: true, ...more });
const AWAY_FIRST = [{ role: 'away' }, { role: 'home' }];
const strength = (team_strength: SideStatistics['team_strength']) => sideOf('A', { team_strength });

describe('the statistics of both sides', () => {
  it('stand in the order in which the event shows them', () => {
    const teams = of({ teams: { home: sideOf('Home'), away: sideOf('Away') } });
    const players = of({ players: { player_1: sideOf('One'), player_2: sideOf('Two') } });
    const names = (statistics: EventStatistics, roles: readonly string[]) =>
      statisticsOf(
        statistics,
        roles.map((role) => ({ role })),
      )?.map(({ name }) => name);

    expect(names(teams, ['away', 'home'])).toEqual(['Away', 'Home']);
    expect(names(players, ['player_1', 'player_2'])).toEqual(['One', 'Two']);
  });

  it('are none where they are not available, or of one side only', () => {
    expect(statisticsOf(null, AWAY_FIRST)).toBeNull();
    expect(statisticsOf(of({ available: false, teams: {} }), AWAY_FIRST)).toBeNull();
    expect(statisticsOf(of({ teams: { home: sideOf('Home') } }), AWAY_FIRST)).toBeNull();
  });

  it('are none before anybody has played', () => {
    const fresh = (name: string, more = {}) => sideOf(name, { rest_days: null, recent_form: { results: [] }, ...more });
    const teams = { home: fresh('Home'), away: fresh('Away') };

    expect(statisticsOf(of({ teams }), AWAY_FIRST)).toBeNull();
    const rested = { ...teams, away: fresh('Away', { rest_days: 3 }) };
    expect(statisticsOf(of({ teams: rested }), AWAY_FIRST)).not.toBeNull();
  });
});

it('a record is written as the sport writes it, and not at all without a game', () => {
  expect(recordOf(strength({ games: 10, w: 5, d: 3, l: 2 }))).toBe('5–3–2');
  expect(recordOf(strength({ games: 10, w: 6, l: 3, otl: 1 }))).toBe('6–3–1');
  expect(recordOf(strength({ games: 10, w: 6, l: 4, t: 0 }))).toBe('6–4');
  expect(recordOf(strength({ games: 10, w: 6, l: 3, t: 1 }))).toBe('6–3–1');
  expect(recordOf(strength({ games: 0, w: 0, l: 0 }))).toBeNull();
  expect(recordOf(strength({ source: 'fifa_rank', rank: 12 }))).toBeNull();
});

it('a rank is that of the league, else of the world', () => {
  expect([rankOf(strength({ rank: 3 })), rankOf(strength({ ranking: 40 })), rankOf(strength({ rank: null }))]).toEqual([
    3,
    40,
    null,
  ]);
});

it('rates stand side by side, season and last five, without what nobody has', () => {
  const first = sideOf('A', {
    rates_season: {
      games: 9,
      source: 'event_stats_avg',
      window: 'season',
      field_games: {},
      shots_for: 11.5,
      saves: null,
    },
    rates_l5: { games: 5, source: 'event_stats_avg', window: 'l5', window_size: 5, field_games: {}, shots_for: 12 },
  });
  const second = sideOf('B', { rates_season: { games: 1, shots_for: 0, corners_for: 4, saves: null } });

  expect(rateRows([first, second])).toEqual([
    { field: 'shots_for', values: [11.5, 12, 0, null] },
    { field: 'corners_for', values: [null, null, 4, null] },
  ]);
});

it('meetings show the score in the order of the sides, and none that is not known', () => {
  const side = sideOf('A', {
    head_to_head: {
      total: 3,
      meetings: [
        { home_goals: 2, away_goals: 1 },
        { home_score: 90, away_score: 99 },
        { player_1_sets: null, player_2_sets: null, surface: 'clay' },
        { player_1_sets: 2, player_2_sets: 0, surface: 'indoor_hard' },
      ],
    },
  });

  expect(meetingScores(side, false).map(({ scores }) => scores)).toEqual([
    [2, 1],
    [90, 99],
    [2, 0],
  ]);
  expect(meetingScores(side, true)[0]).toEqual({ scores: [1, 2], surface: null });
});
