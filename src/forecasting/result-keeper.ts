import { haveReached, type Places } from '../domain/position.ts';
import { MODEL_VERSION } from '../intelligence/models/index.ts';
import { breathe } from '../platform/time/breathe.ts';
import type { KeptResults } from './kept-results.ts';
import { FORM, type LearntOfLeague, packLearnt, unpackLearnt } from './packed-learnt.ts';

export interface ResultKeeperParts {
  readonly kept: KeptResults;
  readonly onError: (error: unknown) => void;
}

/** What was kept, and up to where it is all. */
export interface Restored {
  readonly places: Places;
  readonly stories: readonly LearntOfLeague[];
}

/** Keeps what the book has read in the streams for the next start. */
export interface ResultKeeper {
  /**
   * @param ends of the partitions of the log: what was kept of a log that was longer is of another one
   * @param pause awaited after each event
   * @returns null where all has to be read anew; then nothing is kept any more
   */
  restore(ends: ReadonlyMap<string, bigint | null>, pause: () => Promise<void>): Promise<Restored | null>;
  /** Of an event, to be kept in the place of what was. */
  put(story: LearntOfLeague): void;
  /** So many more records have been read. */
  heard(records: number): void;
  /**
   * Stores what was put, or only when there is much. What cannot be stored now is tried again with the next.
   * @param places up to which nothing is missing of what was put; absent: there is no such place yet
   */
  keep(places: Places | undefined, when: 'all' | 'when there is much'): Promise<void>;
}

/** Events that are stored at once, some milliseconds of work. */
const TOGETHER = 200;
/** Records after which the place is stored too: so many are read again after a crash. */
const RECORDS = 20_000;
const PAGE = 200;

/** What was kept counts for this version of the models alone. */
const BASIS = JSON.stringify([FORM, MODEL_VERSION]);

export function createResultKeeper({ kept, onError }: ResultKeeperParts): ResultKeeper {
  const unsaved = new Map<number, string | null>();
  let heard = 0;
  /** Events that are much: of a disk that takes nothing, less and less is asked. */
  let much = TOGETHER;

  async function read(pause: () => Promise<void>): Promise<LearntOfLeague[]> {
    const stories: LearntOfLeague[] = [];
    for (let after = 0; ; ) {
      const page = await kept.page(after, PAGE);
      for (const [id, learnt] of page) {
        stories.push(unpackLearnt(id, learnt!));
        await pause();
      }
      if (page.length < PAGE) return stories;
      after = page.at(-1)![0];
    }
  }

  return {
    async restore(ends, pause) {
      const upTo = await kept.upTo();
      const fits = upTo?.basis === BASIS && haveReached(ends, upTo.places);
      if (fits) {
        try {
          return { places: upTo.places, stories: await read(pause) };
        } catch (error) {
          onError(error);
        }
      }
      unsaved.clear();
      await kept.clear();
      return null;
    },
    put(story) {
      unsaved.set(story.id, story.results.length === 0 ? null : packLearnt(story));
    },
    heard(records) {
      heard += records;
    },
    async keep(places, when) {
      const isMuch = unsaved.size >= much || heard >= RECORDS;
      if (when !== 'all' && !isMuch) return;
      const events = [...unsaved];
      const upTo = places && { basis: BASIS, places: new Map(places) };
      unsaved.clear();
      heard = 0;
      try {
        for (let from = 0; from < events.length; from += TOGETHER) {
          await kept.keep(events.slice(from, from + TOGETHER));
          await breathe();
        }
        // Last, for of a crash before it nothing may be missing up to the place.
        if (upTo) await kept.keep([], upTo);
        much = TOGETHER;
      } catch (error) {
        // What has been put meanwhile is newer.
        for (const [id, learnt] of events) if (!unsaved.has(id)) unsaved.set(id, learnt);
        much = Math.max(TOGETHER, 2 * unsaved.size);
        onError(error);
      }
    },
  };
}
