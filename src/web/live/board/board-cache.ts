import { type OddsDocument, odds } from '../../../../projections/odds/odds.ts';
import { type MovementsDocument, movementsKey, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { DocumentReader, StoredDocument } from '../../../read-models/store/document-reader.ts';
import type { BoardEvent } from '../answers/live-page-answers.ts';
import { bestKnownBook, renderBoardEvent } from './board-event.ts';
import { type CachedEvent, createEventCache, type EventCache, newestPosition } from './event-cache.ts';

/** A sports event as the board shows it. */
export type BoardEntry = CachedEvent<Omit<BoardEvent, 'position'>>;
export type BoardCache = EventCache<Omit<BoardEvent, 'position'>>;

/** Maximum characters of cached JSON. A board of 300 events with long movements has 4 million. */
const MAX_CACHED_CHARACTERS = 16_000_000;

/** Caches the events of boards. */
export function createBoardCache(store: Pick<DocumentReader, 'getMany'>, bookmakers: Bookmakers): BoardCache {
  return createEventCache({
    maxCharacters: MAX_CACHED_CHARACTERS,
    render: async (ids) =>
      (await readPricedEvents(store, bookmakers, ids)).map(({ event, prices, movements }) => ({
        event: renderBoardEvent(
          { event: event.document, odds: prices?.document, movements: movements?.document },
          bookmakers,
        ),
        position: newestPosition(event.position, prices?.position, movements?.position),
      })),
  });
}

/** The documents of a scheduled event. */
interface PricedEvent {
  readonly event: StoredDocument<EventDocument>;
  readonly prices: StoredDocument<OddsDocument> | undefined;
  /** The movements of the bookmaker that `bestKnownBook` names. */
  readonly movements: StoredDocument<MovementsDocument> | undefined;
}

/** Reads events with their prices. Events without a schedule are left out. */
export async function readPricedEvents(
  store: Pick<DocumentReader, 'getMany'>,
  bookmakers: Bookmakers,
  ids: readonly number[],
): Promise<PricedEvent[]> {
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
    const book = books[index];
    const movements = book === undefined ? undefined : movementsByKey.get(movementsKey(id, book));
    return [{ event, prices: oddsDocuments[index], movements }];
  });
}
