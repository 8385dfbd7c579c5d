import { hasReachedPositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type LeagueEventResults, PACKED_FORM, packResults, unpackResults } from './packed-results.ts';
import type { ResultsStore } from './results-store.ts';

interface ResultSaverParts {
  readonly store: ResultsStore;
  readonly onError: (error: unknown) => void;
}

/** What was kept, and up to where it is all. */
interface RestoredResults {
  readonly places: PartitionPositions;
  readonly stories: readonly LeagueEventResults[];
}

/** Keeps what the book has read in the streams for the next start. */
interface ResultSaver {
  /**
   * @param ends of the partitions of the log: what was kept of a log that was longer is of another one
   * @param pause awaited after each event
   * @returns null where all has to be read anew; then nothing is kept any more
   */
  restore(ends: ReadonlyMap<string, bigint | null>, pause: () => Promise<void>): Promise<RestoredResults | null>;
  /** Of an event, to be kept in the place of what was. */
  put(story: LeagueEventResults): void;
  /** So many more records have been read. */
  countRecords(records: number): void;
  /**
   * Stores what was put, or only when there is much. What cannot be stored now is tried again with the next.
   * @param places up to which nothing is missing of what was put; absent: there is no such place yet
   */
  save(places: PartitionPositions | undefined, when: 'all' | 'when there is much'): Promise<void>;
}

/** Events that are stored at once, some milliseconds of work. */
const EVENTS_PER_SAVE = 200;
/** Records after which the place is stored too: so many are read again after a crash. */
const RECORDS_PER_SAVE = 20_000;
const PAGE = 200;

/** What was kept counts for this version of the models alone. */
const BASIS = JSON.stringify([PACKED_FORM, MODEL_VERSION]);

export function createResultSaver({ store, onError }: ResultSaverParts): ResultSaver {
  const unsaved = new Map<number, string | null>();
  let heard = 0;
  /** Events that are much: of a disk that takes nothing, less and less is asked. */
  let much = EVENTS_PER_SAVE;

  async function read(pause: () => Promise<void>): Promise<LeagueEventResults[]> {
    const stories: LeagueEventResults[] = [];
    for (let after = 0; ; ) {
      const page = await store.readPage(after, PAGE);
      for (const [id, learnt] of page) {
        stories.push(unpackResults(id, learnt!));
        await pause();
      }
      if (page.length < PAGE) return stories;
      after = page.at(-1)![0];
    }
  }

  return {
    async restore(ends, pause) {
      const upTo = await store.readSavedUpTo();
      const fits = upTo?.basis === BASIS && hasReachedPositions(ends, upTo.places);
      if (fits) {
        try {
          return { places: upTo.places, stories: await read(pause) };
        } catch (error) {
          onError(error);
        }
      }
      unsaved.clear();
      await store.clear();
      return null;
    },
    put(story) {
      unsaved.set(story.id, story.results.length === 0 ? null : packResults(story));
    },
    countRecords(records) {
      heard += records;
    },
    async save(places, when) {
      const isMuch = unsaved.size >= much || heard >= RECORDS_PER_SAVE;
      if (when !== 'all' && !isMuch) return;
      const events = [...unsaved];
      const upTo = places && { basis: BASIS, places: new Map(places) };
      unsaved.clear();
      heard = 0;
      try {
        for (let from = 0; from < events.length; from += EVENTS_PER_SAVE) {
          await store.save(events.slice(from, from + EVENTS_PER_SAVE));
          await yieldToEventLoop();
        }
        // Last, for of a crash before it nothing may be missing up to the place.
        if (upTo) await store.save([], upTo);
        much = EVENTS_PER_SAVE;
      } catch (error) {
        // What has been put meanwhile is newer.
        for (const [id, learnt] of events) if (!unsaved.has(id)) unsaved.set(id, learnt);
        much = Math.max(EVENTS_PER_SAVE, 2 * unsaved.size);
        onError(error);
      }
    },
  };
}
