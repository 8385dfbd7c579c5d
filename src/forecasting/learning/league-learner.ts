import { isDeepStrictEqual } from 'node:util';
import { ascending, bisector } from 'd3-array';
import { compareFacts, type EventFacts, type KnownResult } from '../../intelligence/facts/event-facts.ts';
import { HISTORY_WINDOW, LeagueHistory } from '../../intelligence/facts/league-history.ts';
import type { FinishedGame, Fixture, HomeAway, Model } from '../../intelligence/models/model.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

/** What is learnt of an event: what its story says of its result. */
export type EventResults = Pick<EventFacts, 'id' | 'name' | 'closesAt' | 'results'>;

interface EventResult {
  readonly of: EventResults;
  readonly known: KnownResult;
}

type Ranks = (sides: HomeAway<string>, moment: number) => Fixture['ranks'];

/** A history, and how far in the league's results it has come. */
interface LearnedHistory {
  readonly history: LeagueHistory<unknown, unknown>;
  next: number;
}

/** So many results are put back into their places at once; beyond it all is learnt anew, with breath between. */
const MAX_REWOUND = 500;

/** About what a result takes with what is remembered of its sides: bytes. */
const BYTES_OF_RESULT = 1500;

/** All results of one league in the order in which they were known, and what its model learns from them. */
export class LeagueLearner {
  readonly model: Model<unknown, unknown>;
  readonly #ranks: Ranks;
  readonly #results: EventResult[] = [];
  readonly #byEvent = new Map<number, EventResults>();
  /** What is learnt stands up to here; what became known of earlier moments has still to be learnt in its place. */
  #dirtyFrom = Number.POSITIVE_INFINITY;
  #live: LearnedHistory;
  /** Results of before this moment have left. */
  #since = Number.NEGATIVE_INFINITY;
  /** Moves whenever something is learnt, so that who has walked meanwhile knows it. */
  #version = 0;
  /** Of long ago, where somebody asked. */
  #past: { readonly walk: LearnedHistory; readonly to: number } | undefined;

  constructor(model: Model<unknown, unknown>, ranks: Ranks) {
    this.model = model;
    this.#ranks = ranks;
    this.#live = this.#begin();
  }

  get bytes(): number {
    return this.#results.length * BYTES_OF_RESULT;
  }

  /** How many results it knows. */
  get knownEvents(): number {
    return this.#byEvent.size;
  }

  has(id: number): boolean {
    return this.#byEvent.has(id);
  }

  /** When the first of its results was known: milliseconds; undefined where it knows none. */
  get oldest(): number | undefined {
    return this.#results[0]?.known.at;
  }

  /** Puts what is known of an event in the place of what was. To be learnt by `learn`. */
  put(told: EventResults): void {
    const { id, name, closesAt } = told;
    const story = { id, name, closesAt, results: told.results.filter(({ at }) => at >= this.#since) };
    const before = this.#byEvent.get(id);
    if (before && isSameResult(before, story)) return;
    for (const known of before?.results ?? []) {
      this.#results.splice(this.#placeOf({ of: before!, known }), 1);
      this.relearnFrom(known.at);
    }
    if (story.results.length === 0) this.#byEvent.delete(story.id);
    else this.#byEvent.set(story.id, story);
    for (const known of story.results) {
      const result = { of: story, known };
      this.#results.splice(this.#placeOf(result), 0, result);
      this.relearnFrom(known.at);
    }
  }

  /** Lets go of all results of before a moment, and learns from the others as if there had been no more. */
  forgetBefore(moment: number): void {
    if (moment <= this.#since) return;
    this.#since = moment;
    const gone = this.#results.splice(0, this.#firstFrom(moment));
    if (gone.length === 0) return;
    for (const { of } of gone) {
      const results = of.results.filter(({ at }) => at >= moment);
      if (results.length === 0) this.#byEvent.delete(of.id);
      else this.#byEvent.set(of.id, { ...of, results });
    }
    this.#live.next = Math.max(0, this.#live.next - gone.length);
    this.relearnFrom(Number.NEGATIVE_INFINITY);
  }

  /** Something else has become known of this moment. */
  relearnFrom(moment: number): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom, moment);
  }

  /** Whether something is known that is not learnt. */
  get isBehind(): boolean {
    return this.#dirtyFrom < Number.POSITIVE_INFINITY;
  }

  /**
   * Learns what was put. Nobody may put anything meanwhile; what is spoilt meanwhile has to be learnt again.
   * @param pause awaited after each result
   */
  async learn(pause: () => Promise<void> = yieldToEventLoop): Promise<void> {
    const from = this.#dirtyFrom;
    if (from === Number.POSITIVE_INFINITY) return;
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
    this.#past = undefined;
    this.#version += 1;
    const place = this.#firstFrom(from);
    const { history, next } = this.#live;
    const isAhead = place >= next && history.countPutsFrom(from) === 0;
    if (!isAhead && history.countPutsFrom(from) <= MAX_REWOUND && history.rewind(from)) {
      this.#live.next = place;
      // Without a breath: nobody may see what has only half been put back.
      for (let left = MAX_REWOUND; left > 0 && this.#step(this.#live, Number.POSITIVE_INFINITY); left--);
    } else if (!isAhead) {
      const anew = this.#begin();
      await this.#walk(anew, Number.POSITIVE_INFINITY, pause);
      this.#live = anew;
    }
    await this.#walk(this.#live, Number.POSITIVE_INFINITY, pause);
  }

  /**
   * What is remembered of the league up to a moment (milliseconds), and at moments as far before it as `KEPT_FOR`.
   * @param heardBefore only what the server had heard by then: milliseconds, exclusive
   */
  async historyAt(moment: number, heardBefore: number): Promise<LeagueHistory<unknown, unknown>> {
    const isHeard = ({ known }: EventResult) => known.recordedAt < heardBefore;
    const end = this.#firstFrom(moment);
    if (heardBefore < Number.POSITIVE_INFINITY) {
      for (let i = 0; i < end; i++) if (!isHeard(this.#results[i]!)) return this.#heard(isHeard, moment);
    }
    const newest = this.#results[this.#live.next - 1]?.known.at ?? Number.NEGATIVE_INFINITY;
    if (moment >= newest - HISTORY_WINDOW) return this.#live.history;
    const kept = this.#past;
    if (kept && moment <= kept.to && moment >= kept.to - HISTORY_WINDOW) return kept.walk.history;
    const version = this.#version;
    const walk = kept !== undefined && moment > kept.to ? kept.walk : this.#begin();
    await this.#walk(walk, moment);
    if (version !== this.#version) return this.historyAt(moment, heardBefore);
    this.#past = { walk, to: moment };
    return walk.history;
  }

  async #heard(isHeard: (result: EventResult) => boolean, moment: number): Promise<LeagueHistory<unknown, unknown>> {
    const walk = this.#begin();
    for (const result of this.#results.slice(0, this.#firstFrom(moment)).filter(isHeard)) {
      for (const _ of this.#putting(walk.history, result)) await yieldToEventLoop();
      await yieldToEventLoop();
    }
    return walk.history;
  }

  #begin(): LearnedHistory {
    return { history: new LeagueHistory(this.model), next: 0 };
  }

  async #walk(walk: LearnedHistory, moment: number, pause = yieldToEventLoop): Promise<void> {
    for (;;) {
      const result = this.#results[walk.next];
      if (!result || result.known.at >= moment) return;
      for (const _ of this.#putting(walk.history, result)) await pause();
      walk.next += 1;
      await pause();
    }
  }

  /** @returns whether there was something to learn before the moment */
  #step(walk: LearnedHistory, moment: number): boolean {
    const result = this.#results[walk.next];
    if (!result || result.known.at >= moment) return false;
    for (const _ of this.#putting(walk.history, result));
    walk.next += 1;
    return true;
  }

  #putting(history: LeagueHistory<unknown, unknown>, { of, known }: EventResult): Iterable<void> {
    const game: FinishedGame | null = known.game && { ...known.game, ranks: this.#ranks(known.game, of.closesAt) };
    return history.putInSteps(known.at, String(of.id), game);
  }

  /** The place of the first result that was known at a moment or later. */
  #firstFrom(moment: number): number {
    return byTime.left(this.#results, moment);
  }

  #placeOf(result: EventResult): number {
    return inOrder.left(this.#results, result);
  }
}

const isSameResult = (one: EventResults, other: EventResults): boolean =>
  one.name === other.name && one.closesAt === other.closesAt && isDeepStrictEqual(one.results, other.results);

/** In order of time, then of the facts: ids follow the order of arrival, on which nothing may depend. */
const compareResults = (a: EventResult, b: EventResult): number =>
  a.known.at - b.known.at || compareFacts(a.known.fact, b.known.fact) || ascending(a.of.name, b.of.name);

const inOrder = bisector(compareResults);
const byTime = bisector(({ known }: EventResult) => known.at);
