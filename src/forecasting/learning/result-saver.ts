import { hasReachedPositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type LeagueEventResults, PACKED_FORM, packResults, unpackResults } from './packed-results.ts';
import type { ResultsStore } from './results-store.ts';

interface ResultSaverParts {
  readonly store: ResultsStore;
  readonly onError: (error: unknown) => void;
}

/** The stored results. What the log has after `places` is not in all of them. */
interface RestoredResults {
  readonly places: PartitionPositions;
  readonly stories: readonly LeagueEventResults[];
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
  /** Saves only if there are many unsaved results or records. */
  saveIfMany(places: PartitionPositions, isComplete?: boolean): Promise<void>;
}

/** Events stored in one transaction, which takes some milliseconds. */
const EVENTS_PER_SAVE = 200;
/** After this many records the positions are stored too. After a crash at most this many are read again. */
const RECORDS_PER_SAVE = 20_000;
const PAGE = 200;

/** Stored results are valid only for these versions of the models. */
const BASIS = JSON.stringify([PACKED_FORM, MODEL_VERSION]);
/** The same of results that are not complete. Another basis, since servers of before know only complete ones. */
const BEGUN = `${BASIS} begun`;

export function createResultSaver({ store, onError }: ResultSaverParts): ResultSaver {
  const unsaved = new Map<number, string | null>();
  let recordsRead = 0;
  /** How many unsaved events cause a save. Grows while the disk fails, so that it is tried less and less often. */
  let saveThreshold = EVENTS_PER_SAVE;

  /** @returns undefined if a result cannot be read. Rejects when `pause` does: then the server stops, and nothing is wrong. */
  async function read(pause: () => Promise<void>): Promise<LeagueEventResults[] | undefined> {
    const stories: LeagueEventResults[] = [];
    for (let after = 0; ; ) {
      const page = await orUndefined(() => store.readPage(after, PAGE));
      if (!page) return undefined;
      for (const [id, packed] of page) {
        const story = await orUndefined(() => unpackResults(id, packed!));
        if (!story) return undefined;
        stories.push(story);
        await pause();
      }
      if (page.length < PAGE) return stories;
      after = page.at(-1)![0];
    }
  }

  async function orUndefined<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  async function save(places: PartitionPositions, isComplete = true): Promise<void> {
    const events = [...unsaved];
    const upTo = { basis: isComplete ? BASIS : BEGUN, places: new Map(places) };
    unsaved.clear();
    recordsRead = 0;
    try {
      for (let from = 0; from < events.length; from += EVENTS_PER_SAVE) {
        await store.save(events.slice(from, from + EVENTS_PER_SAVE));
        await yieldToEventLoop();
      }
      // Last, so that after a crash no result is missing up to the stored positions.
      await store.save([], upTo);
      saveThreshold = EVENTS_PER_SAVE;
    } catch (error) {
      // Results that were put meanwhile are newer.
      for (const [id, packed] of events) if (!unsaved.has(id)) unsaved.set(id, packed);
      saveThreshold = Math.max(EVENTS_PER_SAVE, 2 * unsaved.size);
      onError(error);
    }
  }

  return {
    async restore(ends, pause) {
      const upTo = await store.readSavedUpTo();
      const fits = (upTo?.basis === BASIS || upTo?.basis === BEGUN) && hasReachedPositions(ends, upTo.places);
      const stories = fits ? await read(pause) : undefined;
      if (stories) return { places: upTo!.places, stories, isComplete: upTo!.basis === BASIS };
      unsaved.clear();
      await store.clear();
      return null;
    },
    put(story) {
      unsaved.set(story.id, story.results.length === 0 ? null : packResults(story));
    },
    remove(eventId) {
      unsaved.set(eventId, null);
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
