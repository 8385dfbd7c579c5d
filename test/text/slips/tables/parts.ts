import { byPeriods } from '../../../api/markets/lines.ts';
import { ATP, EPL, MLB, NBA, NCAAB, NFL, NHL, UCL } from '../../../api/spec/messages.ts';
import { innings, made, type Situation } from '../settlement-cases.ts';

/** Legs on a part of an event. */
export const parts: readonly Situation[] = [
  {
    title: 'NFL, 27 to 20 in regular time, by quarters',
    league: NFL,
    status: 'final',
    scores: [byPeriods(7, 3, 10, 7), byPeriods(0, 10, 0, 10)],
    legs: `
      1H ml home          | push  | -  | 10 to 10
      1H spread home -0.5 | lost  | 0  | level
      1H total over 20    | push  | 20 | exactly 20
      1H tt away over 9.5 | over  | 10 | ten
      2H ml home          | won   | -  | 17 to 10
      2H spread away 7    | push  | -7 | exactly seven behind
      2H total under 26.5 | over  | 27 | what happened
      Q1 ml away          | lost  | -  | 0 to 7
      Q1 spread home -6.5 | won   | 7  | seven ahead
      Q2 total over 12.5  | over  | 13 | 3 and 10
      Q3 tt away under 0.5 | under | 0 | nothing
      Q4 ml away          | won   | -  | 10 to 7
      Q4 spread away -2.75 | half-won | 3 | won at -2.5, a push at -3
      F5 ml home          | unmapped | - | baseball only
      P1 ml home          | unmapped | - | ice hockey only`,
  },
  {
    title: 'NFL, 26 to 20 after overtime: the second half has it, the fourth quarter has not',
    league: NFL,
    status: 'final',
    scores: [
      made('26', { '1': 7, '2': 3, '3': 3, '4': 7, OT: 6 }),
      made('20', { '1': 0, '2': 10, '3': 0, '4': 10, OT: 0 }),
    ],
    more: { result_type: 'overtime' },
    legs: `
      2H ml home          | won  | -  | 16 to 10 with the overtime
      2H total over 20.5  | over | 26 | 20 without the overtime
      Q4 ml home          | lost | -  | 7 to 10
      Q4 total over 17    | push | 17 | without the overtime
      1H ml home          | push | -  | 10 to 10`,
  },
  {
    title: 'NFL, in the third quarter: the half and its quarters are settled',
    league: NFL,
    status: 'inprogress',
    scores: [made('17', { '1': 7, '2': 3, '3': 7 }), made('10', { '1': 0, '2': 10, '3': 0 })],
    more: { period: '3' },
    legs: `
      1H total over 20    | push        | 20 | it is over
      Q1 ml home          | won         | -  | it is over
      Q2 ml home          | lost        | -  | it is over
      Q3 ml home          | in_progress | -  | it is being played
      Q3 total over 6.5   | in_progress | 7  | beaten, and not over
      2H spread home -3   | in_progress | 7  | it is being played
      Q4 ml home          | in_progress | -  | it has not begun
      ml home             | in_progress | -  | the game is not over`,
  },
  {
    title: 'NFL, at half-time',
    league: NFL,
    status: 'inprogress',
    scores: [made('10', { '1': 7, '2': 3 }), made('10', { '1': 0, '2': 10 })],
    more: { period: 'HT' },
    legs: `
      1H ml home        | push        | - | the half is over
      Q2 ml away        | won         | - | so is its quarter
      2H total over 20  | in_progress | 0 | nothing yet`,
  },
  {
    title: 'NFL, final without scores of the quarters',
    league: NFL,
    status: 'final',
    scores: ['27', '20'],
    legs: `
      1H ml home       | ungradeable | - | not stated
      Q3 total over 10 | ungradeable | - | not stated
      2H ml home       | ungradeable | - | not stated
      ml home          | won         | - | the whole game is`,
  },
  {
    title: 'NFL, cancelled in the second quarter',
    league: NFL,
    status: 'cancelled',
    before: [['inprogress', [made('7', { '1': 7, '2': 0 }), made('3', { '1': 0, '2': 3 })], { period: '2' }]],
    legs: `
      Q1 ml home | won  | - | it was over before
      Q2 ml home | void | - | it was not completed
      1H ml home | void | - | it was not completed
      Q3 ml home | void | - | it was not played
      ml home    | void | - | cancelled`,
  },
  {
    title: 'NBA, 100 to 97 with a half stated as such',
    league: NBA,
    status: 'final',
    scores: [made('100', { '1H': 50, '3': 20, '4': 30 }), made('97', { '1H': 51, '3': 26, '4': 20 })],
    legs: `
      1H ml away          | won   | -   | 51 to 50
      2H spread home -3.5 | won   | 4   | 50 to 46
      Q1 ml home          | ungradeable | - | only the half is stated
      Q4 total under 50   | push  | 50  | 30 and 20
      1H tt home over 50  | unmapped | - | no team totals of basketball`,
  },
  {
    title: 'NCAAB, 80 to 75 after overtime, by halves',
    league: NCAAB,
    status: 'final',
    scores: [made('80', { '1H': 30, '2H': 35, OT: 15 }), made('75', { '1H': 35, '2H': 30, OT: 10 })],
    more: { result_type: 'overtime' },
    legs: `
      1H ml home         | lost | -  | 30 to 35
      2H ml home         | won  | -  | 50 to 40
      2H total over 65   | over | 90 | with the overtime
      Q1 ml home         | unmapped | - | college basketball has halves`,
  },
  {
    title: 'NHL, 4 to 3 after a shootout',
    league: NHL,
    status: 'final',
    scores: [made('4', { '1': 1, '2': 2, '3': 0 }), made('3', { '1': 1, '2': 0, '3': 2 })],
    more: { result_type: 'shootout' },
    legs: `
      P1 ml home          | push | -  | 1 to 1
      P2 spread away 1.5  | lost | -2 | two behind
      P3 total over 1.5   | over | 2  | without the shootout
      P3 ml away          | won  | -  | 2 to 0
      2H ml home          | unmapped | - | periods only`,
  },
  {
    title: 'MLB, nine innings',
    league: MLB,
    status: 'final',
    scores: [innings(0, 1, 0, 0, 2, 0, 0, 0, 0), innings(1, 0, 0, 0, 0, 0, 5, 0, 0)],
    legs: `
      F5 ml home          | won  | - | 3 to 1
      F5 spread away 1.5  | lost | -2 | two behind
      F5 total over 4.5   | under | 4 | four
      F5 tt home over 2.5 | over | 3 | three
      ml home             | lost | - | 3 to 6`,
  },
  {
    title: 'MLB, over after four innings',
    league: MLB,
    status: 'final',
    scores: [innings(0, 1, 0, 0), innings(1, 0, 0, 0)],
    legs: `
      F5 ml home        | void | - | too short
      F5 total over 1.5 | void | - | too short`,
  },
  {
    title: 'MLB, in the sixth inning',
    league: MLB,
    status: 'inprogress',
    scores: [innings(0, 1, 0, 0, 0), innings(1, 0, 0, 0, 0, 1)],
    more: { period: 'Top 6' },
    legs: `
      F5 ml home        | push | - | 1 to 1
      F5 total over 1.5 | over | 2 | two
      total over 1.5    | in_progress | 3 | not over`,
  },
  {
    title: 'soccer, 2 to 1, level at half-time',
    league: EPL,
    status: 'final',
    scores: [made('2', { '1H': 1, '2H': 1 }), made('1', { '1H': 1, '2H': 0 })],
    more: { result_type: 'regulation' },
    legs: `
      1H ml home           | lost | - | a level score loses both sides
      1H ml draw           | won  | - | level
      1H spread home -0.25 | half-lost | 0 | a push at 0, lost at -0.5
      2H ml home           | won  | - | 1 to 0
      2H tt away under 0.5 | under | 0 | none
      S1 ml home           | unmapped | - | tennis only`,
  },
  {
    title: 'soccer, 2 to 1 after extra time, which no half has',
    league: UCL,
    status: 'final',
    scores: [made('2', { '1H': 1, '2H': 0, ET: 1 }), made('1', { '1H': 0, '2H': 1, ET: 0 })],
    more: { result_type: 'overtime' },
    legs: `
      1H ml home        | won  | - | 1 to 0
      2H ml away        | won  | - | 1 to 0
      2H total over 1   | push | 1 | without the extra time`,
  },
  {
    title: 'tennis, 4-6 6-3 6-2',
    league: ATP,
    status: 'final',
    scores: ['4 6 6', '6 3 2'],
    legs: `
      S1 ml home          | lost | -  | 4 to 6
      S1 spread home 2.5  | won  | -2 | two behind
      S1 total over 9.5   | over | 10 | ten games
      1H ml home          | unmapped | - | no halves`,
  },
  {
    title: 'tennis, retired in the first set',
    league: ATP,
    status: 'final',
    scores: [
      { score: '4', is_winner: true },
      { score: '3', is_winner: false },
    ],
    more: { result_type: 'retired' },
    legs: `
      S1 ml home        | void | - | the set was not completed
      S1 total over 6.5 | void | - | the set was not completed`,
  },
  {
    title: 'tennis, a walkover',
    league: ATP,
    status: 'walkover',
    legs: `
      S1 ml home | void | - | not played`,
  },
  {
    title: 'NBA, before the start',
    league: NBA,
    status: 'scheduled',
    legs: `
      1H ml home      | in_progress | - | not begun
      Q1 total over 5 | in_progress | - | not begun
      2H ml away      | in_progress | - | not begun`,
  },
];
