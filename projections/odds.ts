import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { ownValue, setOwn } from '../src/domain/own.ts';
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
  version: 2,
  types: ['EventScheduled', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? { sport: (record.data as { sport: string }).sport, books: {}, ...newSides() };
    if (record.type === 'PricesChanged') {
      const { content, late } = record.data;
      const before = ownValue(next.books, content.bookmaker);
      // A late record brings the whole state, which later records change: it must not be the record's own.
      const prices = late ? structuredClone(late.prices) : applyPrices(before, record.data);
      if (prices !== before) setOwn(next.books, content.bookmaker, prices);
    } else if (record.type === 'PricesReconfirmed') {
      const book = ownValue(next.books, record.data.bookmaker);
      if (book) book.capturedAt = record.data.at;
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};
