import { LRUCache } from 'lru-cache';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { ReadEventLeague } from './feed-age.ts';

/** Events whose league is remembered: some 100 bytes each. */
const MAX_EVENTS = 20_000;

/** Reads the league of an event once: it never changes. */
export function createEventLeagues(store: Pick<DocumentReader, 'get'>): ReadEventLeague {
  const known = new LRUCache<number, string>(entriesAtMost(MAX_EVENTS));
  return async (eventId) => {
    const before = known.get(eventId);
    if (before !== undefined) return before;
    const league = (await store.get<EventDocument>(events.name, String(eventId)))?.document.league;
    if (league !== undefined) known.set(eventId, league);
    return league;
  };
}
