import { NBA, NCAAB } from '../../../api/spec/messages.ts';
import type { Situation } from '../settlement-cases.ts';

export const basketball: readonly Situation[] = [
  {
    title: 'NBA, regular time: 112 to 104 for away',
    league: NBA,
    status: 'final',
    scores: ['104', '112'],
    more: { period: '4', result_type: 'regulation' },
    legs: `
      ml home            | lost  | -   | eight behind
      ml away            | won   | -   | eight ahead
      spread home 8.5    | won   | -8  | 8.5 given cover eight behind
      spread away -8.5   | lost  | 8   | eight ahead is less than 8.5
      spread home 8      | push  | -8  | exactly eight
      spread away -8     | push  | 8   | exactly eight
      spread home 7.5    | lost  | -8  | eight behind is more than 7.5
      spread away -7.5   | won   | 8   | covers 7.5
      spread away 1.5    | won   | 8   | ahead even without points
      total over 215.5   | over  | 216 | 216 in all
      total under 215.5  | over  | 216 | what happened
      total over 216     | push  | 216 | exactly
      total under 216.5  | under | 216 | half a point less
      tt home over 100.5 | unmapped | - | no team totals of nba
      ml draw            | unmapped | - | a draw is a bet of soccer only`,
  },
  {
    title: 'NBA, double overtime: 130 to 128 after 110 all',
    league: NBA,
    status: 'final',
    scores: ['130', '128'],
    more: { period: 'OT2', result_type: 'overtime' },
    legs: `
      ml home           | won   | -   | won in the second overtime
      ml away           | lost  | -   | lost there
      spread home -1.5  | won   | 2   | two ahead with overtime
      spread away 2     | push  | -2  | exactly two
      spread home -2.5  | lost  | 2   | two ahead only
      total over 220.5  | over  | 258 | 220 without overtime
      total under 257.5 | over  | 258 | overtime counts
      total over 258.5  | under | 258 | half a point short`,
  },
  {
    title: 'NBA, player statistics',
    league: NBA,
    status: 'final',
    scores: ['100', '99'],
    box: {
      Star: { points: 31, rebounds: 9, assists: 10, threes_made: 4, steals: 2, blocks: 0, turnovers: 3 },
      Guard: { points: 12, rebounds: 2, assists: 11 },
      Bench: 'dnp',
    },
    legs: `
      prop Star points over 30.5   | over  | 31 | one more
      prop Star points under 31.5  | under | 31 | one less than 32
      prop Star points over 31     | push  | 31 | exactly
      prop Star rebounds over 9.5  | under | 9  | nine
      prop Star assists over 9.5   | over  | 10 | ten
      prop Star points_rebounds_assists over 49.5 | over | 50 | 31, 9 and 10
      prop Star points_rebounds_assists under 50  | push | 50 | exactly
      prop Star points_rebounds over 40.5 | under | 40 | 31 and 9
      prop Star points_assists over 40.5  | over  | 41 | 31 and 10
      prop Star rebounds_assists over 19  | push  | 19 | 9 and 10
      prop Star blocks_steals over 1.5    | over  | 2  | two steals, no block
      prop Star blocks over 0.5           | under | 0  | none
      prop Guard points over 11.5         | over  | 12 | twelve
      prop Guard steals over 0.5          | under | 0  | the box carries steals, and he has none
      prop Guard points_rebounds_assists over 25.5 | under | 25 | 12, 2 and 11
      prop Guard double_doubles over 0.5  | no_stat | - | no such statistic
      prop Bench points over 9.5          | dnp   | -  | did not play
      prop Absent points under 9.5        | dnp   | -  | on the team, not in the box
      prop Stranger points over 0.5       | unmapped | - | plays for neither team`,
  },
  {
    title: 'NBA, a sum of parts of which one is not told',
    league: NBA,
    status: 'final',
    scores: ['90', '88'],
    box: { Star: { points: 20, rebounds: 5 } },
    legs: `
      prop Star points_rebounds_assists over 24.5  | over | 25 | of the parts that are there
      prop Star points_rebounds_assists under 25.5 | under | 25 | of the parts that are there
      prop Star points_assists over 20             | push | 20 | points alone are there
      prop Star assists over 0.5                   | no_stat | - | nobody's assists are told
      prop Star blocks_steals over 0.5             | no_stat | - | none of its parts is there`,
  },
  {
    title: 'NBA, no statistics at all',
    league: NBA,
    status: 'final',
    scores: ['90', '88'],
    legs: `
      prop Absent points over 9.5  | no_stat | - | there is no box
      prop Absent points under 9.5 | no_stat | - | there is no box
      ml home                      | won     | - | the score is there`,
  },
  {
    title: 'NBA, statistics of before the end that do not say whether they are final',
    league: NBA,
    status: 'final',
    scores: ['90', '88'],
    box: { Star: { points: 20 } },
    boxMore: { at: '2026-03-01T08:00:30.000Z' },
    legs: `
      prop Star points over 19.5  | in_progress | 20 | older than the end of the game
      prop Star points under 21.5 | in_progress | 20 | older than the end of the game`,
  },
  {
    title: 'NBA, while it is played',
    league: NBA,
    status: 'inprogress',
    scores: ['60', '55'],
    more: { period: '3' },
    box: { Star: { points: 22 } },
    boxMore: {},
    legs: `
      ml away            | in_progress | -   | nobody has won yet
      spread away 6.5    | in_progress | -5  | five behind now
      total over 100.5   | in_progress | 115 | beaten, and waits
      prop Star points over 21.5  | in_progress | 22 | beaten, and waits
      prop Star assists over 1.5  | in_progress | -  | not told`,
  },
  {
    title: 'NBA, cancelled',
    league: NBA,
    status: 'cancelled',
    legs: `
      ml home          | void | - | cancelled
      spread away 3    | void | - | cancelled
      total over 200.5 | void | - | cancelled
      prop Absent points over 9.5 | dnp | - | cancelled`,
  },
  {
    title: 'NBA, a walkover',
    league: NBA,
    status: 'walkover',
    legs: `
      ml home          | void | - | nothing was played
      spread away 3    | void | - | nothing was played
      prop Absent points over 9.5 | dnp | - | props of a walkover are dnp, as of a cancelled game`,
  },
  {
    title: 'NBA, postponed',
    league: NBA,
    status: 'postponed',
    legs: `
      ml home          | in_progress | - | waits
      spread away 3    | in_progress | - | waits
      total over 200.5 | in_progress | - | waits
      prop Absent points over 9.5 | in_progress | - | waits`,
  },
  {
    title: 'NCAAB, one overtime: 75 to 74',
    league: NCAAB,
    status: 'final',
    scores: ['75', '74'],
    more: { period: 'OT', result_type: 'overtime' },
    box: { Star: { points: 18, rebounds: 8, assists: 0 } },
    legs: `
      ml home           | won   | -   | by one
      ml away           | lost  | -   | by one
      spread home -1    | push  | 1   | exactly one
      spread home -0.5  | won   | 1   | won
      spread away 0.5   | lost  | -1  | one behind
      spread away 1.5   | won   | -1  | one behind is less than 1.5
      spread home -1.5  | lost  | 1   | one ahead only
      total over 148.5  | over  | 149 | with overtime
      total under 149   | push  | 149 | exactly
      total under 149.5 | under | 149 | half a point less
      prop Star points over 17.5 | over | 18 | overtime counts for players too
      prop Star rebounds under 7.5 | over | 8 | what happened
      prop Star points_rebounds_assists over 26 | push | 26 | 18, 8 and 0
      tt home over 70.5 | unmapped | - | no team totals of ncaab`,
  },
];
