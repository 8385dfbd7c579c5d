import type { CountedGame } from '../statistics/counted-game.ts';
import { type ResultWorth, worthOf } from './result-worth.ts';

/** A game from the view of one team. */
export interface TeamResult {
  readonly teamId: number;
  readonly opponentId: number;
  readonly startsAt: number;
  readonly isAway: boolean;
  readonly for: number;
  readonly against: number;
  readonly outcome: 'W' | 'D' | 'L';
  readonly beyond: CountedGame['beyond'];
  readonly worth: number;
}

/** The game from both views. */
export function teamResultsOf(game: CountedGame, worth: ResultWorth): readonly TeamResult[] {
  const [first, second] = game.scores ?? [0, 0];
  const even = first === second;
  const ahead = even ? null : first > second ? 0 : 1;
  const winner = worth.byScore ? ahead : (game.winner ?? ahead);
  const scores = [first, second] as [number, number];
  if (even && winner !== null && game.beyond === 'shootout' && worth.shootoutGoal) scores[winner]++;
  return ([0, 1] as const).map((side): TeamResult => {
    const other = side === 0 ? 1 : 0;
    const outcome = winner === null ? 'D' : winner === side ? 'W' : 'L';
    return {
      teamId: game.sides[side],
      opponentId: game.sides[other],
      startsAt: game.startsAt,
      isAway: side === 1,
      for: scores[side],
      against: scores[other],
      outcome,
      beyond: game.beyond,
      worth: worthOf(outcome, game.beyond !== null, worth),
    };
  });
}

/** The sums of some results. */
export interface ResultSums {
  readonly played: number;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  /** Included in `lost`. */
  readonly lostLate: number;
  readonly for: number;
  readonly against: number;
  readonly worth: number;
}

export function sumResults(results: readonly TeamResult[]): ResultSums {
  const sums = { played: 0, won: 0, drawn: 0, lost: 0, lostLate: 0, for: 0, against: 0, worth: 0 };
  for (const one of results) {
    sums.played++;
    if (one.outcome === 'W') sums.won++;
    else if (one.outcome === 'D') sums.drawn++;
    else {
      sums.lost++;
      if (one.beyond !== null) sums.lostLate++;
    }
    sums.for += one.for;
    sums.against += one.against;
    sums.worth += one.worth;
  }
  return sums;
}

/** The share of what could be won; 0 without a game. */
export const shareOf = ({ played, worth }: ResultSums, { win }: ResultWorth): number =>
  played === 0 ? 0 : worth / (played * win);
