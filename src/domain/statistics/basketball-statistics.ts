import { type SportStatistics, sumOf } from './sport-statistics.ts';

/** Statistics of both teams and players. */
const COUNTED = [
  'points',
  'field_goals_made',
  'field_goals_attempted',
  'three_pointers_made',
  'three_pointers_attempted',
  'free_throws_made',
  'free_throws_attempted',
  'rebounds',
  'offensive_rebounds',
  'defensive_rebounds',
  'assists',
  'steals',
  'blocks',
  'turnovers',
  'fouls',
] as const;

const [POINTS, ...IN_THE_BOX] = COUNTED;

export const basketball: SportStatistics = {
  title: 'Basketball',
  teams: [
    { groupName: 'teams', names: COUNTED },
    {
      groupName: 'teams alone',
      names: [
        'field_goal_pct',
        'three_point_pct',
        'free_throw_pct',
        'team_turnovers',
        'total_turnovers',
        'turnover_points',
        'fast_break_points',
        'points_in_paint',
        'largest_lead',
        'flagrant_fouls',
        'technical_fouls',
        'total_technical_fouls',
      ],
    },
  ],
  players: [
    { groupName: 'players', names: ['minutes', ...COUNTED, 'plus_minus'] },
    {
      groupName: 'several together',
      names: ['points_rebounds_assists', 'points_rebounds', 'points_assists', 'rebounds_assists', 'blocks_steals'],
    },
  ],
  sums: {
    points_rebounds_assists: sumOf('points', 'rebounds', 'assists'),
    points_rebounds: sumOf('points', 'rebounds'),
    points_assists: sumOf('points', 'assists'),
    rebounds_assists: sumOf('rebounds', 'assists'),
    blocks_steals: sumOf('blocks', 'steals'),
  },
  specialRules: {},
  averaged: { fromScore: [POINTS], bothSides: IN_THE_BOX, ownSideOnly: [] },
};
