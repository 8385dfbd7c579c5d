import type { Fixture, Forecast, Game, Memory, Model } from '../models/model.ts';
import { Timeline } from './timeline.ts';

/** Milliseconds of the past of which forecasts can still be asked: more than a season with its break. */
export const KEPT_FOR = 400 * 86_400_000;

interface Entry<League, Side> {
  /** Null: what was told of it was taken back. */
  game: Game | null;
  /** What was remembered before it was learnt; null where that lies too far back. */
  before: Memory<League, Side> | null;
}

/**
 * What one league's model remembered at any moment. Results come in the order in which they were known. One that is
 * corrected is learnt again in its old place, with all that came after it: from then on the memory is the one that it
 * would be had the result been right from the first.
 */
export class LeagueHistory<League, Side> {
  readonly #model: Model<League, Side>;
  readonly #entries: Entry<League, Side>[] = [];
  readonly #places = new Map<string, number>();
  #league: League;
  #sides = new Map<string, Side>();
  readonly #leagues = new Timeline<League>();
  readonly #timelines = new Map<string, Timeline<Side>>();
  readonly #counts = new Timeline<number>();
  /** The first entries that have forgotten what was before them. */
  #forgotten = 0;
  readonly #knownAt: number[] = [];
  #count = 0;

  constructor(model: Model<League, Side>) {
    this.#model = model;
    this.#league = model.newLeague;
  }

  /**
   * What is known of a game from a moment on.
   * @param at milliseconds, not before that of the call before
   * @param name the same for what is said of one game
   */
  put(at: number, name: string, game: Game | null): void {
    const place = this.#places.get(name);
    if (place === undefined && game === null) return;
    this.#count += Number(game !== null) - Number(place !== undefined && this.#entries[place]!.game !== null);
    this.#counts.put(at, this.#count);
    const touched = new Set<string>();
    if (place === undefined) {
      this.#places.set(name, this.#entries.length);
      this.#entries.push({ game, before: null });
      this.#knownAt.push(at);
      this.#learn(this.#entries.length - 1, touched);
    } else this.#correct(place, game, touched);
    this.#note(at, touched);
    this.#forget(at - KEPT_FOR);
  }

  /** How many results were known before a moment (milliseconds). */
  resultsBefore(moment: number): number {
    return this.#counts.before(moment) ?? 0;
  }

  /** The forecast from all results that were known before a moment, at most `KEPT_FOR` before the last one put. */
  forecastAt(moment: number, fixture: Fixture): Forecast {
    const { newLeague, newSide } = this.#model;
    const sides = this.#model
      .sidesOf(fixture)
      .map((id) => (id === null ? undefined : this.#timelines.get(id)?.before(moment)) ?? newSide);
    return this.#model.forecast({ league: this.#leagues.before(moment) ?? newLeague, sides }, fixture);
  }

  #learn(place: number, touched: Set<string>): void {
    const entry = this.#entries[place]!;
    if (entry.game === null) return;
    const ids = this.#model.sidesOf(entry.game);
    const sides = ids.map((id) => (id === null ? undefined : this.#sides.get(id)) ?? this.#model.newSide);
    entry.before = { league: this.#league, sides };
    const after = this.#model.learn(entry.before, entry.game);
    this.#league = after.league;
    for (const [i, id] of ids.entries()) {
      if (id === null) continue;
      this.#sides.set(id, after.sides[i]!);
      touched.add(id);
    }
  }

  #correct(place: number, game: Game | null, touched: Set<string>): void {
    let from = place;
    if (place < this.#forgotten) from = this.#startAnew(touched);
    else for (let last = this.#entries.length - 1; last >= place; last--) this.#unlearn(last, touched);
    this.#entries[place]!.game = game;
    for (; from < this.#entries.length; from++) this.#learn(from, touched);
  }

  #unlearn(place: number, touched: Set<string>): void {
    const { game, before } = this.#entries[place]!;
    if (game === null || before === null) return;
    this.#league = before.league;
    for (const [i, id] of this.#model.sidesOf(game).entries()) {
      if (id === null) continue;
      this.#sides.set(id, before.sides[i]!);
      touched.add(id);
    }
    this.#entries[place]!.before = null;
  }

  /** @returns the place from which all has to be learnt */
  #startAnew(touched: Set<string>): number {
    for (const id of this.#sides.keys()) touched.add(id);
    this.#league = this.#model.newLeague;
    this.#sides = new Map();
    this.#forgotten = 0;
    return 0;
  }

  #note(at: number, touched: ReadonlySet<string>): void {
    this.#leagues.put(at, this.#league);
    for (const id of touched) {
      const timeline = this.#timelines.get(id) ?? new Timeline<Side>();
      this.#timelines.set(id, timeline);
      timeline.put(at, this.#sides.get(id) ?? this.#model.newSide);
      timeline.forgetBefore(at - KEPT_FOR);
    }
  }

  #forget(moment: number): void {
    this.#leagues.forgetBefore(moment);
    this.#counts.forgetBefore(moment);
    for (; this.#forgotten < this.#entries.length && this.#knownAt[this.#forgotten]! < moment; this.#forgotten++) {
      this.#entries[this.#forgotten]!.before = null;
    }
  }
}
