import { type SportStatistics, sumOf } from './sport-statistics.ts';

export const soccer: SportStatistics = {
  title: 'Soccer',
  teams: [
    {
      groupName: 'teams',
      names: [
        'shots',
        'shots_on_target',
        'possession_pct',
        'corners',
        'fouls',
        'yellow_cards',
        'red_cards',
        'passes',
        'pass_accuracy_pct',
        'saves',
        'offsides',
        'tackles',
        'interceptions',
        'blocked_shots',
        'assists',
      ],
    },
  ],
  players: [
    {
      groupName: 'players',
      names: [
        'goals',
        'assists',
        'shots',
        'shots_on_target',
        'fouls',
        'offsides',
        'cards',
        'yellow_cards',
        'red_cards',
        'saves',
      ],
    },
  ],
  sums: { cards: sumOf('yellow_cards', 'red_cards') },
  specialRules: {},
  averaged: {
    fromScore: [],
    bothSides: ['shots', 'shots_on_target', 'corners'],
    ownSideOnly: [
      'possession_pct',
      'fouls',
      'yellow_cards',
      'red_cards',
      'passes',
      'pass_accuracy_pct',
      'saves',
      'offsides',
      'tackles',
      'interceptions',
      'blocked_shots',
      'assists',
    ],
  },
};
