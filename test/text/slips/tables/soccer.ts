import { EPL, UCL, WORLD_CUP } from '../../../api/spec/messages.ts';
import { made, type Situation } from '../settlement-cases.ts';

export const soccer: readonly Situation[] = [
  {
    title: '2 to 1 for home',
    league: EPL,
    status: 'final',
    scores: [made('2', { '1H': 1, '2H': 1 }), made('1', { '1H': 0, '2H': 1 })],
    legs: `
      ml home           | won   | -  | 2 to 1
      ml away           | lost  | -  | 1 to 2
      ml draw           | lost  | -  | not level
      spread home -0.5  | won   | 1  | one ahead
      spread away 0.5   | lost  | -1 | one behind
      spread home -1    | push  | 1  | exactly one
      spread away 1     | push  | -1 | exactly one
      spread home -1.5  | lost  | 1  | one ahead only
      spread away 1.5   | won   | -1 | one behind is less than 1.5
      spread home -0.25 | won   | 1  | won at 0 and at -0.5
      spread home -0.75 | half-won | 1 | won at -0.5, a push at -1
      spread away 0.75  | half-lost | -1 | lost at 0.5, a push at 1
      spread home -1.25 | half-lost | 1 | a push at -1, lost at -1.5
      spread away 1.25  | half-won | -1 | a push at 1, won at 1.5
      spread home -1.75 | lost  | 1  | lost at -1.5 and at -2
      spread away 1.75  | won   | -1 | won at 1.5 and at 2
      total over 2.5    | over  | 3  | three goals
      total under 3     | push  | 3  | exactly three
      total over 3.5    | under | 3  | three goals
      total over 2.25   | over  | 3  | over 2 and over 2.5
      total over 2.75   | half-won | 3 | over 2.5, a push at 3
      total under 2.75  | half-lost | 3 | the under of the same
      total over 3.25   | half-lost | 3 | a push at 3, under 3.5
      total under 3.25  | half-won | 3 | the under of the same
      total under 3.75  | under | 3  | under 3.5 and under 4
      tt home over 1.5  | over  | 2  | two goals
      tt away over 1    | push  | 1  | exactly one
      tt home over 1.75 | half-won | 2 | over 1.5, a push at 2
      tt away under 0.5 | over  | 1  | what happened`,
  },
  {
    title: '1 all',
    league: EPL,
    status: 'final',
    scores: ['1', '1'],
    legs: `
      ml home           | lost  | - | a level score loses both sides
      ml away           | lost  | - | a level score loses both sides
      ml draw           | won   | - | level
      spread home 0     | push  | 0 | level
      spread away 0     | push  | 0 | level
      spread home -0.25 | half-lost | 0 | a push at 0, lost at -0.5
      spread away 0.25  | half-won | 0 | a push at 0, won at 0.5
      spread home 0.25  | half-won | 0 | a push at 0, won at 0.5
      spread home -0.5  | lost  | 0 | not ahead
      spread away 0.5   | won   | 0 | not behind
      total over 2      | push  | 2 | exactly two
      total over 1.75   | half-won | 2 | over 1.5, a push at 2
      total under 2.25  | half-won | 2 | a push at 2, under 2.5
      total over 2.25   | half-lost | 2 | a push at 2, under 2.5`,
  },
  {
    title: 'no goals',
    league: EPL,
    status: 'final',
    scores: ['0', '0'],
    more: { result_type: 'regulation' },
    legs: `
      ml draw          | won   | - | level without goals
      ml home          | lost  | - | level
      total under 0.5  | under | 0 | none
      total over 0     | push  | 0 | exactly none
      tt away under 0.5 | under | 0 | none`,
  },
  {
    title: 'extra time: 1 all after 90 minutes, 3 to 1 in the end',
    league: WORLD_CUP,
    status: 'final',
    scores: [made('3', { '1H': 1, '2H': 0, ET1: 1, ET2: 1 }), made('1', { '1H': 0, '2H': 1, ET1: 0, ET2: 0 })],
    more: { period: 'ET2', result_type: 'overtime' },
    box: { Striker: { goals: 2, shots: 5 } },
    legs: `
      ml home          | lost  | - | level after 90 minutes
      ml away          | lost  | - | level after 90 minutes
      ml draw          | won   | - | level after 90 minutes
      spread home -0.5 | lost  | 0 | level after 90 minutes
      spread away 0.5  | won   | 0 | level after 90 minutes
      spread home 0    | push  | 0 | level after 90 minutes
      total over 2.5   | under | 2 | two goals in 90 minutes
      total under 2    | push  | 2 | exactly two
      tt home over 1.5 | under | 1 | one in 90 minutes
      tt away over 0.5 | over  | 1 | one in 90 minutes
      prop Striker goals over 0.5  | no_stat | - | his goals may be of extra time
      prop Striker shots over 1.5  | no_stat | - | the same
      prop Absent goals over 0.5   | no_stat | - | the same of anybody`,
  },
  {
    title: 'penalties: 2 all after 90 minutes, home won the shootout',
    league: UCL,
    status: 'final',
    scores: [
      { ...made('2', { '1H': 2, '2H': 0, ET1: 0, ET2: 0, PKs: 4 }), is_winner: true },
      { ...made('2', { '1H': 1, '2H': 1, ET1: 0, ET2: 0, PKs: 3 }), is_winner: false },
    ],
    more: { period: 'PKs', result_type: 'shootout' },
    legs: `
      ml home         | lost  | - | penalties do not count
      ml away         | lost  | - | penalties do not count
      ml draw         | won   | - | level after 90 minutes
      spread away 0   | push  | 0 | level
      total over 3.5  | over  | 4 | four in 90 minutes
      total over 4    | push  | 4 | penalties are no goals
      tt home under 2 | push  | 2 | two in 90 minutes`,
  },
  {
    title: 'extra time that only its periods tell',
    league: UCL,
    status: 'final',
    scores: [made('2', { '1H': 0, '2H': 1, ET1: 1 }), made('1', { '1H': 1, '2H': 0, ET1: 0 })],
    legs: `
      ml draw         | won   | - | level after 90 minutes
      ml home         | lost  | - | its second goal came in extra time
      total over 2.5  | under | 2 | two in 90 minutes`,
  },
  {
    title: 'extra time, and nobody has told the score after 90 minutes',
    league: UCL,
    status: 'final',
    scores: ['3', '2'],
    more: { result_type: 'overtime' },
    legs: `
      ml home         | in_progress | - | the score after 90 minutes is missing
      ml draw         | in_progress | - | level after 90 minutes, but let somebody tell
      spread home -0.5 | in_progress | - | missing
      total over 2.5  | in_progress | - | missing
      tt away over 0.5 | in_progress | - | missing
      prop Absent goals over 0.5 | no_stat | - | a match with extra time`,
  },
  {
    title: 'player statistics of 90 minutes',
    league: EPL,
    status: 'final',
    scores: ['2', '0'],
    box: {
      Striker: { goals: 1, assists: 1, shots: 4, yellow_cards: 1 },
      Keeper: { saves: 3, yellow_cards: 0 },
      Bench: 'dnp',
    },
    legs: `
      prop Striker goals over 0.5   | over  | 1 | one goal
      prop Striker goals over 1     | push  | 1 | exactly one
      prop Striker assists under 0.5 | over | 1 | what happened
      prop Striker shots over 4.5   | under | 4 | four
      prop Striker cards over 0.5   | over  | 1 | a yellow one; red ones are not told
      prop Striker tackles over 0.5 | no_stat | - | nobody's tackles are told
      prop Keeper saves over 2.5    | over  | 3 | three
      prop Keeper goals over 0.5    | under | 0 | the box carries goals, and he has none
      prop Bench goals over 0.5     | dnp   | - | did not come on
      prop Absent goals over 0.5    | dnp   | - | not in the box
      prop Stranger goals over 0.5  | unmapped | - | plays for neither team`,
  },
  {
    title: 'abandoned at half-time, and suspended',
    league: EPL,
    status: 'suspended',
    scores: [made('1', { '1H': 1 }), made('0', { '1H': 0 })],
    more: { period: 'HT' },
    legs: `
      ml home         | in_progress | - | it waits for the rest
      ml draw         | in_progress | - | it waits for the rest
      spread away 0.5 | in_progress | -1 | the present score
      total over 0.5  | in_progress | 1 | beaten, and waits
      total over 0.75 | in_progress | 1 | both halves wait`,
  },
  {
    title: 'abandoned and cancelled',
    league: EPL,
    status: 'cancelled',
    scores: ['1', '0'],
    before: [['inprogress', ['1', '0'], { period: '1H' }]],
    legs: `
      ml home         | void | - | cancelled
      ml draw         | void | - | cancelled
      spread home -0.75 | void | - | both halves are void
      total over 0.5  | void | - | decided, and void all the same
      tt away over 0.5 | void | - | cancelled`,
  },
  {
    title: 'before the start',
    league: EPL,
    status: 'scheduled',
    legs: `
      ml draw         | in_progress | - | not started
      spread home 0.25 | in_progress | - | not started
      tt away over 0.5 | in_progress | - | not started`,
  },
];
