import type { KnownSince } from '../known-since.ts';
import type { Game, Side } from './game.ts';

/** A game as tables keep it: they hold thousands, and are read as a whole. */
export interface GameRow extends KnownSince {
  readonly game: readonly [
    seasonId: number,
    startsAt: number,
    endedAt: number,
    first: number,
    second: number,
    scores: readonly [number, number] | null,
    winner: Side | null,
    beyond: Game['beyond'],
    neutral: 0 | 1,
    games?: readonly [number, number] | null,
    surface?: string | null,
  ];
  /** False: it counted once, and does no more. */
  readonly counts: boolean;
}

export function packGame(game: Game): GameRow['game'] {
  const { seasonId, startsAt, endedAt, sides, scores, winner, beyond, neutral, games, surface } = game;
  const row = [seasonId, startsAt, endedAt, ...sides, scores, winner, beyond, neutral ? 1 : 0] as const;
  return games === null && surface === null ? row : [...row, games, surface];
}

export function unpackGame(eventId: number, row: GameRow['game']): Game {
  const [seasonId, startsAt, endedAt, first, second, scores, winner, beyond, neutral, games = null, surface = null] =
    row;
  const sides = [first, second] as const;
  return {
    eventId,
    seasonId,
    startsAt,
    endedAt,
    sides,
    scores,
    winner,
    beyond,
    neutral: neutral === 1,
    games,
    surface,
  };
}
