import type { FinishedGame, Fixture, Forecast, Model, ModelMemory } from '../models/model.ts';
import { Timeline } from './value-timeline.ts';

/** Milliseconds of the past of which forecasts can still be asked: more than a season with its break. */
export const HISTORY_WINDOW = 400 * 86_400_000;

interface Entry<League, Side> {
  /** Null: what was told of it was taken back. */
  game: FinishedGame | null;
  /** What was remembered before it was learnt; null where that lies too far back. */
  before: ModelMemory<League, Side> | null;
}

/** One `put`, for who takes it back. */
interface Put {
  readonly at: number;
  readonly name: string;
  /** What was told of the game before; undefined: nothing. */
  readonly before: FinishedGame | null | undefined;
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
  /** In order of time, as far back as it remembers. */
  readonly #puts: Put[] = [];
  #putsForgotten = 0;

  constructor(model: Model<League, Side>) {
    this.#model = model;
    this.#league = model.newLeague;
  }

  /**
   * What is known of a game from a moment on.
   * @param at milliseconds, not before that of the call before
   * @param name the same for what is said of one game
   */
  put(at: number, name: string, game: FinishedGame | null): void {
    for (const _ of this.putInSteps(at, name, game));
  }

  /**
   * The same in steps, for a result of long ago takes as long as learning all that came after it. It is only seen when all
   * steps are done; nothing else may be put, nor taken back, before.
   */
  *putInSteps(at: number, name: string, game: FinishedGame | null): Generator<void, void> {
    const place = this.#places.get(name);
    if (place === undefined && game === null) return;
    this.#count += Number(game !== null) - Number(place !== undefined && this.#entries[place]!.game !== null);
    this.#counts.put(at, this.#count);
    const touched = new Set<string>();
    this.#puts.push({ at, name, before: place === undefined ? undefined : this.#entries[place]!.game });
    if (place === undefined) {
      this.#places.set(name, this.#entries.length);
      this.#entries.push({ game, before: null });
      this.#knownAt.push(at);
      this.#learn(this.#entries.length - 1, touched);
    } else yield* this.#correct(place, game, touched);
    this.#note(at, touched);
    this.#forget(at - HISTORY_WINDOW);
  }

  /**
   * Takes back all that was put at a moment or later, so that it can be put again with what has come to be known of that
   * time. Takes as long as learning it did.
   * @returns false, with nothing done, where it does not remember that moment
   */
  rewind(moment: number): boolean {
    if (this.#putsForgotten > 0 && (this.#puts[0]?.at ?? Number.POSITIVE_INFINITY) >= moment) return false;
    const touched = new Set<string>();
    while (this.#puts.length > 0 && this.#puts.at(-1)!.at >= moment) {
      const { name, before } = this.#puts.pop()!;
      const place = this.#places.get(name)!;
      if (before === undefined) {
        this.#unlearn(place, touched);
        this.#entries.pop();
        this.#knownAt.pop();
        this.#places.delete(name);
      } else for (const _ of this.#correct(place, before, touched));
    }
    this.#leagues.forgetFrom(moment);
    this.#counts.forgetFrom(moment);
    for (const timeline of this.#timelines.values()) timeline.forgetFrom(moment);
    this.#count = this.#counts.last ?? 0;
    return true;
  }

  /** How many puts a rewind would take back. */
  countPutsFrom(moment: number): number {
    let from = this.#puts.length;
    while (from > 0 && this.#puts[from - 1]!.at >= moment) from--;
    return this.#puts.length - from;
  }

  /** The moments before one at which something became known that a forecast of this fixture rests on, from another on. */
  momentsOf(fixture: Fixture, from: number, before: number): number[] {
    return this.#model
      .sidesOf(fixture)
      .flatMap((id) => (id === null ? [] : (this.#timelines.get(id)?.moments(from, before) ?? [])));
  }

  /** What the model remembers of a fixture just before a moment. */
  memoryAt(moment: number, fixture: Fixture): ModelMemory<League, Side> {
    const { newLeague, newSide } = this.#model;
    const sides = this.#model
      .sidesOf(fixture)
      .map((id) => (id === null ? undefined : this.#timelines.get(id)?.before(moment)) ?? newSide);
    return { league: this.#leagues.before(moment) ?? newLeague, sides };
  }

  /** How many results were known before a moment (milliseconds). */
  countResultsBefore(moment: number): number {
    return this.#counts.before(moment) ?? 0;
  }

  /** When so many results were known for the first time, as far as it remembers: milliseconds. */
  resultAt(count: number): number | undefined {
    return this.#counts.firstAt((known) => known >= count);
  }

  /** The forecast from all results that were known before a moment, at most `KEPT_FOR` before the last one put. */
  forecastAt(moment: number, fixture: Fixture): Forecast {
    return this.#model.forecast(this.memoryAt(moment, fixture), fixture);
  }

  /** The same of the part of the game that has lines of its own; null where the model says nothing of it. */
  scopeAt(moment: number, fixture: Fixture): Forecast | null {
    return this.#model.scope(this.memoryAt(moment, fixture), fixture);
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

  *#correct(place: number, game: FinishedGame | null, touched: Set<string>): Generator<void, void> {
    let from = place;
    if (place < this.#forgotten) from = this.#startAnew(touched);
    else for (let last = this.#entries.length - 1; last >= place; last--) this.#unlearn(last, touched);
    this.#entries[place]!.game = game;
    for (; from < this.#entries.length; from++) {
      this.#learn(from, touched);
      yield;
    }
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
      timeline.forgetBefore(at - HISTORY_WINDOW);
    }
  }

  #forget(moment: number): void {
    this.#leagues.forgetBefore(moment);
    this.#counts.forgetBefore(moment);
    for (; this.#forgotten < this.#entries.length && this.#knownAt[this.#forgotten]! < moment; this.#forgotten++) {
      this.#entries[this.#forgotten]!.before = null;
    }
    let past = 0;
    while (past < this.#puts.length && this.#puts[past]!.at < moment) past++;
    this.#puts.splice(0, past);
    this.#putsForgotten += past;
  }
}
