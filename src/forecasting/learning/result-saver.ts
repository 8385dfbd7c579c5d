import { createHash } from 'node:crypto';
import { SPORTS } from '../../domain/catalogue/catalogue.ts';
import { allOwnRules } from '../../domain/catalogue/game-rules.ts';
import { hasReachedPositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import * as CONSTANTS from '../../intelligence/models/model-constants.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type LeagueLearners, leagueKeyOf } from './league-learners.ts';
import { MemorySaver, pagesOf, type RestoredMemory } from './memory-saver.ts';
import { type LeagueEventResults, PACKED_FORM, packResults, unpackResults } from './packed-results.ts';
import type { ResultsStore, SavedEventResults } from './results-store.ts';

interface ResultSaverParts {
  readonly store: ResultsStore;
  readonly leagues: LeagueLearners;
  /** Fewer old results of a league than this are learned again at each start. */
  readonly leastKept?: number | undefined;
  /** Told when what was stored cannot be used, and why. */
  readonly onLearnAnew?: ((reason: string) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** The stored results. What the log has after `places` is not in all of them. */
interface RestoredResults {
  readonly places: PartitionPositions;
  readonly stories: readonly LeagueEventResults[];
  /** What was learned of the older results of some leagues; these are not among the stories. */
  readonly memories: readonly RestoredMemory[];
  /** False if the first reading of all events was interrupted: those that are not stored are still to be read. */
  readonly isComplete: boolean;
}

/** Stores what the forecast service has read from the streams, for the next start. */
interface ResultSaver {
  /**
   * @param ends the ends of the log's partitions: results that were stored for a longer log belong to another log
   * @param pause awaited after each event
   * @returns null if everything must be read again; then the store is empty
   */
  restore(ends: ReadonlyMap<string, bigint | null>, pause: () => Promise<void>): Promise<RestoredResults | null>;
  /** Replaces the results of an event. */
  put(story: LeagueEventResults): void;
  /** Deletes the results of an event. */
  remove(eventId: number): void;
  /** Notes that more records were read. */
  countRecords(records: number): void;
  /**
   * Stores all that was put. If storing fails, the next call tries again.
   * @param places the positions up to which everything was put
   * @param isComplete false while the first reading of all events is in progress; default true
   */
  save(places: PartitionPositions, isComplete?: boolean): Promise<void>;
  /** Whether old results could not be read after the start: then nothing is stored before `clear`. */
  readonly isDamaged: boolean;
  /** Deletes everything that is stored. */
  clear(): Promise<void>;
  /** Saves only if there are many unsaved results or records. */
  saveIfMany(places: PartitionPositions, isComplete?: boolean): Promise<void>;
}

/** Events stored in one transaction, which takes some milliseconds. */
const EVENTS_PER_SAVE = 200;
/** After this many records the positions are stored too. After a crash at most this many are read again. */
const RECORDS_PER_SAVE = 20_000;
const PAGE = 200;

/** Stored results are valid only for these versions of the models, these constants, and this catalogue. */
const BASIS = JSON.stringify([
  PACKED_FORM,
  MODEL_VERSION,
  createHash('sha256')
    .update(JSON.stringify([CONSTANTS, SPORTS, ...allOwnRules()]))
    .digest('base64url'),
]);
/** The same of results that are not complete. Another basis, since servers of before know only complete ones. */
const BEGUN = `${BASIS} begun`;

const withoutResults = (id: number): SavedEventResults => ({ id, learnt: null, league: '', lastAt: 0 });

export function createResultSaver(parts: ResultSaverParts): ResultSaver {
  const { store, onError, onLearnAnew = () => {} } = parts;
  const memories = new MemorySaver(parts);
  const unsaved = new Map<number, SavedEventResults>();
  let recordsRead = 0;
  /** How many unsaved events cause a save. Grows while the disk fails, so that it is tried less and less often. */
  let saveThreshold = EVENTS_PER_SAVE;

  /** @returns undefined if something cannot be read. Rejects when `pause` does: then the server stops, and nothing is wrong. */
  async function readAll(
    pause: () => Promise<void>,
  ): Promise<Pick<RestoredResults, 'stories' | 'memories'> | undefined> {
    let stopped: unknown;
    /** Tells a stop from what cannot be read. */
    const pauseOrStop = () =>
      pause().catch((reason: unknown) => {
        stopped = { reason };
        throw reason;
      });
    try {
      const stories: LeagueEventResults[] = [];
      const restored: RestoredMemory[] = [];
      for (const league of await store.listLeagues()) {
        const memory = await memories.restore(league, pauseOrStop);
        if (memory) restored.push(memory);
        const query = { league, from: memory?.memory.upTo ?? -Infinity, before: Infinity };
        for await (const page of pagesOf(PAGE, query, (one) => store.readPage(one))) {
          for (const { id, learnt } of page) {
            stories.push(unpackResults(id, learnt!));
            await pauseOrStop();
          }
        }
      }
      return { stories, memories: restored };
    } catch (error) {
      if (stopped) throw error;
      onError(error);
      return undefined;
    }
  }

  async function save(places: PartitionPositions, isComplete = true): Promise<void> {
    if (memories.isDamaged) {
      unsaved.clear();
      recordsRead = 0;
      return;
    }
    const events = [...unsaved.values()];
    const upTo = { basis: isComplete ? BASIS : BEGUN, places: new Map(places) };
    unsaved.clear();
    recordsRead = 0;
    try {
      // First, so that no stored memory has learned other results than those that are stored.
      await memories.removeWrong();
      for (let from = 0; from < events.length; from += EVENTS_PER_SAVE) {
        await store.save(events.slice(from, from + EVENTS_PER_SAVE));
        await yieldToEventLoop();
      }
      // Last, so that after a crash no result is missing up to the stored positions.
      if (memories.isDamaged) return;
      await store.save([], upTo);
      saveThreshold = EVENTS_PER_SAVE;
      if (isComplete && unsaved.size === 0) await memories.save(upTo);
    } catch (error) {
      // Results that were put meanwhile are newer.
      for (const event of events) if (!unsaved.has(event.id)) unsaved.set(event.id, event);
      saveThreshold = Math.max(EVENTS_PER_SAVE, 2 * unsaved.size);
      onError(error);
    }
  }

  async function clear(): Promise<void> {
    unsaved.clear();
    recordsRead = 0;
    await memories.clear();
  }

  return {
    async restore(ends, pause) {
      const upTo = await store.readSavedUpTo();
      const fits = (upTo?.basis === BASIS || upTo?.basis === BEGUN) && hasReachedPositions(ends, upTo.places);
      if (upTo && !fits) onLearnAnew('what was stored is of other models, another catalogue or another log');
      const all = fits ? await readAll(pause) : undefined;
      // Another process may have cleared the store meanwhile, and what was read then looks like all of it.
      const isStill = all !== undefined && (await store.readSavedUpTo())?.basis === upTo!.basis;
      if (isStill) return { ...all, places: upTo!.places, isComplete: upTo!.basis === BASIS };
      await clear();
      return null;
    },
    clear,
    get isDamaged() {
      return memories.isDamaged;
    },
    put(story) {
      const lastAt = story.results.at(-1)?.at;
      if (lastAt === undefined) unsaved.set(story.id, withoutResults(story.id));
      else {
        const league = leagueKeyOf(story.sport, story.league);
        unsaved.set(story.id, { id: story.id, learnt: packResults(story), league, lastAt });
      }
    },
    remove(eventId) {
      unsaved.set(eventId, withoutResults(eventId));
    },
    countRecords(records) {
      recordsRead += records;
    },
    save,
    async saveIfMany(places, isComplete) {
      if (unsaved.size >= saveThreshold || recordsRead >= RECORDS_PER_SAVE) await save(places, isComplete);
    },
  };
}
