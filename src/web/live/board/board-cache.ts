import { LRUCache } from 'lru-cache';
import { type OddsDocument, odds } from '../../../../projections/odds/odds.ts';
import { type MovementsDocument, movementsKey, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { BoardEvent } from '../answers/live-page-answers.ts';
import { bestKnownBook, renderBoardEvent } from './board-event.ts';

/** A sports event as the board shows it, serialized once for all readers. */
export interface BoardEntry {
  readonly event: Omit<BoardEvent, 'position'>;
  /** JSON of the `BoardEvent`. */
  readonly json: string;
  /** Changes only if the board shows something new compared with the last rendering. */
  readonly revision: number;
}

export interface BoardCache {
  /** Entries by id, in the order of `ids`. Ids without a scheduled event are left out. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, BoardEntry>>;
  /** Marks the entries of these events as outdated. */
  invalidate(ids: Iterable<number>): void;
  readonly size: CacheSize;
}

interface CachedEntry extends BoardEntry {
  /** The JSON without the position. A reconfirmation changes only the position, which is not visible. */
  readonly shown: string;
  isFresh: boolean;
}

/** Maximum characters of cached JSON. A board of 300 events with long movements has 4 million. */
const MAX_CACHED_CHARACTERS = 16_000_000;
/** Each entry holds two texts: its JSON with and without the position. */
const TEXTS = 2;
/** Documents per read. The event loop is free between two reads. */
const BATCH = 25;
const MAX_TRIES = 4;

/** Caches rendered events until the projections change their documents. */
export function createBoardCache(store: Pick<DocumentReader, 'getMany'>, bookmakers: Bookmakers): BoardCache {
  const cached = new LRUCache<number, CachedEntry>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ json }) => json.length,
  });
  /** For each running load, the events that changed since it began. */
  const readings = new Set<Set<number>>();
  let revisions = 0;

  async function render(ids: readonly number[]): Promise<CachedEntry[]> {
    const keys = ids.map(String);
    const [eventDocuments, oddsDocuments] = await Promise.all([
      store.getMany<EventDocument>(events.name, keys),
      store.getMany<OddsDocument>(odds.name, keys),
    ]);
    const books = oddsDocuments.map((stored) => bestKnownBook(stored?.document, bookmakers));
    const movementKeys = books.flatMap((book, index) => (book === undefined ? [] : [movementsKey(ids[index]!, book)]));
    const found = await store.getMany<MovementsDocument>(oddsMovements.name, movementKeys);
    const movementsByKey = new Map(found.map((stored, index) => [movementKeys[index]!, stored]));
    return ids.flatMap((id, index) => {
      const event = eventDocuments[index];
      if (!event?.document.event.schedule) return [];
      const prices = oddsDocuments[index];
      const book = books[index];
      const movements = book === undefined ? undefined : movementsByKey.get(movementsKey(id, book));
      const rendered = renderBoardEvent(
        {
          event: event.document,
          odds: prices?.document,
          movements: movements?.document,
        },
        bookmakers,
      );
      return [entryOf(rendered, newest(event.position, prices?.position, movements?.position))];
    });
  }

  function entryOf(event: BoardEntry['event'], position: bigint): CachedEntry {
    const shown = JSON.stringify(event);
    const last = cached.peek(event.id);
    const revision = last?.shown === shown ? last.revision : ++revisions;
    return { event, shown, json: `${shown.slice(0, -1)},"position":"${position}"}`, revision, isFresh: true };
  }

  /** @returns the events that changed while they were read */
  async function load(ids: readonly number[], into: Map<number, BoardEntry>): Promise<number[]> {
    const changed = new Set<number>();
    readings.add(changed);
    try {
      for (let start = 0; start < ids.length; start += BATCH) {
        const entries = await render(ids.slice(start, start + BATCH));
        for (const entry of entries) {
          entry.isFresh = !changed.has(entry.event.id);
          cached.set(entry.event.id, entry);
          into.set(entry.event.id, entry);
        }
        await yieldToEventLoop();
      }
    } finally {
      readings.delete(changed);
    }
    return ids.filter((id) => changed.has(id));
  }

  return {
    get size() {
      return { bytes: TEXTS * cached.calculatedSize, limit: TEXTS * MAX_CACHED_CHARACTERS };
    },
    async read(ids) {
      const found = new Map<number, BoardEntry>();
      let missing: number[] = [];
      for (const id of ids) {
        const entry = cached.get(id);
        if (entry?.isFresh) found.set(id, entry);
        else missing.push(id);
      }
      // If an event changes while its documents are read, the entry could mix two states under the newer position. So
      // it is read again.
      for (let tries = 0; missing.length > 0 && tries < MAX_TRIES; tries++) missing = await load(missing, found);
      return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id)!]] : [])));
    },
    invalidate(ids) {
      for (const id of ids) {
        for (const changed of readings) changed.add(id);
        const entry = cached.peek(id);
        if (entry) entry.isFresh = false;
      }
    },
  };
}

const newest = (first: bigint, ...others: readonly (bigint | undefined)[]): bigint =>
  others.reduce<bigint>((a, b) => (b !== undefined && b > a ? b : a), first);
