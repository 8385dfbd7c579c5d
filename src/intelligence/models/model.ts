import type { DiscreteDistribution } from './discrete-distribution.ts';

/** A game as it is known before its start. It holds no prices. */
export interface Fixture {
  readonly league: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly home: string;
  readonly away: string;
  /** Whether no side plays at home. */
  readonly isNeutral: boolean;
  /** Tennis only; null if unknown. */
  readonly surface: string | null;
  /** Tennis only: the maximum number of sets. */
  readonly bestOf: number | null;
  /** Tennis only: ranks in the official ranking; 1 is the best. */
  readonly ranks: HomeAway<number | null>;
  /** Baseball: the announced starting pitchers; American football: the quarterbacks. */
  readonly starters: HomeAway<string | null>;
}

export interface HomeAway<T> {
  readonly home: T;
  readonly away: T;
}

/** A fixture with its result. Walkovers and unfinished games are not finished games. */
export interface FinishedGame extends Fixture {
  /**
   * The score that the market counts. Soccer: the goals of 90 minutes; other sports: including overtime and shootout;
   * tennis: games won.
   */
  readonly score: HomeAway<number>;
  /** The winner; for soccer by the score. Null for a tie. */
  readonly winner: 'home' | 'away' | null;
  /** Baseball: runs in the first five innings; soccer: chances (`countChances`). Null if unknown. */
  readonly detail: HomeAway<number> | null;
  /** The score in the part of the game that has lines of its own (`scopeOf`); null if unknown. */
  readonly scope: HomeAway<number> | null;
}

/** Probabilities of the moneyline. They sum to 1. */
export interface WinnerForecast {
  readonly home: number;
  /**
   * Null in a sport whose moneyline has no draw; then home and away are the probabilities given that there is no tie.
   */
  readonly draw: number | null;
  readonly away: number;
}

/** The forecast of a sport without draws. */
export const twoWay = (home: number): WinnerForecast => ({ home, draw: null, away: 1 - home });

/** Probabilities of a game before its start. */
export interface Forecast extends WinnerForecast {
  /** Home's score minus away's, and their sum, in the units of `FinishedGame.score`. */
  readonly margin: DiscreteDistribution;
  readonly total: DiscreteDistribution;
}

/** How many games of a league with a known part score are needed before the part is forecast. */
export const MIN_SCOPE_GAMES = 100;

/**
 * A rating model as a pure fold. It remembers one plain object of fixed size for the league, and one for each side
 * (team, player, starting pitcher). A game reads and changes only the objects of the league and of its own sides. So
 * learning a game costs the same however many sides there are.
 */
export interface Model<League, Side> {
  /** For example `nfl-1.0`. Changes whenever a formula or a constant changes. */
  readonly version: string;
  readonly newLeague: League;
  readonly newSide: Side;
  /** The sides of a fixture, home's first. The length is always the same; null for an unknown side. */
  sidesOf(fixture: Fixture): readonly (string | null)[];
  /** The moneyline of `forecast` alone, which costs less. */
  winner(memory: ModelMemory<League, Side>, fixture: Fixture): WinnerForecast;
  forecast(memory: ModelMemory<League, Side>, fixture: Fixture): Forecast;
  /**
   * The forecast of the part of the game that has lines of its own: the first half, five innings, the first set. Null
   * in a sport without one, and while fewer than `MIN_SCOPE_GAMES` are learned.
   */
  scope(memory: ModelMemory<League, Side>, fixture: Fixture): Forecast | null;
  learn(memory: ModelMemory<League, Side>, game: FinishedGame): ModelMemory<League, Side>;
  /** The number of games that were learned for a side. */
  gamesPlayed(side: Side): number;
  /** The numbers that go into a forecast, to explain the effect of each of them. */
  inputs(memory: ModelMemory<League, Side>, fixture: Fixture): readonly ModelInput<League, Side>[];
}

/** A number that goes into a forecast, and the memory and fixture without it. */
export interface ModelInput<League = any, Side = any> {
  /** For example `home_rating`. */
  readonly id: string;
  readonly value: number;
  readonly memory: ModelMemory<League, Side>;
  readonly fixture: Fixture;
}

/**
 * What is remembered for one game, as plain JSON. `sides` are in the order of `sidesOf`; an unknown side is `newSide`.
 */
export interface ModelMemory<League, Side> {
  readonly league: League;
  readonly sides: readonly Side[];
}
