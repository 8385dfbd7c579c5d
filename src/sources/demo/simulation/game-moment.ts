import type { EventStatus, ResultType } from '../../../domain/catalogue/catalogue.ts';
import type { Chances } from './chances.ts';

/** One side in a score message. */
export interface SideScore {
  readonly score?: string;
  readonly game_score?: string;
  readonly period_scores?: readonly { readonly period: string; readonly score: number; readonly tiebreak?: number }[];
  readonly is_winner?: boolean;
}

/** The content of a score message, without event and time. */
export interface ScoreFacts {
  readonly status: EventStatus;
  readonly period?: string;
  readonly clock?: string;
  readonly result_type?: ResultType;
  /** Home or player_1 first. */
  readonly sides?: readonly [SideScore, SideScore];
}

/** A moment of a game. */
export interface Moment {
  /** Simulated seconds after the start of play. */
  readonly second: number;
  /** Absent if only time has passed, for the bookmakers. */
  readonly score?: ScoreFacts;
  /** The possible results from here; null if there is nothing to bet on. */
  readonly chances: (() => Chances) | null;
  /** Something that every bookmaker follows at once: a goal, a touchdown, a break of serve. */
  readonly isKeyEvent?: boolean;
}

/** A whole simulated game. */
export interface Game {
  /**
   * The expectation before the start.
   * @param shift a bookmaker's opinion of the first side minus its true strength, in units of strength
   */
  readonly before: (shift: number) => Chances;
  /** In order; the first has the status inprogress, the last one is final. */
  readonly moments: readonly Moment[];
}
