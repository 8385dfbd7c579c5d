import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { isPropName } from '../../src/domain/odds/bookmaker-prices.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyQuotes, mentionsWantedMarket, type QuotesByBook } from './timed-quotes.ts';

/** The main lines of player props of one event, with their times. */
export interface PropQuotesDocument extends EventSides {
  sport: string;
  books: QuotesByBook;
}

export const propQuotes: Projection<PropQuotesDocument> = {
  name: 'prop-quotes',
  version: 4,
  types: ['EventScheduled', 'PricesChanged', 'PricesReconfirmed'],
  // Skip records without props: game lines move all day and are not stored here.
  key: (record) => (mentionsWantedMarket(record as DomainRecord, isPropName) ? String(record.data.eventId) : undefined),
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
