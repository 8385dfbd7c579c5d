import { isDeepStrictEqual } from 'node:util';
import { ascending, bisector } from 'd3-array';
import { compareFacts, type EventFacts, type KnownResult } from '../../intelligence/facts/event-facts.ts';
import { HISTORY_WINDOW, LeagueHistory } from '../../intelligence/facts/league-history.ts';
import type { FinishedGame, Fixture, HomeAway, Model } from '../../intelligence/models/model.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { MANY_RESULTS } from './learning-leagues.ts';

/** What is learned of an event: the results that its facts hold. */
export type EventResults = Pick<EventFacts, 'id' | 'name' | 'closesAt' | 'results'>;

interface EventResult {
  readonly event: EventResults;
  readonly result: KnownResult;
}

type Ranks = (sides: HomeAway<string>, moment: number) => Fixture['ranks'];

/** A history, and the index of the league's next result for it. */
interface LearnedHistory {
  readonly history: LeagueHistory<unknown, unknown>;
  next: number;
}

/**
 * The maximum number of results that are rewound and learned again in one go. With more, everything is learned anew, in
 * small steps.
 */
const MAX_REWOUND = 200;

/** Approximate bytes of a result, including what is remembered of its sides. */
const BYTES_OF_RESULT = 1500;

/** All results of one league in the order in which they became known, and what its model has learned from them. */
export class LeagueLearner {
  readonly model: Model<unknown, unknown>;
  readonly #ranks: Ranks;
  readonly #results: EventResult[] = [];
  readonly #byEvent = new Map<number, EventResults>();
  /**
   * Everything before this moment is learned. Results that became known later for an earlier moment are still to be
   * learned.
   */
  #dirtyFrom = Number.POSITIVE_INFINITY;
  #live: LearnedHistory;
  /** Results from before this moment were dropped. */
  #since = Number.NEGATIVE_INFINITY;
  /** Increases whenever something is learned, so that a concurrent walk notices. */
  #version = 0;
  /** The history at an earlier moment, if one was requested. */
  #past: { readonly walk: LearnedHistory; readonly to: number } | undefined;

  constructor(model: Model<unknown, unknown>, ranks: Ranks) {
    this.model = model;
    this.#ranks = ranks;
    this.#live = this.#begin();
  }

  /** Differs whenever something else is learned. */
  get version(): string {
    return `${this.#version} ${this.#live.next}`;
  }

  get bytes(): number {
    return this.#results.length * BYTES_OF_RESULT;
  }

  /** The number of events with a known result. */
  get knownEvents(): number {
    return this.#byEvent.size;
  }

  has(id: number): boolean {
    return this.#byEvent.has(id);
  }

  /** When the first of the results became known: milliseconds; undefined if there is none. */
  get oldest(): number | undefined {
    return this.#results[0]?.result.at;
  }

  /** Replaces what is known of an event. Call `learn` afterwards. */
  put(event: EventResults): void {
    const { id, name, closesAt } = event;
    const current = { id, name, closesAt, results: event.results.filter(({ at }) => at >= this.#since) };
    const before = this.#byEvent.get(id);
    if (before && isSameResult(before, current)) return;
    for (const result of before?.results ?? []) {
      this.#results.splice(this.#indexOf({ event: before!, result }), 1);
      this.relearnFrom(result.at);
    }
    if (current.results.length === 0) this.#byEvent.delete(current.id);
    else this.#byEvent.set(current.id, current);
    for (const result of current.results) {
      const entry = { event: current, result };
      this.#results.splice(this.#indexOf(entry), 0, entry);
      this.relearnFrom(result.at);
    }
  }

  /** Forgets an event, as if it had no result. Call `learn` afterwards. */
  remove(id: number): void {
    const known = this.#byEvent.get(id);
    if (known) this.put({ ...known, results: [] });
  }

  /** Drops all results from before a moment. The rest is learned as if there had been no others. */
  forgetBefore(moment: number): void {
    if (moment <= this.#since) return;
    this.#since = moment;
    const dropped = this.#results.splice(0, this.#firstFrom(moment));
    if (dropped.length === 0) return;
    for (const { event } of dropped) {
      const results = event.results.filter(({ at }) => at >= moment);
      if (results.length === 0) this.#byEvent.delete(event.id);
      else this.#byEvent.set(event.id, { ...event, results });
    }
    this.#live.next = Math.max(0, this.#live.next - dropped.length);
    this.relearnFrom(Number.NEGATIVE_INFINITY);
  }

  /** Notes that what was known at this moment has changed. */
  relearnFrom(moment: number): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom, moment);
  }

  /** Whether there are results that are not learned. */
  get isBehind(): boolean {
    return this.#dirtyFrom < Number.POSITIVE_INFINITY;
  }

  /**
   * Learns the results that were put. Nothing may be put meanwhile. If `relearnFrom` is called meanwhile, call `learn`
   * again.
   * @param pause awaited after each result that is not learned at once with others
   * @param onPartly called before readers see some of these results without the others, which lasts until this resolves
   */
  async learn(pause: () => Promise<void> = yieldToEventLoop, onPartly: () => void = () => {}): Promise<void> {
    const from = this.#dirtyFrom;
    if (from === Number.POSITIVE_INFINITY) return;
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
    this.#past = undefined;
    this.#version += 1;
    const index = this.#firstFrom(from);
    const { history, next } = this.#live;
    // The first results are learned aside too: then the history keeps nothing that only older reads would need.
    const isAhead = next > 0 && index >= next && history.countPutsFrom(from) === 0;
    const isRewound = !isAhead && next > 0 && history.countPutsFrom(from) <= MAX_REWOUND && history.rewind(from);
    if (isRewound) this.#live.next = index;
    else if (!isAhead) {
      const newest = this.#results.at(-1)?.result.at ?? Number.NEGATIVE_INFINITY;
      const relearned = this.#begin(newest - HISTORY_WINDOW);
      await this.#walk(relearned, Number.POSITIVE_INFINITY, pause);
      this.#live = relearned;
    }
    // Without a pause: no reader may see a history that is only partly rewound, or some of these results alone.
    for (let left = isRewound ? MAX_REWOUND : MANY_RESULTS; left > 0 && this.#step(this.#live); left--);
    if (this.#live.next < this.#results.length) onPartly();
    await this.#walk(this.#live, Number.POSITIVE_INFINITY, pause);
  }

  /**
   * What is remembered of the league up to a moment (milliseconds). The history also holds earlier moments, as far back
   * as `HISTORY_WINDOW`.
   * @param recordedBefore only results that the server recorded before this time: milliseconds, exclusive
   */
  async historyAt(moment: number, recordedBefore: number): Promise<LeagueHistory<unknown, unknown>> {
    const isKnown = ({ result }: EventResult) => result.recordedAt < recordedBefore;
    const end = this.#firstFrom(moment);
    if (recordedBefore < Number.POSITIVE_INFINITY) {
      for (let i = 0; i < end; i++) if (!isKnown(this.#results[i]!)) return this.#historyOf(isKnown, moment);
    }
    const newest = this.#results[this.#live.next - 1]?.result.at ?? Number.NEGATIVE_INFINITY;
    if (moment >= newest - HISTORY_WINDOW) return this.#live.history;
    const past = this.#past;
    if (past && moment <= past.to && moment >= past.to - HISTORY_WINDOW) return past.walk.history;
    const version = this.#version;
    const walk = past !== undefined && moment > past.to ? past.walk : this.#begin(moment - HISTORY_WINDOW);
    await this.#walk(walk, moment);
    if (version !== this.#version) return this.historyAt(moment, recordedBefore);
    this.#past = { walk, to: moment };
    return walk.history;
  }

  async #historyOf(isKnown: (entry: EventResult) => boolean, moment: number): Promise<LeagueHistory<unknown, unknown>> {
    const walk = this.#begin();
    for (const entry of this.#results.slice(0, this.#firstFrom(moment)).filter(isKnown)) {
      for (const _ of this.#putInSteps(walk.history, entry)) await yieldToEventLoop();
      await yieldToEventLoop();
    }
    return walk.history;
  }

  #begin(keepFrom = Number.NEGATIVE_INFINITY): LearnedHistory {
    return { history: new LeagueHistory(this.model, keepFrom), next: 0 };
  }

  async #walk(walk: LearnedHistory, moment: number, pause = yieldToEventLoop): Promise<void> {
    for (;;) {
      const entry = this.#results[walk.next];
      if (!entry || entry.result.at >= moment) return;
      for (const _ of this.#putInSteps(walk.history, entry)) await pause();
      walk.next += 1;
      await pause();
    }
  }

  /** @returns whether there was a result to learn */
  #step(walk: LearnedHistory): boolean {
    const entry = this.#results[walk.next];
    if (!entry) return false;
    for (const _ of this.#putInSteps(walk.history, entry));
    walk.next += 1;
    return true;
  }

  #putInSteps(history: LeagueHistory<unknown, unknown>, { event, result }: EventResult): Iterable<void> {
    const game: FinishedGame | null = result.game && {
      ...result.game,
      ranks: this.#ranks(result.game, event.closesAt),
    };
    return history.putInSteps(result.at, String(event.id), game);
  }

  /** The index of the first result that became known at a moment or later. */
  #firstFrom(moment: number): number {
    return byTime.left(this.#results, moment);
  }

  #indexOf(entry: EventResult): number {
    return inOrder.left(this.#results, entry);
  }
}

const isSameResult = (one: EventResults, other: EventResults): boolean =>
  one.name === other.name && one.closesAt === other.closesAt && isDeepStrictEqual(one.results, other.results);

/** By time, then by facts. Not by id: ids follow the order of arrival, on which no result may depend. */
const compareResults = (a: EventResult, b: EventResult): number =>
  a.result.at - b.result.at || compareFacts(a.result.fact, b.result.fact) || ascending(a.event.name, b.event.name);

const inOrder = bisector(compareResults);
const byTime = bisector(({ result }: EventResult) => result.at);
