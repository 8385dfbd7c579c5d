import type { FinishedGame, Fixture, Forecast, Model, ModelMemory } from './models/model.ts';

/** A past game, and the moment at which its result was known, in milliseconds. */
export interface GameKnownAt extends FinishedGame {
  readonly knownAt: number;
}

export interface WalkForwardForecast<G extends GameKnownAt = GameKnownAt> {
  readonly game: G;
  readonly forecast: Forecast;
  /** For the part of the game that has lines of its own; also null if it is not asked for. */
  readonly scope: Forecast | null;
  /** The number of earlier results of the league. */
  readonly earlier: number;
}

/**
 * Forecasts every game from the games whose results were known before its start, by league, in order of start. Takes
 * the games in any order; games of equal time keep their order.
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

/**
 * The maximum number of sides that a league remembers. No league has more within many years; a side takes a few hundred
 * bytes.
 */
const MAX_SIDES = 8000;

/**
 * The memory of one league under one model. It is the only mutable state here. Beyond the maximum it forgets the side
 * that has not played for the longest time.
 */
export class LeagueMemory<League, Side> {
  readonly #model: Model<League, Side>;
  #league: League;
  readonly #sides = new Map<string, Side>();

  constructor(model: Model<League, Side>, stored?: StoredLeagueMemory<League, Side>) {
    this.#model = model;
    this.#league = stored?.league ?? model.newLeague;
    for (const [id, side] of stored?.sides ?? []) this.#sides.set(id, side);
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
      if (this.#sides.size <= MAX_SIDES) break;
      this.#sides.delete(id);
    }
  }

  /** Plain JSON, which the constructor accepts. */
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
  /** By id; the side that has not played for the longest time comes first. */
  readonly sides: readonly (readonly [string, Side])[];
}
