import { NCAAF, NFL } from '../../../api/spec/messages.ts';
import { made, type Situation } from '../settlement-cases.ts';

export const americanFootball: readonly Situation[] = [
  {
    title: 'NFL, regular time: 27 to 20 for home',
    league: NFL,
    status: 'final',
    scores: ['27', '20'],
    more: { period: '4', result_type: 'regulation' },
    legs: `
      ml home           | won   | -  | home has 27 to 20
      ml away           | lost  | -  | away has 20 to 27
      ml draw           | unmapped | - | a draw is a bet of soccer only
      spread home -6.5  | won   | 7  | seven ahead covers 6.5
      spread away 6.5   | lost  | -7 | seven behind is more than 6.5
      spread home -7    | push  | 7  | exactly seven ahead
      spread away 7     | push  | -7 | exactly seven behind
      spread home -7.5  | lost  | 7  | seven ahead is less than 7.5
      spread away 7.5   | won   | -7 | 7.5 given cover seven behind
      spread home 3.5   | won   | 7  | ahead even without the points
      spread away -3.5  | lost  | -7 | behind cannot cover a favourite's line
      spread home 0     | won   | 7  | a pick of the winner
      spread away 0     | lost  | -7 | a pick of the loser
      total over 46.5   | over  | 47 | 27 and 20 are 47
      total under 46.5  | over  | 47 | it shows what happened, whichever side was taken
      total over 47     | push  | 47 | exactly 47
      total under 47    | push  | 47 | exactly 47
      total over 47.5   | under | 47 | 47 is less than 47.5
      total under 47.5  | under | 47 | 47 is less than 47.5
      total under 99.5  | under | 47 | far below
      tt home over 26.5 | over  | 27 | home has 27
      tt home under 27  | push  | 27 | home has exactly 27
      tt home over 27.5 | under | 27 | home has 27
      tt away over 19.5 | over  | 20 | away has 20
      tt away under 20.5 | under | 20 | away has 20
      tt away over 20   | push  | 20 | away has exactly 20`,
  },
  {
    title: 'NFL, overtime counts: 26 to 20 after 20 all',
    league: NFL,
    status: 'final',
    scores: [made('26', { 1: 7, 2: 3, 3: 3, 4: 7, OT: 6 }), made('20', { 1: 0, 2: 10, 3: 3, 4: 7, OT: 0 })],
    more: { period: 'OT', result_type: 'overtime' },
    legs: `
      ml home           | won   | -  | the touchdown of overtime wins
      ml away           | lost  | -  | lost in overtime
      spread home -5.5  | won   | 6  | the six of overtime count
      spread away 5.5   | lost  | -6 | six behind after overtime
      spread home -6    | push  | 6  | exactly six
      total over 40.5   | over  | 46 | 46 with overtime, 40 without
      total under 45.5  | over  | 46 | overtime counts against the under too
      total over 46     | push  | 46 | exactly 46
      tt home over 20.5 | over  | 26 | 26 with overtime
      tt away over 20.5 | under | 20 | nothing made in overtime`,
  },
  {
    title: 'NFL, a tie after overtime',
    league: NFL,
    status: 'final',
    scores: ['20', '20'],
    more: { period: 'OT', result_type: 'overtime' },
    legs: `
      ml home          | push  | -  | a level score is a push
      ml away          | push  | -  | for both sides
      spread home 0    | push  | 0  | a pick of a level game
      spread away 0    | push  | 0  | for both sides
      spread home -0.5 | lost  | 0  | a favourite has to win
      spread away 0.5  | won   | 0  | half a point is enough
      spread home 2.5  | won   | 0  | level with points given
      total under 40.5 | under | 40 | 40 in all
      total over 40    | push  | 40 | exactly 40
      tt home over 19.5 | over | 20 | 20 each`,
  },
  {
    title: 'NFL, player statistics at the end',
    league: NFL,
    status: 'final',
    scores: ['31', '17'],
    box: {
      Passer: { passing_yards: 301, passing_touchdowns: 3, interceptions: 1, rushing_yards: 12, rushing_touchdowns: 0 },
      Runner: { rushing_yards: 88, receiving_yards: 27, receptions: 4, rushing_touchdowns: 1, receiving_touchdowns: 1 },
      Catcher: { receiving_yards: 54.5, receptions: 5, receiving_touchdowns: 0, kick_return_touchdowns: 1 },
      Bench: 'dnp',
      Quiet: {},
    },
    legs: `
      prop Passer passing_yards over 300.5      | over  | 301   | one yard more
      prop Passer passing_yards under 300.5     | over  | 301   | what happened
      prop Passer passing_yards over 301        | push  | 301   | exactly
      prop Passer passing_touchdowns over 2.5   | over  | 3     | three thrown
      prop Passer interceptions under 1.5       | under | 1     | one thrown
      prop Passer touchdowns over 0.5           | under | 0     | who passes scores none himself
      prop Passer rushing_receiving_yards over 12.5 | under | 12 | he has no receiving yards in a box that carries them
      prop Runner rushing_receiving_yards over 114.5 | over | 115 | 88 and 27
      prop Runner touchdowns over 1.5           | over  | 2     | one run, one caught
      prop Runner touchdowns over 2             | push  | 2     | exactly two
      prop Runner passing_yards over 0.5        | under | 0     | the box carries passing yards, and he has none
      prop Runner tackles over 0.5              | no_stat | -   | nobody's tackles are told
      prop Catcher receiving_yards over 54      | over  | 54.5  | halves count as they are
      prop Catcher receiving_yards over 54.5    | push  | 54.5  | exactly
      prop Catcher receptions over 5.5          | under | 5     | five caught
      prop Catcher touchdowns over 0.5          | under | 0     | kicks returned are no rushing or receiving
      prop Bench receptions over 0.5            | dnp   | -     | did not play, as the box says
      prop Absent receptions over 0.5           | dnp   | -     | on the team, not in the box
      prop Quiet receptions over 0.5            | no_stat | -   | a row that states nothing
      prop Stranger receptions over 0.5         | unmapped | -  | plays for neither team`,
  },
  {
    title: 'NFL, combined statistics with and without a value of their own',
    league: NFL,
    status: 'final',
    scores: ['10', '7'],
    box: { Own: { rushing_receiving_yards: 99, rushing_yards: 50, receiving_yards: 40 }, Parts: { rushing_yards: 30 } },
    legs: `
      prop Own rushing_receiving_yards over 98.5    | over | 99 | its own value stands over the sum of 90
      prop Own rushing_receiving_yards under 99.5   | under | 99 | the same
      prop Parts rushing_receiving_yards over 29.5  | over | 30 | made of the parts that are there
      prop Parts rushing_yards over 30              | push | 30 | exactly`,
  },
  {
    title: 'NFL, before the start',
    league: NFL,
    status: 'scheduled',
    legs: `
      ml home           | in_progress | - | not started
      spread home -3.5  | in_progress | - | not started
      total over 40.5   | in_progress | - | not started
      tt home over 20.5 | in_progress | - | not started
      prop Absent receptions over 0.5 | in_progress | - | not started
      ml draw           | unmapped | - | unmapped at any time`,
  },
  {
    title: 'NFL, while it is played, with an over that is beaten already',
    league: NFL,
    status: 'inprogress',
    scores: ['28', '24'],
    more: { period: '3', clock: '5:00' },
    box: { Passer: { passing_yards: 310 } },
    boxMore: {},
    legs: `
      ml home           | in_progress | -  | nobody has won yet
      spread home -3.5  | in_progress | 4  | the present score
      spread away 3.5   | in_progress | -4 | of the submitted side
      total over 40.5   | in_progress | 52 | beaten, and yet it waits for the end
      tt away over 20.5 | in_progress | 24 | the present score
      prop Passer passing_yards over 300.5 | in_progress | 310 | beaten, and yet it waits`,
  },
  {
    title: 'NFL, cancelled after it had begun',
    league: NFL,
    status: 'cancelled',
    scores: ['7', '3'],
    before: [['inprogress', ['7', '3'], { period: '1' }]],
    legs: `
      ml home          | void | - | the game was cancelled
      ml away          | void | - | for both sides
      spread home -3.5 | void | - | the game was cancelled
      total under 40.5 | void | - | the game was cancelled
      tt home over 3.5 | void | - | decided, and void all the same
      prop Absent receptions over 0.5 | dnp | - | props of a cancelled game are dnp`,
  },
  {
    title: 'NFL, over without a score',
    league: NFL,
    status: 'final',
    legs: `
      ml home          | in_progress | - | nobody has told the score
      spread away 3.5  | in_progress | - | nobody has told the score
      total over 40.5  | in_progress | - | nobody has told the score
      tt home over 1.5 | in_progress | - | nobody has told the score
      prop Absent receptions over 0.5 | no_stat | - | there is no box`,
  },
  {
    title: 'NFL, a box that says that it is not final',
    league: NFL,
    status: 'final',
    scores: ['13', '10'],
    box: { Passer: { passing_yards: 222 }, Bench: 'dnp' },
    boxMore: { final: false },
    legs: `
      prop Passer passing_yards over 200.5 | in_progress | 222 | it may still change
      prop Bench passing_yards over 200.5  | in_progress | -   | that may change too
      prop Absent passing_yards over 0.5   | in_progress | -   | may still be added
      ml home                              | won | - | the score is final`,
  },
  {
    title: 'NCAAF, three overtimes: 52 to 50',
    league: NCAAF,
    status: 'final',
    scores: ['50', '52'],
    more: { period: 'OT3', result_type: 'overtime' },
    legs: `
      ml away           | won   | -   | won in the third overtime
      ml home           | lost  | -   | lost in the third overtime
      spread away -1.5  | won   | 2   | two ahead
      spread home 1.5   | lost  | -2  | two behind
      spread home 2     | push  | -2  | exactly two
      total over 101.5  | over  | 102 | every overtime counts
      total under 102   | push  | 102 | exactly
      tt home over 49.5 | over  | 50  | team totals are of ncaaf too
      tt away under 51.5 | over | 52  | what happened`,
  },
  {
    title: 'NCAAF, postponed with a score of before',
    league: NCAAF,
    status: 'postponed',
    before: [['inprogress', ['14', '0'], { period: '2' }]],
    legs: `
      ml home          | in_progress | - | it waits for the game
      spread home -3.5 | in_progress | - | no score counts while it is postponed
      total over 13.5  | in_progress | - | waits, though the over was beaten
      tt home over 7.5 | in_progress | - | it waits for the game`,
  },
  {
    title: 'NCAAF, suspended in the fourth quarter',
    league: NCAAF,
    status: 'suspended',
    scores: ['35', '7'],
    more: { period: '4' },
    legs: `
      ml home          | in_progress | -  | it waits, whenever it goes on
      spread home -3.5 | in_progress | 28 | the present score
      total over 40.5  | in_progress | 42 | the present score
      tt away over 6.5 | in_progress | 7  | the present score`,
  },
];
