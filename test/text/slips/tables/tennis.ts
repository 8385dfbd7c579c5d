import { ATP, WTA } from '../../../api/spec/messages.ts';
import type { Situation } from '../settlement-cases.ts';

const won = { is_winner: true };
const lost = { is_winner: false };

export const tennis: readonly Situation[] = [
  {
    title: 'two sets: 6-4 6-3',
    league: ATP,
    status: 'final',
    scores: [
      { score: '6 6', ...won },
      { score: '4 3', ...lost },
    ],
    legs: `
      ml home          | won   | -  | player_1 has won
      ml away          | lost  | -  | player_2 has lost
      ml draw          | unmapped | - | a draw is a bet of soccer only
      spread home -4.5 | won   | 5  | 12 games to 7
      spread away 4.5  | lost  | -5 | 7 games to 12
      spread home -5   | push  | 5  | exactly five
      spread away 5.5  | won   | -5 | five behind is less than 5.5
      total over 18.5  | over  | 19 | 19 games
      total under 19   | push  | 19 | exactly
      total under 19.5 | under | 19 | 19 games
      tt home over 10.5 | unmapped | - | no team totals of tennis
      prop Stranger aces over 5.5 | unmapped | - | no props of tennis`,
  },
  {
    title: 'three sets with two tie-breaks: 6-7 7-6 6-4, told by the scores alone',
    league: WTA,
    status: 'final',
    scores: ['6 7 6', '7 6 4'],
    legs: `
      ml home          | won   | -  | two sets to one
      ml away          | lost  | -  | one set to two
      spread home -1.5 | won   | 2  | 19 games to 17
      spread home -2   | push  | 2  | exactly two
      spread away 2.5  | won   | -2 | two behind
      total over 35.5  | over  | 36 | a tie-break is one game
      total under 36   | push  | 36 | exactly`,
  },
  {
    title: 'the winner of fewer games: 0-6 7-6 7-6',
    league: ATP,
    status: 'final',
    scores: ['0 7 7', '6 6 6'],
    legs: `
      ml home         | won  | -  | two sets to one
      ml away         | lost | -  | one set to two
      spread home 3.5 | lost | -4 | 14 games to 18
      spread away -3.5 | won | 4  | 18 games to 14
      spread home 4.5 | won  | -4 | four behind is less than 4.5
      total over 31.5 | over | 32 | 32 games`,
  },
  {
    title: 'games stated of each set alone',
    league: ATP,
    status: 'final',
    scores: [
      {
        period_scores: [
          { period: 'S1', score: 6 },
          { period: 'S2', score: 7, tiebreak: 7 },
        ],
        ...won,
      },
      {
        period_scores: [
          { period: 'S1', score: 2 },
          { period: 'S2', score: 6, tiebreak: 3 },
        ],
        ...lost,
      },
    ],
    legs: `
      ml home          | won   | - | player_1 has won
      spread away 5    | push  | -5 | 8 games to 13
      total over 20.5  | over  | 21 | 21 games; points of the tie-break are none`,
  },
  {
    title: 'retired after a set: 6-3 2-1, player_2 goes through',
    league: ATP,
    status: 'final',
    scores: [
      { score: '6 2', ...lost },
      { score: '3 1', ...won },
    ],
    more: { result_type: 'retired' },
    legs: `
      ml away          | won  | - | a set was completed, and player_2 goes through
      ml home          | lost | - | who retired had been ahead
      spread home -1.5 | void | - | the match was not played to its end
      spread away 4.5  | void | - | the match was not played to its end
      total over 11.5  | void | - | decided, and void all the same
      total under 22.5 | void | - | the match was not played to its end`,
  },
  {
    title: 'retired after a set won in a tie-break: 7-6',
    league: WTA,
    status: 'final',
    scores: [
      { score: '7', ...won },
      { score: '6', ...lost },
    ],
    more: { result_type: 'retired' },
    legs: `
      ml home        | won  | - | a set at 7 is complete
      ml away        | lost | - | a set at 7 is complete
      total over 9.5 | void | - | retired`,
  },
  {
    title: 'retired at 6-5 in the first set',
    league: ATP,
    status: 'final',
    scores: [
      { score: '6', ...won },
      { score: '5', ...lost },
    ],
    more: { result_type: 'retired' },
    legs: `
      ml home         | void | - | 6-5 is no complete set
      ml away         | void | - | 6-5 is no complete set
      spread home 1.5 | void | - | retired
      total over 8.5  | void | - | retired`,
  },
  {
    title: 'retired at 3-1 in the first set',
    league: ATP,
    status: 'final',
    scores: [
      { score: '3', ...lost },
      { score: '1', ...won },
    ],
    more: { result_type: 'retired' },
    legs: `
      ml home         | void | - | no set was completed
      ml away         | void | - | no set was completed
      total under 20.5 | void | - | retired`,
  },
  {
    title: 'retired after a set, and nobody has told who goes through',
    league: ATP,
    status: 'final',
    scores: ['6 2', '3 1'],
    more: { result_type: 'retired' },
    legs: `
      ml home         | in_progress | - | who is ahead may be who retired
      ml away         | in_progress | - | who is ahead may be who retired
      spread home 0.5 | void | - | retired, whoever goes through`,
  },
  {
    title: 'a walkover',
    league: ATP,
    status: 'walkover',
    scores: [won, lost],
    legs: `
      ml home         | void | - | nothing was played
      ml away         | void | - | nothing was played
      spread home -3.5 | void | - | nothing was played
      total over 20.5 | void | - | nothing was played`,
  },
  {
    title: 'while it is played: 6-4 3-2',
    league: WTA,
    status: 'inprogress',
    scores: ['6 3', '4 2'],
    more: { period: 'S2' },
    legs: `
      ml home          | in_progress | -  | nobody has won yet
      spread home -1.5 | in_progress | 3  | nine games to six
      spread away 3.5  | in_progress | -3 | six games to nine
      total over 12.5  | in_progress | 15 | beaten, and waits`,
  },
  {
    title: 'suspended overnight',
    league: WTA,
    status: 'suspended',
    scores: ['6 3', '4 2'],
    more: { period: 'S2' },
    legs: `
      ml home          | in_progress | -  | it waits
      total under 20.5 | in_progress | 15 | the present games`,
  },
  {
    title: 'over without a score',
    league: ATP,
    status: 'final',
    legs: `
      ml home         | in_progress | - | nobody has told it
      spread home 1.5 | in_progress | - | nobody has told it
      total over 20.5 | in_progress | - | nobody has told it`,
  },
  {
    title: 'cancelled',
    league: ATP,
    status: 'cancelled',
    legs: `
      ml home         | void | - | cancelled
      total over 20.5 | void | - | cancelled`,
  },
];
