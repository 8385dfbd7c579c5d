import { DAY } from '../../domain/primitives/time.ts';
import type { FinishedGame, Fixture, Forecast, Model, ModelMemory } from '../models/model.ts';
import { Timeline } from './value-timeline.ts';

/** How far back forecasts can be asked for, in milliseconds: more than a season with its break. */
export const HISTORY_WINDOW = 400 * DAY;

interface Entry<League, Side> {
  /** Null if the result was withdrawn. */
  game: FinishedGame | null;
  /** The memory before the game was learned; null if that is too long ago. */
  before: ModelMemory<League, Side> | null;
}

/** A value, and the moment from which it was remembered: milliseconds. */
interface Remembered<T> {
  readonly at: number;
  readonly value: T;
}

/** What a league's model remembered just before a moment: a history that begins with it need not learn what was before. */
export interface HistoryStart<League, Side> {
  readonly league: Remembered<League>;
  /** How many results were known. */
  readonly count: number;
  readonly sides: readonly (readonly [id: string, side: Remembered<Side>])[];
}

/** One call of `put`, so that it can be undone. */
interface Put {
  readonly at: number;
  readonly name: string;
  /** The former result of the game; undefined if there was none. */
  readonly before: FinishedGame | null | undefined;
}

/**
 * What one league's model remembered at any moment. Results are put in the order in which they became known. A
 * corrected result is learned again at its old index, with all results after it. The memory is then the same as if the
 * result had been right from the start.
 */
export class LeagueHistory<League, Side> {
  readonly #model: Model<League, Side>;
  readonly #entries: Entry<League, Side>[] = [];
  readonly #indexes = new Map<string, number>();
  #league: League;
  #sides = new Map<string, Side>();
  readonly #leagues = new Timeline<League>();
  readonly #timelines = new Map<string, Timeline<Side>>();
  readonly #counts = new Timeline<number>();
  /** How many of the first entries have dropped their `before`. */
  #forgotten = 0;
  readonly #knownAt: number[] = [];
  #count = 0;
  /** In order of time, as far back as the history goes. */
  readonly #puts: Put[] = [];
  #putsForgotten = 0;
  readonly #keepFrom: number;
  /** What was remembered before this moment is forgotten: milliseconds. */
  #reach = Number.NEGATIVE_INFINITY;
  readonly #start: HistoryStart<League, Side> | null;

  /**
   * @param keepFrom the history remembers nothing from before this moment (milliseconds) but the memory that it began
   * with. A history that is to hold many old results is so learned with less work: pass a moment that is `HISTORY_WINDOW`
   * before the last of them, or earlier
   * @param start what was learned of earlier games. None of these may be put again
   */
  constructor(
    model: Model<League, Side>,
    keepFrom = Number.NEGATIVE_INFINITY,
    start: HistoryStart<League, Side> | null = null,
  ) {
    this.#model = model;
    this.#keepFrom = keepFrom;
    this.#start = start;
    this.#league = model.newLeague;
    if (!start) return;
    this.#returnToStart();
    this.#leagues.put(start.league.at, start.league.value);
    this.#count = start.count;
    this.#counts.put(start.league.at, start.count);
    for (const [id, { at, value }] of start.sides) {
      const timeline = new Timeline<Side>();
      timeline.put(at, value);
      this.#timelines.set(id, timeline);
    }
    this.#putsForgotten = 1;
    this.#reach = start.league.at + 1;
  }

  /**
   * What was remembered just before a moment, at most `HISTORY_WINDOW` before the last put. A correction of an earlier
   * game at this moment or later is not in it. Null if nothing was, or if it is forgotten.
   */
  startAt(moment: number): HistoryStart<League, Side> | null {
    if (moment < this.#reach) return null;
    const league = this.#leagues.entryBefore(moment);
    if (!league) return null;
    const sides = [...this.#timelines].flatMap(([id, timeline]) => {
      const side = timeline.entryBefore(moment);
      return side ? [[id, side] as const] : [];
    });
    return { league, count: this.#counts.before(moment) ?? 0, sides };
  }

  /**
   * Puts what is known of a game from a moment on.
   * @param at milliseconds, not before the last call
   * @param name identifies the game
   */
  put(at: number, name: string, game: FinishedGame | null): void {
    for (const _ of this.putInSteps(at, name, game));
  }

  /**
   * `put` in steps: the correction of an old result takes as long as learning all results after it. The result shows
   * only when all steps are done. Until then nothing else may be put or rewound.
   */
  *putInSteps(at: number, name: string, game: FinishedGame | null): Generator<void, void> {
    const index = this.#indexes.get(name);
    if (index === undefined && game === null) return;
    this.#count += Number(game !== null) - Number(index !== undefined && this.#entries[index]!.game !== null);
    if (at < this.#keepFrom) this.#counts.forgetFrom(Number.NEGATIVE_INFINITY);
    this.#counts.put(at, this.#count);
    const touched = new Set<string>();
    this.#puts.push({ at, name, before: index === undefined ? undefined : this.#entries[index]!.game });
    if (index === undefined) {
      this.#indexes.set(name, this.#entries.length);
      this.#entries.push({ game, before: null });
      this.#knownAt.push(at);
      this.#learn(this.#entries.length - 1, touched);
    } else yield* this.#correct(index, game, touched);
    this.#noteMemory(at, touched);
    this.#reach = Math.max(this.#reach, at < this.#keepFrom ? at + 1 : at - HISTORY_WINDOW);
    this.#forget(at < this.#keepFrom ? Number.POSITIVE_INFINITY : at - HISTORY_WINDOW);
  }

  /**
   * Undoes all puts of a moment or later, so that results can be put again in another order. Takes as long as learning
   * them did.
   * @returns false, with nothing changed, if the history does not reach back to the moment
   */
  rewind(moment: number): boolean {
    if (this.#putsForgotten > 0 && (this.#puts[0]?.at ?? Number.POSITIVE_INFINITY) >= moment) return false;
    const touched = new Set<string>();
    while (this.#puts.length > 0 && this.#puts.at(-1)!.at >= moment) {
      const { name, before } = this.#puts.pop()!;
      const index = this.#indexes.get(name)!;
      if (before === undefined) {
        this.#unlearn(index, touched);
        this.#entries.pop();
        this.#knownAt.pop();
        this.#indexes.delete(name);
      } else for (const _ of this.#correct(index, before, touched));
    }
    this.#leagues.forgetFrom(moment);
    this.#counts.forgetFrom(moment);
    for (const timeline of this.#timelines.values()) timeline.forgetFrom(moment);
    this.#count = this.#counts.last ?? 0;
    return true;
  }

  /** The number of puts that a rewind would undo. */
  countPutsFrom(moment: number): number {
    let from = this.#puts.length;
    while (from > 0 && this.#puts[from - 1]!.at >= moment) from--;
    return this.#puts.length - from;
  }

  /**
   * The moments in [from, before) at which the inputs of this fixture's forecast changed, at most `HISTORY_WINDOW`
   * before the last put.
   */
  momentsOf(fixture: Fixture, from: number, before: number): number[] {
    const since = Math.max(from, (this.#counts.lastAt ?? from) - HISTORY_WINDOW);
    return this.#model
      .sidesOf(fixture)
      .flatMap((id) => (id === null ? [] : (this.#timelines.get(id)?.moments(since, before) ?? [])));
  }

  /** The model's memory for a fixture just before a moment. */
  memoryAt(moment: number, fixture: Fixture): ModelMemory<League, Side> {
    const { newLeague, newSide } = this.#model;
    const sides = this.#model
      .sidesOf(fixture)
      .map((id) => (id === null ? undefined : this.#timelines.get(id)?.before(moment)) ?? newSide);
    return { league: this.#leagues.before(moment) ?? newLeague, sides };
  }

  /** The number of results that were known before a moment (milliseconds). */
  countResultsBefore(moment: number): number {
    return this.#counts.before(moment) ?? 0;
  }

  /** When this number of results was first known, as far back as the history goes: milliseconds. */
  resultAt(count: number): number | undefined {
    return this.#counts.firstAt((known) => known >= count);
  }

  /** The forecast from all results that were known before a moment, at most `HISTORY_WINDOW` before the last put. */
  forecastAt(moment: number, fixture: Fixture): Forecast {
    return this.#model.forecast(this.memoryAt(moment, fixture), fixture);
  }

  /** The same for the part of the game that has lines of its own; null if the model does not forecast it. */
  scopeAt(moment: number, fixture: Fixture): Forecast | null {
    return this.#model.scope(this.memoryAt(moment, fixture), fixture);
  }

  #learn(index: number, touched: Set<string>): void {
    const entry = this.#entries[index]!;
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

  *#correct(index: number, game: FinishedGame | null, touched: Set<string>): Generator<void, void> {
    let from = index;
    if (index < this.#forgotten) from = this.#restart(touched);
    else for (let last = this.#entries.length - 1; last >= index; last--) this.#unlearn(last, touched);
    this.#entries[index]!.game = game;
    for (; from < this.#entries.length; from++) {
      this.#learn(from, touched);
      yield;
    }
  }

  #unlearn(index: number, touched: Set<string>): void {
    const { game, before } = this.#entries[index]!;
    if (game === null || before === null) return;
    this.#league = before.league;
    for (const [i, id] of this.#model.sidesOf(game).entries()) {
      if (id === null) continue;
      this.#sides.set(id, before.sides[i]!);
      touched.add(id);
    }
    this.#entries[index]!.before = null;
  }

  /** @returns the index from which all games must be learned */
  #restart(touched: Set<string>): number {
    for (const id of this.#sides.keys()) touched.add(id);
    this.#returnToStart();
    this.#forgotten = 0;
    return 0;
  }

  #returnToStart(): void {
    this.#league = this.#start?.league.value ?? this.#model.newLeague;
    this.#sides = new Map(this.#start?.sides.map(([id, { value }]) => [id, value]));
  }

  #noteMemory(at: number, touched: ReadonlySet<string>): void {
    const isKept = at >= this.#keepFrom;
    if (!isKept) this.#leagues.forgetFrom(Number.NEGATIVE_INFINITY);
    this.#leagues.put(at, this.#league);
    for (const id of touched) {
      const timeline = this.#timelines.get(id) ?? new Timeline<Side>();
      this.#timelines.set(id, timeline);
      if (!isKept) timeline.forgetFrom(Number.NEGATIVE_INFINITY);
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
    if (past === 0) return;
    this.#puts.splice(0, past);
    this.#putsForgotten += past;
  }
}
