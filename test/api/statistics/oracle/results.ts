import { exactly, type Fraction, ratio } from './exact.ts';
import { type Game, otherSide, sideOf } from './game.ts';

/** Results of a team's or player's games: `games` are its own. */
export type Result = 'W' | 'L' | 'D' | 'T';

export const scored = (game: Game, id: number): number => Number(game.scores[sideOf(game, id)!]);
export const conceded = (game: Game, id: number): number => Number(game.scores[otherSide(sideOf(game, id)!)]);

/**
 * "`recent_form` | by scores; a shootout is D in soccer, W or L in NHL (`is_winner`); a tie is T in the other sports";
 * tennis: "`results` (W, L)", by who has won
 */
export function resultOf(game: Game, id: number): Result {
  const won = game.winner === sideOf(game, id) ? 'W' : 'L';
  if (game.sport === 'tennis') return won;
  if (game.sport === 'soccer' && game.result_type === 'shootout') return 'D';
  if (game.sport === 'nhl' && game.result_type === 'shootout' && game.winner !== null) return won;
  const ahead = scored(game, id) - conceded(game, id);
  if (ahead === 0) return game.sport === 'soccer' ? 'D' : 'T';
  return ahead > 0 ? 'W' : 'L';
}

export const countOf = (games: readonly Game[], id: number, result: Result): number =>
  games.filter((game) => resultOf(game, id) === result).length;

/** NHL: "1 for a loss after overtime or shootout" */
export const isOvertimeLoss = (game: Game, id: number): boolean =>
  game.sport === 'nhl' && resultOf(game, id) === 'L' && ['overtime', 'shootout'].includes(game.result_type ?? '');

const POINTS: Readonly<Record<Result, number>> = { W: 3, D: 1, L: 0, T: 0 };

/** Soccer "3-1-0"; NHL "2 for a win, 1 for a loss after overtime or shootout" */
export function pointsOf(game: Game, id: number): number {
  if (game.sport === 'soccer') return POINTS[resultOf(game, id)];
  if (resultOf(game, id) === 'W') return 2;
  return isOvertimeLoss(game, id) ? 1 : 0;
}

export const total = (games: readonly Game[], of: (game: Game) => number): number =>
  games.reduce((all, game) => all + of(game), 0);

/**
 * The season strength of these games: "ppg, win_pct, points_pct". Soccer: points a game. NHL: of two points a game.
 * Others: "a tie half a win".
 */
export function strengthOf(games: readonly Game[], id: number): Fraction | undefined {
  const count = exactly(games.length);
  const sport = games[0]?.sport;
  if (sport === 'soccer') return ratio(exactly(total(games, (game) => pointsOf(game, id))), count);
  if (sport === 'nhl') return ratio(exactly(total(games, (game) => pointsOf(game, id))), exactly(2 * games.length));
  return ratio(exactly(countOf(games, id, 'W') + countOf(games, id, 'T') / 2), count);
}
