import type { Fixture, Forecast, Game, Memory, Model } from './model.ts';

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

  constructor(model: Model<League, Side>, kept?: KeptLeague<League, Side>) {
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

  learn(game: Game): void {
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
  toJSON(): KeptLeague<League, Side> {
    return { league: this.#league, sides: [...this.#sides] };
  }

  #memoryOf(ids: readonly (string | null)[]): Memory<League, Side> {
    const sides = ids.map((id) => (id === null ? undefined : this.#sides.get(id)) ?? this.#model.newSide);
    return { league: this.#league, sides };
  }
}

export interface KeptLeague<League, Side> {
  readonly league: League;
  /** By id, the one that has not played for longest first. */
  readonly sides: readonly (readonly [string, Side])[];
}
