import type { EventStatus, ResultType } from '../../../domain/catalogue/catalogue.ts';
import type { Chances } from './chances.ts';

/** What a score message says of one side. */
export interface SideScore {
  readonly score?: string;
  readonly game_score?: string;
  readonly period_scores?: readonly { readonly period: string; readonly score: number; readonly tiebreak?: number }[];
  readonly is_winner?: boolean;
}

/** What a score message says, beside which event and when. */
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
  /** Absent where a bookmaker only sees time go by. */
  readonly score?: ScoreFacts;
  /** How it may go on, from here; null where nothing can be bet on. */
  readonly chances: (() => Chances) | null;
  /** Something has happened that every bookmaker looks at: a goal, a touchdown, a break of serve. */
  readonly isKeyEvent?: boolean;
}

/** A whole game, as it will go. */
export interface Game {
  /**
   * What is thought of it before the start.
   * @param shift what a bookmaker thinks of the first side beyond the truth, in units of strength
   */
  readonly before: (shift: number) => Chances;
  /** In order; the first has the status inprogress, the last one is final. */
  readonly moments: readonly Moment[];
}
