import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { KeptMemory, OldResults } from './kept-memory.ts';
import type { LeagueKey, LeagueLearners } from './league-learners.ts';
import { MEMORY_FORM, packMemory, unpackMemory } from './packed-memory.ts';
import { unpackResults } from './packed-results.ts';
import type { ResultsQuery, ResultsStore, SavedEventResults, SavedUpTo } from './results-store.ts';

/** Learning this many results takes some 50 ms. With fewer, storing what was learned is not worth its while. */
const LEAST_KEPT = 2000;
/** Ids in one read, which takes a few milliseconds. */
const IDS = 5000;
const ROWS = 200;

export interface MemorySaverParts {
  readonly store: ResultsStore;
  readonly leagues: LeagueLearners;
  /** Fewer old results of a league than this are learned again at each start; default 2,000. */
  readonly leastKept?: number | undefined;
  /** Told when the stored memory of a league cannot be used, and why. */
  readonly onLearnAnew?: ((reason: string) => void) | undefined;
}

/** The stored memory of a league, and its old results. */
export interface RestoredMemory {
  readonly league: LeagueKey;
  readonly memory: KeptMemory;
  readonly old: OldResults;
}

/** Stores what the models have learned of old results, beside the results. */
export class MemorySaver {
  readonly #parts: MemorySaverParts;
  /** The leagues whose memories are stored. */
  readonly #stored = new Set<LeagueKey>();
  /** Of what is stored now: a reader of what was stored before says nothing of it. */
  #trust = { isDamaged: false };

  constructor(parts: MemorySaverParts) {
    this.#parts = parts;
  }

  /**
   * Whether old results could not be read after the start. Then nothing is stored any more: positions beside results
   * that are not all there would be believed.
   */
  get isDamaged(): boolean {
    return this.#trust.isDamaged;
  }

  /**
   * @param pause awaited after each piece of work
   * @returns undefined if none is stored that is still right: then the league is learned from all of its results
   */
  async restore(league: LeagueKey, pause: () => Promise<void>): Promise<RestoredMemory | undefined> {
    const { store, onLearnAnew = () => {} } = this.#parts;
    const trust = this.#trust;
    const packed = await store.readMemory(league);
    if (!packed) return undefined;
    this.#stored.add(league);
    const memory = await unpackMemory(packed, (upTo) => this.#basisOf(league, upTo), pause);
    if (!memory) {
      onLearnAnew(`${league}: what was learned is damaged, or of other models, rankings or limits`);
      return undefined;
    }
    const ids = new Set<number>();
    const { since: from, upTo: before } = memory;
    for await (const page of pagesOf(IDS, { league, from, before }, (query) => store.readIds(query))) {
      for (const { id } of page) ids.add(id);
      await pause();
    }
    if (ids.size !== memory.events) {
      onLearnAnew(`${league}: ${ids.size} events are stored, and ${memory.events} were learned`);
      return undefined;
    }
    return { league, memory, old: { has: (id) => ids.has(id), read: () => this.#readOld(league, memory, trust) } };
  }

  async *#readOld(league: LeagueKey, { since: from, upTo: before, events }: KeptMemory, trust: { isDamaged: boolean }) {
    const { store } = this.#parts;
    let read = 0;
    try {
      for await (const page of pagesOf(ROWS, { league, from, before }, (query) => store.readPage(query))) {
        for (const { id, learnt } of page) {
          yield unpackResults(id, learnt!);
          read++;
        }
      }
      if (read !== events) throw new Error(`${league}: ${read} old events are stored, and ${events} were learned`);
    } catch (error) {
      if (trust !== this.#trust) throw error;
      trust.isDamaged = true;
      // The next start reads everything from the log. If this is not stored, it goes on from what was stored last.
      await store.save([], { basis: 'damaged', places: new Map() }).catch(() => {});
      throw error;
    }
  }

  /** Removes everything that is stored. Nothing is stored meanwhile, nor if that fails: a part would be taken for all. */
  async clear(): Promise<void> {
    const trust = { isDamaged: true };
    this.#trust = trust;
    await this.#parts.store.clear();
    this.#stored.clear();
    trust.isDamaged = false;
  }

  /** Removes stored memories that have learned results which are others now. Call this before such results are stored. */
  async removeWrong(): Promise<void> {
    const { store, leagues } = this.#parts;
    const wrong = [...this.#stored].filter((league) => leagues.find(league)?.isStoredWrong ?? true);
    if (wrong.length === 0) return;
    await store.save([], undefined, new Map(wrong.map((league) => [league, null])));
    for (const league of wrong) this.#stored.delete(league);
  }

  /** Stores memories that are worth their while. Call this when all results are learned and stored. */
  async save(upTo: SavedUpTo): Promise<void> {
    const { store, leagues, leastKept = LEAST_KEPT } = this.#parts;
    for (const [league, learner] of leagues.entries()) {
      if (this.isDamaged) return;
      const memory = learner.memoryToKeep(leastKept);
      if (!memory) continue;
      const before = learner.storedUpTo;
      // Before it is packed: if something older changes meanwhile, the learner notes that it is wrong.
      learner.noteStored(memory.upTo);
      const packed = await packMemory(memory, this.#basisOf(league, memory.upTo), yieldToEventLoop);
      if (learner.isStoredWrong) continue;
      if (!packed) {
        learner.noteStored(before);
        continue;
      }
      this.#stored.add(league);
      try {
        await store.save([], upTo, new Map([[league, packed]]));
      } catch (error) {
        // Whichever is stored now is removed, and then stored again.
        learner.noteStored(undefined);
        throw error;
      }
      await yieldToEventLoop();
    }
  }

  /** What a memory depends on beside its league's results. */
  #basisOf(league: LeagueKey, upTo: number): string {
    const { leagues } = this.#parts;
    return JSON.stringify([MEMORY_FORM, MODEL_VERSION, leagues.size.limit, leagues.rankingsBefore(league, upTo)]);
  }
}

/** All rows of a query, in pages. */
export async function* pagesOf<Row extends Pick<SavedEventResults, 'id' | 'lastAt'>>(
  limit: number,
  query: Pick<ResultsQuery, 'league' | 'from' | 'before'>,
  read: (query: ResultsQuery) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row | undefined; ; ) {
    const page: readonly Row[] = await read({ ...query, after, limit });
    yield page;
    if (page.length < limit) return;
    after = page.at(-1);
  }
}
