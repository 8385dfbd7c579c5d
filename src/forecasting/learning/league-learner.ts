import { isDeepStrictEqual } from 'node:util';
import { ascending, bisector } from 'd3-array';
import { compareFacts, type KnownResult } from '../../intelligence/facts/event-facts.ts';
import { HISTORY_WINDOW, LeagueHistory } from '../../intelligence/facts/league-history.ts';
import type { FinishedGame, Fixture, HomeAway, Model } from '../../intelligence/models/model.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { KeptMemory, OldResults } from './kept-memory.ts';
import { MANY_RESULTS } from './learning-leagues.ts';
import type { EventResults } from './results-of-event.ts';

interface EventResult {
  readonly event: EventResults;
  readonly result: KnownResult;
}

type Ranks = (sides: HomeAway<string>, moment: number) => Fixture['ranks'];

/** A history, and the index of the league's next result for it. */
interface LearnedHistory {
  readonly history: LeagueHistory<unknown, unknown>;
  /** Whether it began with the kept memory: then it knows the old results without learning them. */
  readonly isFromKept: boolean;
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
  #results: EventResult[] = [];
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
  /** What was learned of old results before this process began; these results are not in `#results` until they are needed. */
  #kept: { readonly memory: KeptMemory; readonly old: OldResults } | undefined;
  /** Whether the old results are in `#results` too. */
  #hasOld = true;
  #readingOld: Promise<void> | undefined;
  /** Events with old results, put while these were not read. */
  #waiting: EventResults[] = [];
  /** Up to this moment results are in the memory that is stored; undefined: none is stored that is still right. */
  #storedUpTo: number | undefined;
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
    return (this.#results.length + this.#unread.results) * BYTES_OF_RESULT;
  }

  /** The number of events with a known result. */
  get knownEvents(): number {
    return this.#byEvent.size + this.#unread.events;
  }

  has(id: number): boolean {
    return this.#byEvent.has(id) || (!this.#hasOld && this.#kept!.old.has(id));
  }

  /** What is known of the results that are not read. */
  get #unread(): Unread {
    return this.#hasOld ? NOTHING_UNREAD : this.#kept!.memory;
  }

  /** Goes on from what was learned of old results. Call this before anything is put. */
  goOnFrom(memory: KeptMemory, old: OldResults): void {
    if (this.knownEvents > 0) return;
    this.#kept = { memory, old };
    this.#hasOld = false;
    this.#storedUpTo = memory.upTo;
    this.#since = Math.max(this.#since, memory.since);
    this.relearnFrom(memory.upTo);
  }

  /** Whether old results are not in memory. */
  get lacksOld(): boolean {
    return !this.#hasOld;
  }

  /** Reads the old results into memory. */
  async readOld(pause: () => Promise<void> = yieldToEventLoop): Promise<void> {
    if (this.#hasOld) return;
    this.#readingOld ??= this.#readOld(pause).finally(() => {
      this.#readingOld = undefined;
    });
    await this.#readingOld;
  }

  async #readOld(pause: () => Promise<void>): Promise<void> {
    const entries: EventResult[] = [];
    const events: EventResults[] = [];
    for await (const event of this.#kept!.old.read()) {
      const known = { ...event, results: event.results.filter(({ at }) => at >= this.#since) };
      for (const result of known.results) entries.push({ event: known, result });
      events.push(known);
      await pause();
    }
    entries.sort(compareResults);
    for (const event of events) this.#byEvent.set(event.id, event);
    this.#results = entries.concat(this.#results);
    this.#hasOld = true;
    for (const event of this.#waiting.splice(0)) this.put(event);
  }

  /** When the first of the results became known: milliseconds; undefined if there is none. */
  get oldest(): number | undefined {
    return this.#unread.oldest ?? this.#results[0]?.result.at;
  }

  /** Replaces what is known of an event. Call `learn` afterwards. */
  put(event: EventResults): void {
    const { id, name, closesAt } = event;
    const { results } = event;
    const isWhole = (results[0]?.at ?? this.#since) >= this.#since;
    const current = { id, name, closesAt, results: isWhole ? results : results.filter(({ at }) => at >= this.#since) };
    if (!this.#hasOld && (this.#kept!.old.has(id) || current.results.some(({ at }) => at < this.#kept!.memory.upTo))) {
      this.#waiting.push(event);
      this.relearnFrom(this.#kept!.memory.upTo);
      return;
    }
    const before = this.#byEvent.get(id);
    if (before && isSameResult(before, current)) return;
    this.#noteChange(before, current);
    for (const result of before?.results ?? []) {
      this.#results.splice(this.#indexOf({ event: before!, result }), 1);
      this.relearnFrom(result.at);
    }
    if (current.results.length === 0) this.#byEvent.delete(current.id);
    else this.#byEvent.set(current.id, current);
    for (const result of current.results) {
      const entry = { event: current, result };
      const last = this.#results.at(-1);
      // Most results come in order.
      if (!last || compareResults(last, entry) < 0) this.#results.push(entry);
      else this.#results.splice(this.#indexOf(entry), 0, entry);
      this.relearnFrom(result.at);
    }
  }

  /** A memory that has learned other results of this event is right no more. */
  #noteChange(before: EventResults | undefined, after: EventResults): void {
    const oldest = Math.min(...[before, after].flatMap((event) => event?.results.map(({ at }) => at) ?? []));
    if (this.#storedUpTo !== undefined && oldest < this.#storedUpTo) this.#storedUpTo = undefined;
    if (this.#kept && oldest < this.#kept.memory.upTo) this.#dropKept();
  }

  /** Learns everything from nothing the next time. The old results must have been read. */
  #dropKept(): void {
    this.#live = { ...this.#live, isFromKept: false, next: this.#nextOf(this.#live) };
    this.#kept = undefined;
    this.relearnFrom(Number.NEGATIVE_INFINITY);
  }

  /** Forgets an event, as if it had no result. Call `learn` afterwards. */
  remove(id: number): void {
    const known = this.#byEvent.get(id);
    if (known) this.put({ ...known, results: [] });
    else if (this.has(id)) this.put({ id, name: '', closesAt: 0, results: [] });
  }

  /**
   * Drops all results from before a moment. The rest is learned as if there had been no others. Old results must have
   * been read.
   */
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
    this.#storedUpTo = undefined;
    this.#dropKept();
    this.#live.next = Math.max(0, this.#live.next - dropped.length);
  }

  /** Notes that what was known at this moment has changed. */
  relearnFrom(moment: number): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom, moment);
    if (this.#storedUpTo !== undefined && moment < this.#storedUpTo) this.#storedUpTo = undefined;
  }

  /** Up to which moment results are in the stored memory: milliseconds; undefined: none is stored that is right. */
  get storedUpTo(): number | undefined {
    return this.#storedUpTo;
  }

  /** Whether the memory that was stored last has learned results that were others since. */
  get isStoredWrong(): boolean {
    return this.#storedUpTo === undefined || this.#waiting.length > 0;
  }

  /**
   * What is remembered of all results that became known more than `HISTORY_WINDOW` before the last one, to be stored.
   * Call this when everything is learned.
   * @param least with fewer results than this that the stored memory lacks, storing it again is not worth its while
   * @returns undefined: not worth its while, or a result from before that moment was corrected after it
   */
  memoryToKeep(least: number): KeptMemory | undefined {
    const { history } = this.#live;
    const newest = this.#results.at(-1)?.result.at;
    if (newest === undefined || this.isBehind || this.#waiting.length > 0) return undefined;
    const upTo = newest - HISTORY_WINDOW;
    const count = this.#firstFrom(upTo);
    if (count - this.#firstFrom(this.#storedUpTo ?? Number.NEGATIVE_INFINITY) < least) return undefined;
    const memory = this.#unread;
    let [events, recordedTo] = [memory.events, this.#hasOld ? Number.NEGATIVE_INFINITY : this.#kept!.memory.recordedTo];
    for (let i = 0; i < count; i++) recordedTo = Math.max(recordedTo, this.#results[i]!.result.recordedAt);
    for (const { results } of this.#byEvent.values()) {
      if (results[0]!.at >= upTo) continue;
      if (results.at(-1)!.at >= upTo) return undefined;
      events++;
    }
    const start = history.startAt(upTo);
    const oldest = this.oldest!;
    return start
      ? { upTo, since: this.#since, start, results: memory.results + count, events, oldest, recordedTo }
      : undefined;
  }

  /** Notes that a memory is stored. @param upTo undefined: none is */
  noteStored(upTo: number | undefined): void {
    this.#storedUpTo = upTo;
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
    if (this.#waiting.length > 0 || (this.#kept && this.#dirtyFrom < this.#kept.memory.upTo)) {
      await this.readOld(pause);
      if (this.#kept && this.#dirtyFrom < this.#kept.memory.upTo) this.#dropKept();
    }
    const from = this.#dirtyFrom;
    if (from === Number.POSITIVE_INFINITY) return;
    this.#dirtyFrom = Number.POSITIVE_INFINITY;
    this.#past = undefined;
    this.#version += 1;
    const index = this.#firstFrom(from);
    const { history } = this.#live;
    const next = this.#nextOf(this.#live);
    // The first results are learned aside too: then the history keeps nothing that only older reads would need.
    const isAhead = this.#live.next > 0 && index >= next && history.countPutsFrom(from) === 0;
    const isRewound =
      !isAhead && this.#live.next > 0 && history.countPutsFrom(from) <= MAX_REWOUND && history.rewind(from);
    if (isRewound) this.#live.next += index - next;
    else if (!isAhead) {
      const newest = this.#results.at(-1)?.result.at ?? Number.NEGATIVE_INFINITY;
      const relearned = this.#begin(newest - HISTORY_WINDOW);
      await this.#walk(relearned, Number.POSITIVE_INFINITY, pause);
      this.#live = relearned;
    }
    // Without a pause: no reader may see a history that is only partly rewound, or some of these results alone.
    for (let left = isRewound ? MAX_REWOUND : MANY_RESULTS; left > 0 && this.#step(this.#live); left--);
    if (this.#nextOf(this.#live) < this.#results.length) onPartly();
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
    let isAllKnown = this.#hasOld || this.#kept!.memory.recordedTo < recordedBefore;
    if (recordedBefore < Number.POSITIVE_INFINITY) {
      for (let i = 0; i < end && isAllKnown; i++) isAllKnown = isKnown(this.#results[i]!);
    }
    if (!isAllKnown) {
      if (this.#hasOld) return this.#historyOf(isKnown, moment);
      await this.readOld();
      return this.historyAt(moment, recordedBefore);
    }
    const newest = this.#results[this.#nextOf(this.#live) - 1]?.result.at ?? Number.NEGATIVE_INFINITY;
    if (moment >= newest - HISTORY_WINDOW) return this.#live.history;
    if (!this.#hasOld) {
      await this.readOld();
      return this.historyAt(moment, recordedBefore);
    }
    const past = this.#past;
    if (past && moment <= past.to && moment >= past.to - HISTORY_WINDOW) return past.walk.history;
    const version = this.#version;
    const walk = past !== undefined && moment > past.to ? past.walk : this.#beginWithNothing(moment - HISTORY_WINDOW);
    await this.#walk(walk, moment);
    if (version !== this.#version) return this.historyAt(moment, recordedBefore);
    this.#past = { walk, to: moment };
    return walk.history;
  }

  async #historyOf(isKnown: (entry: EventResult) => boolean, moment: number): Promise<LeagueHistory<unknown, unknown>> {
    const walk = this.#beginWithNothing();
    for (const entry of this.#results.slice(0, this.#firstFrom(moment)).filter(isKnown)) {
      for (const _ of this.#putInSteps(walk.history, entry)) await yieldToEventLoop();
      await yieldToEventLoop();
    }
    return walk.history;
  }

  #begin(keepFrom = Number.NEGATIVE_INFINITY): LearnedHistory {
    if (!this.#kept) return this.#beginWithNothing(keepFrom);
    return { history: new LeagueHistory(this.model, keepFrom, this.#kept.memory.start), isFromKept: true, next: 0 };
  }

  #beginWithNothing(keepFrom = Number.NEGATIVE_INFINITY): LearnedHistory {
    return { history: new LeagueHistory(this.model, keepFrom), isFromKept: false, next: 0 };
  }

  /** The index of the next result for a history. */
  #nextOf({ next, isFromKept }: LearnedHistory): number {
    return isFromKept && this.#hasOld ? this.#kept!.memory.results + next : next;
  }

  async #walk(walk: LearnedHistory, moment: number, pause = yieldToEventLoop): Promise<void> {
    for (;;) {
      const entry = this.#results[this.#nextOf(walk)];
      if (!entry || entry.result.at >= moment) return;
      for (const _ of this.#putInSteps(walk.history, entry)) await pause();
      walk.next += 1;
      await pause();
    }
  }

  /** @returns whether there was a result to learn */
  #step(walk: LearnedHistory): boolean {
    const entry = this.#results[this.#nextOf(walk)];
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

interface Unread extends Pick<KeptMemory, 'results' | 'events'> {
  readonly oldest: number | undefined;
}

const NOTHING_UNREAD: Unread = { results: 0, events: 0, oldest: undefined };

const isSameResult = (one: EventResults, other: EventResults): boolean =>
  one.name === other.name && one.closesAt === other.closesAt && isDeepStrictEqual(one.results, other.results);

/** By time, then by facts. Not by id: ids follow the order of arrival, on which no result may depend. */
const compareResults = (a: EventResult, b: EventResult): number =>
  a.result.at - b.result.at || compareFacts(a.result.fact, b.result.fact) || ascending(a.event.name, b.event.name);

const inOrder = bisector(compareResults);
const byTime = bisector(({ result }: EventResult) => result.at);
