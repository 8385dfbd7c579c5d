import type { SportStatistics } from './sport-statistics.ts';

/** Statistics of a side (a player or a pair) and of a player. */
const SERVICE = [
  'aces',
  'double_faults',
  'first_serve_pct',
  'first_serve_points_won_pct',
  'second_serve_points_won_pct',
  'break_points_won',
  'break_points_faced',
  'total_points_won',
];

export const tennis: SportStatistics = {
  title: 'Tennis',
  teams: [{ groupName: 'sides', names: SERVICE }],
  players: [{ groupName: 'players', names: SERVICE }],
  sums: {},
  specialRules: {},
  averaged: { fromScore: ['sets_won', 'sets_lost', 'games_won', 'games_lost'], bothSides: [], ownSideOnly: SERVICE },
};
