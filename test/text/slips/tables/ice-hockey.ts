import { NHL } from '../../../api/spec/messages.ts';
import { made, type Situation } from '../settlement-cases.ts';

export const iceHockey: readonly Situation[] = [
  {
    title: 'regular time: 4 to 2',
    league: NHL,
    status: 'final',
    scores: ['4', '2'],
    more: { period: '3', result_type: 'regulation' },
    legs: `
      ml home          | won   | -  | 4 to 2
      ml away          | lost  | -  | 2 to 4
      spread home -1.5 | won   | 2  | two ahead
      spread away 1.5  | lost  | -2 | two behind
      spread home -2   | push  | 2  | exactly two
      spread away 2.5  | won   | -2 | two behind is less than 2.5
      total over 5.5   | over  | 6  | six goals
      total under 6    | push  | 6  | exactly six
      total over 6.5   | under | 6  | six goals
      tt home over 3.5 | unmapped | - | no team totals of nhl
      ml draw          | unmapped | - | a draw is a bet of soccer only`,
  },
  {
    title: 'overtime: 3 to 4',
    league: NHL,
    status: 'final',
    scores: ['3', '4'],
    more: { period: 'OT', result_type: 'overtime' },
    legs: `
      ml away          | won   | -  | the goal of overtime wins
      ml home          | lost  | -  | lost in overtime
      spread home 1.5  | won   | -1 | one behind
      spread away -1.5 | lost  | 1  | one ahead
      spread home 1    | push  | -1 | exactly one
      total over 6.5   | over  | 7  | overtime counts
      total under 7    | push  | 7  | exactly seven`,
  },
  {
    title: 'a shootout of which the score has the goal already: 3 to 2',
    league: NHL,
    status: 'final',
    scores: [
      { score: '3', is_winner: true },
      { score: '2', is_winner: false },
    ],
    more: { period: 'SO', result_type: 'shootout' },
    legs: `
      ml home          | won   | -  | who won the shootout
      ml away          | lost  | -  | who lost it
      spread home -1.5 | lost  | 1  | one goal, not two
      spread away 1    | push  | -1 | exactly one
      total over 5     | push  | 5  | the goal is counted once`,
  },
  {
    title: 'a shootout of which the score is still level: 2 all, away won it',
    league: NHL,
    status: 'final',
    scores: [
      { score: '2', is_winner: false },
      { score: '2', is_winner: true },
    ],
    more: { period: 'SO', result_type: 'shootout' },
    legs: `
      ml away          | won   | -  | who won the shootout
      ml home          | lost  | -  | who lost it
      spread away -0.5 | won   | 1  | the goal of the shootout
      spread away -1   | push  | 1  | exactly that goal
      spread home 1.5  | won   | -1 | one behind
      spread home 0.5  | lost  | -1 | one behind
      total over 4.5   | over  | 5  | four goals and that of the shootout
      total under 5    | push  | 5  | exactly five
      total under 5.5  | under | 5  | no more than five`,
  },
  {
    title: 'a shootout that only its period tells: 2 goals to 1 in it',
    league: NHL,
    status: 'final',
    scores: [made('1', { 1: 0, 2: 1, 3: 0, OT: 0, SO: 2 }), made('1', { 1: 1, 2: 0, 3: 0, OT: 0, SO: 1 })],
    more: { period: 'SO' },
    legs: `
      ml home         | won  | -  | more goals in the shootout
      ml away         | lost | -  | fewer goals in the shootout
      spread home -1  | push | 1  | one goal for all of the shootout
      total over 2.5  | over | 3  | two goals and that of the shootout`,
  },
  {
    title: 'a shootout whose winner nobody has told',
    league: NHL,
    status: 'final',
    scores: ['2', '2'],
    more: { period: 'SO', result_type: 'shootout' },
    legs: `
      ml home         | in_progress | - | somebody has won it
      ml away         | in_progress | - | somebody has won it
      spread home 1.5 | in_progress | - | the goal has no side yet
      total over 4.5  | in_progress | - | it waits with the others`,
  },
  {
    title: 'player statistics, overtime included',
    league: NHL,
    status: 'final',
    scores: ['3', '2'],
    more: { period: 'OT', result_type: 'overtime' },
    box: {
      Skater: { goals: 1, assists: 2, shots_on_goal: 5 },
      Grinder: { goals: 0, assists: 0, shots_on_goal: 1, points: 0 },
      Goalie: { saves: 30, goals_against: 2 },
      Bench: 'dnp',
    },
    legs: `
      prop Skater points over 2.5        | over  | 3  | a goal and two assists
      prop Skater points under 3         | push  | 3  | exactly
      prop Skater goals over 0.5         | over  | 1  | one
      prop Skater assists over 2.5       | under | 2  | two
      prop Skater shots_on_goal over 4.5 | over  | 5  | five
      prop Skater hits over 0.5          | no_stat | - | nobody's hits are told
      prop Grinder points over 0.5       | under | 0  | its own value
      prop Grinder shots_on_goal over 1  | push  | 1  | exactly
      prop Goalie saves over 29.5        | over  | 30 | thirty
      prop Goalie saves under 29.5       | over  | 30 | what happened
      prop Bench goals over 0.5          | dnp   | -  | did not play
      prop Absent goals under 0.5        | dnp   | -  | not in the box
      prop Stranger goals over 0.5       | unmapped | - | plays for neither team`,
  },
  {
    title: 'while overtime is played',
    league: NHL,
    status: 'inprogress',
    scores: ['2', '2'],
    more: { period: 'OT' },
    legs: `
      ml home          | in_progress | - | not over
      spread home 1.5  | in_progress | 0 | the present score
      total over 3.5   | in_progress | 4 | beaten, and waits`,
  },
  {
    title: 'delayed',
    league: NHL,
    status: 'delayed',
    legs: `
      ml home          | in_progress | - | it has not begun
      total over 3.5   | in_progress | - | it has not begun`,
  },
  {
    title: 'cancelled',
    league: NHL,
    status: 'cancelled',
    legs: `
      ml away          | void | - | cancelled
      spread home -1.5 | void | - | cancelled
      total under 5.5  | void | - | cancelled`,
  },
];
