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

/** A sports event as the board shows it, written down once for all who read it. */
export interface BoardEntry {
  readonly event: Omit<BoardEvent, 'position'>;
  /** JSON of the `BoardEvent`. */
  readonly json: string;
  /** Another one exactly when the board shows something else than when it was last rendered for anybody. */
  readonly revision: number;
}

export interface BoardCache {
  /** The entries by id, in the order asked for; ids without a scheduled event are left out. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, BoardEntry>>;
  /** Forgets these events, which look different now. */
  invalidate(ids: Iterable<number>): void;
  readonly size: CacheSize;
}

interface CachedEntry extends BoardEntry {
  /** All of the JSON but the position: a reconfirmation moves that, and shows nothing new. */
  readonly shown: string;
  isFresh: boolean;
}

/** Characters of JSON that are kept. A board of 300 events with long movements has 4 million. */
const MAX_CACHED_CHARACTERS = 16_000_000;
/** Of each event: its JSON, and all of it but the position. */
const TEXTS = 2;
/** Documents that are read at once: the event loop is free between these. */
const BATCH = 25;
const MAX_TRIES = 4;

/** Rendered events, kept until the projections change what they are made of. */
export function createBoardCache(store: Pick<DocumentReader, 'getMany'>, bookmakers: Bookmakers): BoardCache {
  const kept = new LRUCache<number, CachedEntry>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ json }) => json.length,
  });
  /** What changes while it is being read, by the reading. */
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
    const last = kept.peek(event.id);
    const revision = last?.shown === shown ? last.revision : ++revisions;
    return { event, shown, json: `${shown.slice(0, -1)},"position":"${position}"}`, revision, isFresh: true };
  }

  /** @returns those that have changed while they were read */
  async function load(ids: readonly number[], into: Map<number, BoardEntry>): Promise<number[]> {
    const changed = new Set<number>();
    readings.add(changed);
    try {
      for (let start = 0; start < ids.length; start += BATCH) {
        const entries = await render(ids.slice(start, start + BATCH));
        for (const entry of entries) {
          entry.isFresh = !changed.has(entry.event.id);
          kept.set(entry.event.id, entry);
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
      return { bytes: TEXTS * kept.calculatedSize, limit: TEXTS * MAX_CACHED_CHARACTERS };
    },
    async read(ids) {
      const found = new Map<number, BoardEntry>();
      let missing: number[] = [];
      for (const id of ids) {
        const entry = kept.get(id);
        if (entry?.isFresh) found.set(id, entry);
        else missing.push(id);
      }
      // An event that changes between the reading of its documents would show two moments at once, under the position
      // of the newer.
      for (let tries = 0; missing.length > 0 && tries < MAX_TRIES; tries++) missing = await load(missing, found);
      return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id)!]] : [])));
    },
    invalidate(ids) {
      for (const id of ids) {
        for (const changed of readings) changed.add(id);
        const entry = kept.peek(id);
        if (entry) entry.isFresh = false;
      }
    },
  };
}

const newest = (first: bigint, ...others: readonly (bigint | undefined)[]): bigint =>
  others.reduce<bigint>((a, b) => (b !== undefined && b > a ? b : a), first);
