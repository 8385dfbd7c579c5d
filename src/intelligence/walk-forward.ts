import type { FinishedGame, Fixture, Forecast, Model, ModelMemory } from './models/model.ts';

/** A game of the past, and the moment at which its result was known, in milliseconds. */
export interface GameKnownAt extends FinishedGame {
  readonly knownAt: number;
}

export interface WalkForwardForecast<G extends GameKnownAt = GameKnownAt> {
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
export function* walkForward<G extends GameKnownAt>(
  games: readonly G[],
  modelOf: (league: string) => Model<any, any>,
  asksScope = false,
): Generator<WalkForwardForecast<G>> {
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

/** Sides that a league remembers. More than any league has in a generation; a side is a few hundred bytes. */
const MOST_SIDES = 8000;

/**
 * The memory of one league under one model, kept between games. The only thing here that changes. Beyond the bound it
 * forgets the side that has not played for longest.
 */
export class LeagueMemory<League, Side> {
  readonly #model: Model<League, Side>;
  #league: League;
  readonly #sides = new Map<string, Side>();

  constructor(model: Model<League, Side>, kept?: StoredLeagueMemory<League, Side>) {
    this.#model = model;
    this.#league = kept?.league ?? model.newLeague;
    for (const [id, side] of kept?.sides ?? []) this.#sides.set(id, side);
  }

  forecast(fixture: Fixture): Forecast {
    return this.#model.forecast(this.#memoryOf(this.#model.sidesOf(fixture)), fixture);
  }

  scope(fixture: Fixture): Forecast | null {
    return this.#model.scope(this.#memoryOf(this.#model.sidesOf(fixture)), fixture);
  }

  learn(game: FinishedGame): void {
    const ids = this.#model.sidesOf(game);
    const { league, sides } = this.#model.learn(this.#memoryOf(ids), game);
    this.#league = league;
    for (const [i, id] of ids.entries()) {
      if (id === null) continue;
      this.#sides.delete(id);
      this.#sides.set(id, sides[i]!);
    }
    for (const id of this.#sides.keys()) {
      if (this.#sides.size <= MOST_SIDES) break;
      this.#sides.delete(id);
    }
  }

  /** Plain JSON; the constructor takes it back. */
  toJSON(): StoredLeagueMemory<League, Side> {
    return { league: this.#league, sides: [...this.#sides] };
  }

  #memoryOf(ids: readonly (string | null)[]): ModelMemory<League, Side> {
    const sides = ids.map((id) => (id === null ? undefined : this.#sides.get(id)) ?? this.#model.newSide);
    return { league: this.#league, sides };
  }
}

interface StoredLeagueMemory<League, Side> {
  readonly league: League;
  /** By id, the one that has not played for longest first. */
  readonly sides: readonly (readonly [string, Side])[];
}
