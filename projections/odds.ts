import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { applyPrices, type BookPrices } from '../src/domain/prices.ts';
import type { Projection } from '../src/domain/projection.ts';
import { applySides, type EventSides, newSides } from '../src/domain/side-names.ts';

/** The present prices of one event, by bookmaker. */
export interface OddsDocument extends EventSides {
  sport: string;
  books: Record<string, BookPrices>;
}

export const odds: Projection<OddsDocument> = {
  name: 'odds',
  version: 1,
  types: ['EventScheduled', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? { sport: (record.data as { sport: string }).sport, books: {}, ...newSides() };
    if (record.type === 'PricesChanged') {
      const { bookmaker } = record.data.content;
      next.books[bookmaker] = record.data.late?.prices ?? applyPrices(next.books[bookmaker], record.data);
    } else if (record.type === 'PricesReconfirmed') {
      const book = next.books[record.data.bookmaker];
      if (book) next.books[record.data.bookmaker] = { ...book, capturedAt: record.data.at };
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};
