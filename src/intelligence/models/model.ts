import type { DiscreteDistribution } from './discrete-distribution.ts';

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
  readonly ranks: HomeAway<number | null>;
  /** Baseball: who is announced to pitch first; American football: the quarterback. */
  readonly starters: HomeAway<string | null>;
}

export interface HomeAway<T> {
  readonly home: T;
  readonly away: T;
}

/** A fixture with what came of it. Walkovers and games that were not finished are none. */
export interface FinishedGame extends Fixture {
  /**
   * What the market counts: soccer the goals of 90 minutes, elsewhere overtime and shootout included. Tennis: games
   * won.
   */
  readonly score: HomeAway<number>;
  /** Who won; of soccer the score says it. Null for a tie. */
  readonly winner: 'home' | 'away' | null;
  /** Baseball: runs in the first five innings; soccer: chances (`chancesOf`). Null where it is not known. */
  readonly detail: HomeAway<number> | null;
  /** The same in the part of the game that has lines of its own (`scopeOf`); null where it is not known. */
  readonly scope: HomeAway<number> | null;
}

/** Probabilities of a game before its start; those of home, draw and away sum to 1. */
export interface Forecast {
  readonly home: number;
  /** Null in a sport whose moneyline has no draw: then home and away are given that there is no tie. */
  readonly draw: number | null;
  readonly away: number;
  /** Home's score minus away's, and their sum, in the units of `Game.score`. */
  readonly margin: DiscreteDistribution;
  readonly total: DiscreteDistribution;
}

/** Games of a league of which the part is known, before it is forecast. */
export const MIN_SCOPE_GAMES = 100;

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
  forecast(memory: ModelMemory<League, Side>, fixture: Fixture): Forecast;
  /**
   * Of the part of the game that has lines of its own: the first half, five innings, the first set. Null in a sport
   * without one, and while fewer than `FEWEST_OF_SCOPE` are learnt.
   */
  scope(memory: ModelMemory<League, Side>, fixture: Fixture): Forecast | null;
  learn(memory: ModelMemory<League, Side>, game: FinishedGame): ModelMemory<League, Side>;
  /** Games that are learnt of a side. */
  gamesPlayed(side: Side): number;
  /** The numbers that go into a forecast, for who wants to know what each of them does to it. */
  inputs(memory: ModelMemory<League, Side>, fixture: Fixture): readonly ModelInput<League, Side>[];
}

/** A number that goes into a forecast, and what the forecast would be made of without it. */
export interface ModelInput<League = any, Side = any> {
  /** `home_rating`. */
  readonly id: string;
  readonly value: number;
  readonly memory: ModelMemory<League, Side>;
  readonly fixture: Fixture;
}

/** What is remembered for one game: plain JSON. `sides` stand as `sidesOf` names them, `newSide` for one never seen. */
export interface ModelMemory<League, Side> {
  readonly league: League;
  readonly sides: readonly Side[];
}
