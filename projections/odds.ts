import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { ownValue, withOwn } from '../src/domain/own.ts';
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
      const prices = record.data.late?.prices ?? applyPrices(ownValue(next.books, bookmaker), record.data);
      next.books = withOwn(next.books, bookmaker, prices);
    } else if (record.type === 'PricesReconfirmed') {
      const { bookmaker, at } = record.data;
      const book = ownValue(next.books, bookmaker);
      if (book) next.books = withOwn(next.books, bookmaker, { ...book, capturedAt: at });
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};
