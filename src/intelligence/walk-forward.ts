import { LeagueMemory } from './models/league-memory.ts';
import type { Forecast, Game, Model } from './models/model.ts';

/** A game of the past, and the moment at which its result was known, in milliseconds. */
export interface PastGame extends Game {
  readonly knownAt: number;
}

export interface Forecasted<G extends PastGame = PastGame> {
  readonly game: G;
  readonly forecast: Forecast;
  /** Of the part of the game that has lines of its own; null too where it is not asked for. */
  readonly scope: Forecast | null;
  /** Results of the league that it rests on. */
  readonly earlier: number;
}

/**
 * Forecasts every game from those whose results were known before its start, league by league, in order of start.
 * Takes the games in any order; of equal times the one that stands first comes first.
 */
export function* walkForward<G extends PastGame>(
  games: readonly G[],
  modelOf: (league: string) => Model<any, any>,
  asksScope = false,
): Generator<Forecasted<G>> {
  const leagues = new Map<string, { memory: LeagueMemory<any, any>; earlier: number }>();
  const byStart = [...games].sort((a, b) => a.startsAt - b.startsAt);
  const byResult = [...games].sort((a, b) => a.knownAt - b.knownAt || a.startsAt - b.startsAt);
  const leagueOf = (name: string) => {
    const known = leagues.get(name) ?? { memory: new LeagueMemory(modelOf(name)), earlier: 0 };
    leagues.set(name, known);
    return known;
  };
  let next = 0;
  for (const game of byStart) {
    for (; next < byResult.length && byResult[next]!.knownAt < game.startsAt; next++) {
      const past = leagueOf(byResult[next]!.league);
      past.memory.learn(byResult[next]!);
      past.earlier += 1;
    }
    const { memory, earlier } = leagueOf(game.league);
    yield { game, forecast: memory.forecast(game), scope: asksScope ? memory.scope(game) : null, earlier };
  }
}
