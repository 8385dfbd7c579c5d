import type { WholeNumbers } from './whole-numbers.ts';

/** A game as it is known before its start. Nothing here is a price. */
export interface Fixture {
  readonly league: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly home: string;
  readonly away: string;
  /** Nobody is at home. */
  readonly isNeutral: boolean;
  /** Tennis: null where it is not known. */
  readonly surface: string | null;
  /** Tennis: sets at most. */
  readonly bestOf: number | null;
  /** Tennis: places in the official ranking, 1 the best. */
  readonly ranks: Pair<number | null>;
  /** Baseball: who is announced to pitch first; American football: the quarterback. */
  readonly starters: Pair<string | null>;
}

export interface Pair<T> {
  readonly home: T;
  readonly away: T;
}

/** A fixture with what came of it. Walkovers and games that were not finished are none. */
export interface Game extends Fixture {
  /**
   * What the market counts: soccer the goals of 90 minutes, elsewhere overtime and shootout included. Tennis: games
   * won.
   */
  readonly score: Pair<number>;
  /** Who won; of soccer the score says it. Null for a tie. */
  readonly winner: 'home' | 'away' | null;
  /** Baseball: runs in the first five innings; soccer: chances (`chancesOf`). Null where it is not known. */
  readonly detail: Pair<number> | null;
  /** The same in the part of the game that has lines of its own (`scopeOf`); null where it is not known. */
  readonly scope: Pair<number> | null;
}

/** Probabilities of a game before its start; those of home, draw and away sum to 1. */
export interface Forecast {
  readonly home: number;
  /** Null in a sport whose moneyline has no draw: then home and away are given that there is no tie. */
  readonly draw: number | null;
  readonly away: number;
  /** Home's score minus away's, and their sum, in the units of `Game.score`. */
  readonly margin: WholeNumbers;
  readonly total: WholeNumbers;
}

/** Games of a league of which the part is known, before it is forecast. */
export const FEWEST_OF_SCOPE = 100;

/**
 * A rating model as a pure fold. What it remembers of a league is one plain object of fixed size, and one for each
 * side (team, player, starting pitcher); a game reads and changes the league's and those of its own sides, so that
 * learning costs the same however many there are.
 */
export interface Model<League, Side> {
  /** `nfl-1.0`. Moves whenever a formula or a constant does. */
  readonly version: string;
  readonly newLeague: League;
  readonly newSide: Side;
  /** The sides that a fixture is about, home's first; always as many, null where one is not known. */
  sidesOf(fixture: Fixture): readonly (string | null)[];
  forecast(memory: Memory<League, Side>, fixture: Fixture): Forecast;
  /**
   * Of the part of the game that has lines of its own: the first half, five innings, the first set. Null in a sport
   * without one, and while fewer than `FEWEST_OF_SCOPE` are learnt.
   */
  scope(memory: Memory<League, Side>, fixture: Fixture): Forecast | null;
  learn(memory: Memory<League, Side>, game: Game): Memory<League, Side>;
  /** Games that are learnt of a side. */
  played(side: Side): number;
  /** The numbers that go into a forecast, for who wants to know what each of them does to it. */
  inputs(memory: Memory<League, Side>, fixture: Fixture): readonly ModelInput<League, Side>[];
}

/** A number that goes into a forecast, and what the forecast would be made of without it. */
export interface ModelInput<League = any, Side = any> {
  /** `home_rating`. */
  readonly id: string;
  readonly value: number;
  readonly memory: Memory<League, Side>;
  readonly fixture: Fixture;
}

/** What is remembered for one game: plain JSON. `sides` stand as `sidesOf` names them, `newSide` for one never seen. */
export interface Memory<League, Side> {
  readonly league: League;
  readonly sides: readonly Side[];
}
