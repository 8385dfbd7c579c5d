import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { isPropName } from '../src/domain/prices.ts';
import type { Projection } from '../src/domain/projection.ts';
import { applySides, type EventSides, newSides } from '../src/domain/side-names.ts';
import { applyQuotes, namesSome, type QuotesByBook } from './named-quotes.ts';

/** The main lines of one event on what its players make, with their times. */
export interface PropQuotesDocument extends EventSides {
  sport: string;
  books: QuotesByBook;
}

export const propQuotes: Projection<PropQuotesDocument> = {
  name: 'prop-quotes',
  version: 1,
  types: ['EventScheduled', 'PricesChanged', 'PricesReconfirmed'],
  // Main lines move all day; of them nothing is kept here, so that they cost nothing.
  key: (record) => (namesSome(record as DomainRecord, isPropName) ? String(record.data.eventId) : undefined),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? { sport: (record.data as { sport: string }).sport, books: {}, ...newSides() };
    applyQuotes(next.books, record, isPropName);
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};
