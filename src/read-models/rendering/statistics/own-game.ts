import type { Game, Side } from '../../../domain/statistics/game.ts';

/** A game as one of its sides sees it. */
export interface OwnGame {
  readonly game: Game;
  readonly side: Side;
  readonly opponent: number;
  /** What it has scored, and what the other has; null where that is not stated. */
  readonly scored: number | null;
  readonly conceded: number | null;
}

export function ownGame(game: Game, id: number): OwnGame {
  const side: Side = game.sides[0] === id ? 0 : 1;
  const other = side === 0 ? 1 : 0;
  return {
    ...{ game, side, opponent: game.sides[other] },
    scored: game.scores?.[side] ?? null,
    conceded: game.scores?.[other] ?? null,
  };
}
