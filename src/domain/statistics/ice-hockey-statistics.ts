import { type SportStatistics, sumOf } from './sport-statistics.ts';

export const iceHockey: SportStatistics = {
  title: 'Ice hockey',
  teams: [
    {
      groupName: 'teams',
      names: [
        'goals',
        'shots_on_goal',
        'hits',
        'blocked_shots',
        'power_play_goals',
        'power_play_opportunities',
        'short_handed_goals',
        'penalties',
        'penalty_minutes',
        'faceoffs_won',
        'giveaways',
        'takeaways',
      ],
    },
  ],
  players: [
    {
      groupName: 'skaters',
      names: [
        'goals',
        'assists',
        'points',
        'power_play_points',
        'shots_on_goal',
        'blocked_shots',
        'hits',
        'faceoffs_won',
        'giveaways',
        'takeaways',
        'penalty_minutes',
        'plus_minus',
      ],
    },
    { groupName: 'goaltenders', names: ['saves', 'goals_against', 'shots_against'] },
  ],
  sums: { points: sumOf('goals', 'assists') },
  specialRules: {},
  averaged: {
    fromScore: ['goals'],
    bothSides: [
      'shots_on_goal',
      'hits',
      'blocked_shots',
      'power_play_goals',
      'power_play_opportunities',
      'penalty_minutes',
      'faceoffs_won',
      'giveaways',
      'takeaways',
    ],
    ownSideOnly: [],
  },
};
