import { playsLike } from '../catalogue/added-leagues.ts';
import { gameRulesOf, type PlayedIn } from '../catalogue/game-rules.ts';
import type { CountedGame } from '../statistics/counted-game.ts';

/** What a win and a draw are worth: points, or shares of a win. */
export interface ResultWorth {
  readonly win: number;
  readonly draw: number;
  /** Of a loss after overtime. */
  readonly lateLoss: number;
  /** Whether tables show points. */
  readonly hasPoints: boolean;
  /** Whether a draw is decided by the score alone. */
  readonly byScore: boolean;
  /** Whether a shootout counts as one goal of its winner, as it does in the tables of the NHL. */
  readonly shootoutGoal: boolean;
}

const SOCCER: ResultWorth = { win: 3, draw: 1, lateLoss: 0, hasPoints: true, byScore: true, shootoutGoal: false };
const HOCKEY: ResultWorth = { win: 2, draw: 1, lateLoss: 1, hasPoints: true, byScore: false, shootoutGoal: true };
const SHARES: ResultWorth = { ...HOCKEY, win: 1, draw: 0.5, lateLoss: 0, hasPoints: false };
const WORTHS: ReadonlyMap<string, ResultWorth> = new Map([
  ['soccer', SOCCER],
  ['nhl', HOCKEY],
]);

/** Where a league has no draws, whoever wins after regular time has won. */
export function resultWorthOf(game: PlayedIn): ResultWorth {
  const usual = WORTHS.get(playsLike(game.sport)) ?? SHARES;
  return usual.byScore && !gameRulesOf(game).draws ? { ...usual, byScore: false } : usual;
}

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
    const lost = game.beyond === null ? 0 : worth.lateLoss;
    return {
      teamId: game.sides[side],
      opponentId: game.sides[other],
      startsAt: game.startsAt,
      isAway: side === 1,
      for: scores[side],
      against: scores[other],
      outcome,
      beyond: game.beyond,
      worth: outcome === 'W' ? worth.win : outcome === 'D' ? worth.draw : lost,
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
