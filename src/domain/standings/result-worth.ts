import { playsLike } from '../catalogue/added-leagues.ts';
import { type GameRules, gameRulesOf, type PlayedIn } from '../catalogue/game-rules.ts';

/** What results are worth: points, or shares of a win. Nothing is worth more than a win in regular time. */
export interface ResultWorth {
  readonly win: number;
  readonly draw: number;
  readonly loss: number;
  /** Of a win after overtime or by a shootout. */
  readonly lateWin: number;
  /** Of a loss after overtime or by a shootout. */
  readonly lateLoss: number;
  /** Whether tables show points. */
  readonly hasPoints: boolean;
  /** Whether a draw is decided by the score alone. */
  readonly byScore: boolean;
  /** Whether a shootout counts as one goal of its winner, as it does in the tables of the NHL. */
  readonly shootoutGoal: boolean;
}

const SOCCER: ResultWorth = {
  ...{ win: 3, draw: 1, loss: 0, lateWin: 3, lateLoss: 0 },
  ...{ hasPoints: true, byScore: true, shootoutGoal: false },
};
const HOCKEY: ResultWorth = {
  ...{ win: 2, draw: 1, loss: 0, lateWin: 2, lateLoss: 1 },
  ...{ hasPoints: true, byScore: false, shootoutGoal: true },
};
const SHARES: ResultWorth = { ...HOCKEY, win: 1, draw: 0.5, lateWin: 1, lateLoss: 0, hasPoints: false };
const WORTHS: ReadonlyMap<string, ResultWorth> = new Map([
  ['soccer', SOCCER],
  ['nhl', HOCKEY],
]);

/** Of a draw, in a league that gives points in a sport that counts wins. */
const DRAW_POINT = 1;

/** What results of a league are worth. Where it has no draws, whoever wins after regular time has won. */
export const resultWorthOf = (game: PlayedIn): ResultWorth => worthWith(playsLike(game.sport), gameRulesOf(game));

/** What comes of rules before any league is installed. @param like the built-in sport that is played */
export function worthWith(like: string, { draws, points }: Pick<GameRules, 'draws' | 'points'>): ResultWorth {
  const sport = WORTHS.get(like) ?? SHARES;
  const usual = sport.byScore && !draws ? { ...sport, byScore: false } : sport;
  if (!points) return usual;
  const { win = usual.win, loss = usual.loss, overtime_win: lateWin = win } = points;
  const draw = points.draw ?? (usual.hasPoints ? usual.draw : DRAW_POINT);
  const usualLateLoss = usual.lateLoss === usual.loss ? loss : usual.lateLoss;
  return { ...usual, win, draw, loss, lateWin, lateLoss: points.overtime_loss ?? usualLateLoss, hasPoints: true };
}

/** Whether it matters in tables that a game went beyond regular time. */
export const countsLateLosses = ({ loss, lateLoss }: Pick<ResultWorth, 'loss' | 'lateLoss'>): boolean =>
  lateLoss !== loss;

/** @param beyond whether the game went beyond regular time */
export function worthOf(outcome: 'W' | 'D' | 'L', beyond: boolean, worth: ResultWorth): number {
  if (outcome === 'D') return worth.draw;
  if (outcome === 'W') return beyond ? worth.lateWin : worth.win;
  return beyond ? worth.lateLoss : worth.loss;
}
