import { MLB } from '../../../api/spec/messages.ts';
import { innings, type Situation } from '../settlement-cases.ts';

export const baseball: readonly Situation[] = [
  {
    title: 'nine innings: 3 to 5',
    league: MLB,
    status: 'final',
    scores: [innings(0, 1, 0, 0, 2, 0, 0, 0, 0), innings(1, 0, 0, 3, 0, 0, 1, 0, 0)],
    legs: `
      ml home          | lost  | -  | 3 to 5
      ml away          | won   | -  | 5 to 3
      spread home 1.5  | lost  | -2 | two behind
      spread away -1.5 | won   | 2  | two ahead
      spread home 2    | push  | -2 | exactly two
      spread home 2.5  | won   | -2 | two behind is less than 2.5
      spread away -2.5 | lost  | 2  | two ahead only
      total over 7.5   | over  | 8  | eight runs
      total under 8    | push  | 8  | exactly eight
      total under 8.5  | under | 8  | eight runs
      tt home over 2.5 | over  | 3  | three runs
      tt home under 3  | push  | 3  | exactly three
      tt away over 5.5 | under | 5  | five runs
      ml draw          | unmapped | - | a draw is a bet of soccer only`,
  },
  {
    title: 'home is ahead after the top of the ninth, and does not bat',
    league: MLB,
    status: 'final',
    scores: [innings(2, 0, 0, 0, 2, 0, 0, 0), innings(0, 0, 1, 0, 0, 0, 0, 0, 0)],
    legs: `
      ml home          | won   | - | 4 to 1
      ml away          | lost  | - | 1 to 4
      spread home -1.5 | won   | 3 | 8.5 innings with the home side ahead are full
      spread away 2.5  | lost  | -3 | the same
      total over 4.5   | over  | 5 | the same
      total under 5    | push  | 5 | exactly five
      tt home over 3.5 | over  | 4 | the same
      tt away over 0.5 | over  | 1 | the same`,
  },
  {
    title: 'twelve innings: 5 to 4',
    league: MLB,
    status: 'final',
    scores: [innings(1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1), innings(1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0)],
    legs: `
      ml home          | won   | - | the twelfth inning counts
      spread home -1.5 | lost  | 1 | one ahead
      spread away 1.5  | won   | -1 | one behind
      total over 8.5   | over  | 9 | eight after nine innings, nine in all
      total under 9    | push  | 9 | exactly
      tt home over 4.5 | over  | 5 | extra innings count
      tt away under 4.5 | under | 4 | four`,
  },
  {
    title: 'stopped after seven innings',
    league: MLB,
    status: 'final',
    scores: [innings(0, 0, 3, 0, 0, 0, 1), innings(0, 1, 0, 0, 0, 1, 0)],
    box: { Batter: { hits: 2, runs: 1, rbis: 3, home_runs: 1 }, Pitcher: { pitching_strikeouts: 6 } },
    legs: `
      ml home          | won  | - | five innings are enough for the moneyline
      ml away          | lost | - | five innings are enough
      spread home -1.5 | void | - | fewer than nine innings
      spread away 1.5  | void | - | fewer than nine innings
      total over 5.5   | void | - | decided, and void all the same
      total under 8.5  | void | - | fewer than nine innings
      tt home over 2.5 | void | - | fewer than nine innings
      tt away under 2.5 | void | - | fewer than nine innings
      prop Batter hits over 1.5  | over | 2 | props stand
      prop Batter hits_runs_rbis over 5.5 | over | 6 | 2, 1 and 3
      prop Batter home_runs under 1 | push | 1 | props stand
      prop Pitcher pitching_strikeouts over 6.5 | under | 6 | props stand`,
  },
  {
    title: 'stopped in the eighth, with the home side ahead',
    league: MLB,
    status: 'final',
    scores: [innings(0, 0, 3, 0, 0, 0, 1), innings(0, 1, 0, 0, 0, 1, 0, 0)],
    legs: `
      ml home          | won  | - | 7.5 innings
      spread home -1.5 | void | - | 7.5 innings are fewer than 8.5
      total over 5.5   | void | - | 7.5 innings are fewer than 8.5`,
  },
  {
    title: 'stopped after eight innings and a half, with the away side ahead',
    league: MLB,
    status: 'final',
    scores: [innings(0, 0, 0, 0, 0, 0, 1, 0), innings(0, 1, 0, 0, 0, 1, 0, 0, 2)],
    legs: `
      ml away          | won  | - | more than five innings
      spread away -1.5 | void | - | 8.5 innings are full only with the home side ahead
      total over 4.5   | void | - | the same
      tt away over 3.5 | void | - | the same`,
  },
  {
    title: 'stopped after four innings and a half, with the home side ahead',
    league: MLB,
    status: 'final',
    scores: [innings(2, 0, 0, 1), innings(0, 0, 0, 0, 0)],
    legs: `
      ml home          | won  | - | 4.5 innings are enough with the home side ahead
      ml away          | lost | - | the same
      spread home -1.5 | void | - | fewer than nine innings
      total under 8.5  | void | - | fewer than nine innings`,
  },
  {
    title: 'stopped after four innings and a half, with the away side ahead',
    league: MLB,
    status: 'final',
    scores: [innings(0, 0, 0, 1), innings(2, 0, 0, 0, 0)],
    legs: `
      ml home          | void | - | home has not had its fifth inning
      ml away          | void | - | home has not had its fifth inning
      spread away -1.5 | void | - | fewer than nine innings
      tt home over 0.5 | void | - | fewer than nine innings`,
  },
  {
    title: 'stopped after four innings',
    league: MLB,
    status: 'final',
    scores: [innings(5, 0, 0, 1), innings(2, 0, 0, 0)],
    box: { Batter: { hits: 1 } },
    legs: `
      ml home          | void | - | fewer than 4.5 innings
      ml away          | void | - | fewer than 4.5 innings
      total over 7.5   | void | - | fewer than nine innings
      prop Batter hits over 0.5 | over | 1 | props stand however short the game was`,
  },
  {
    title: 'five innings, level',
    league: MLB,
    status: 'final',
    scores: [innings(1, 0, 0, 0, 0), innings(0, 0, 0, 0, 1)],
    legs: `
      ml home          | push | - | five innings, and a level score
      ml away          | push | - | for both sides
      spread home 1.5  | void | - | fewer than nine innings`,
  },
  {
    title: 'the length from the period alone: End 6',
    league: MLB,
    status: 'final',
    scores: ['4', '2'],
    more: { period: 'End 6' },
    legs: `
      ml home          | won  | - | six innings
      spread home -1.5 | void | - | six innings
      total under 8.5  | void | - | six innings`,
  },
  {
    title: 'the length from the period alone: Mid 5, home behind',
    league: MLB,
    status: 'final',
    scores: ['1', '2'],
    more: { period: 'Mid 5' },
    legs: `
      ml home          | void | - | 4.5 innings need the home side ahead
      ml away          | void | - | 4.5 innings need the home side ahead`,
  },
  {
    title: 'the length from the period alone: Top 9, home ahead',
    league: MLB,
    status: 'final',
    scores: ['6', '2'],
    more: { period: 'Top 9' },
    legs: `
      ml home          | won  | - | 8.5 innings
      spread home -3.5 | won  | 4 | 8.5 innings with the home side ahead
      total over 8     | push | 8 | the same`,
  },
  {
    title: 'nobody has told how long it was',
    league: MLB,
    status: 'final',
    scores: ['6', '2'],
    legs: `
      ml home          | won   | - | taken as full
      spread away 4.5  | won   | -4 | taken as full
      total over 7.5   | over  | 8 | taken as full
      tt away over 2   | push  | 2 | taken as full`,
  },
  {
    title: 'player statistics, of which total bases lack their parts',
    league: MLB,
    status: 'final',
    scores: ['6', '2'],
    box: {
      Batter: { hits: 3, runs: 0, rbis: 2, home_runs: 1, stolen_bases: 1 },
      Pitcher: { pitching_strikeouts: 7, outs: 18 },
      Bench: 'dnp',
    },
    legs: `
      prop Batter hits over 2.5            | over  | 3 | three
      prop Batter runs over 0.5            | under | 0 | none
      prop Batter rbis under 2             | push  | 2 | exactly
      prop Batter hits_runs_rbis under 5.5 | under | 5 | 3, 0 and 2
      prop Batter total_bases over 3.5     | no_stat | - | doubles and triples are not told
      prop Batter singles over 1.5         | no_stat | - | doubles and triples are not told
      prop Batter stolen_bases over 0.5    | over  | 1 | one
      prop Pitcher pitching_strikeouts over 6.5 | over | 7 | seven
      prop Pitcher outs under 17.5         | over  | 18 | what happened
      prop Bench hits over 0.5             | dnp   | - | did not play
      prop Absent hits over 0.5            | dnp   | - | not in the box
      prop Stranger hits over 0.5          | unmapped | - | plays for neither team`,
  },
  {
    title: 'rained out and suspended in the third',
    league: MLB,
    status: 'suspended',
    scores: ['2', '0'],
    more: { period: 'Top 3' },
    legs: `
      ml home        | in_progress | - | it waits, whenever it goes on
      spread away 1.5 | in_progress | -2 | the present score
      total over 1.5 | in_progress | 2 | beaten, and waits`,
  },
  {
    title: 'postponed',
    league: MLB,
    status: 'postponed',
    legs: `
      ml home          | in_progress | - | it waits
      total over 8.5   | in_progress | - | it waits
      tt home over 3.5 | in_progress | - | it waits`,
  },
  {
    title: 'cancelled',
    league: MLB,
    status: 'cancelled',
    legs: `
      ml home          | void | - | cancelled
      spread away 1.5  | void | - | cancelled
      tt home over 3.5 | void | - | cancelled
      prop Absent hits over 0.5 | dnp | - | cancelled`,
  },
];
