import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { applyPrices, type BookPrices, marketName } from '../../src/domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../src/domain/primitives/own-properties.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** What one bookmaker offers, and when it was said. */
export interface TimedBookPrices extends BookPrices {
  /** When a message named a market last, by market, withdrawn ones too: of those that the newest message (`capturedAt`)
   *  does not name. */
  earlier?: Record<string, string>;
  /** What the newest message names and nobody offers any more. */
  gone?: readonly string[];
}

/** The present prices of one event, by bookmaker. */
export interface OddsDocument extends EventSides {
  sport: string;
  books: Record<string, TimedBookPrices>;
}

/** When a message named this market of the bookmaker last, reconfirmations included. */
export const marketReportedAt = ({ capturedAt, earlier = {} }: TimedBookPrices, market: string): string =>
  ownValue(earlier, market) ?? capturedAt;

export const odds: Projection<OddsDocument> = {
  name: 'odds',
  version: 3,
  types: ['EventScheduled', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? { sport: (record.data as { sport: string }).sport, books: {}, ...newSides() };
    if (record.type === 'PricesChanged') {
      const { content } = record.data;
      const before = ownValue(next.books, content.bookmaker);
      const prices = updateBook(before, record.data);
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

/** The book after a message. Late or not, each market ends up with the time of the newest message that names it. */
function updateBook(before: TimedBookPrices | undefined, said: DomainEventData['PricesChanged']): TimedBookPrices {
  const { content, late, at } = said;
  const named = content.markets.map(marketName);
  const earlier = { ...before?.earlier };
  const newest = new Set(before ? [...Object.keys(before.markets), ...(before.gone ?? [])] : []);
  for (const market of Object.keys(earlier)) newest.delete(market);
  if (!late) {
    const last = before?.capturedAt;
    if (last !== undefined) for (const market of newest) setOwn(earlier, market, last);
    for (const market of named) delete earlier[market];
    return withTimes(applyPrices(before, said), earlier, named);
  }
  for (const market of named) {
    const known = ownValue(earlier, market);
    if (newest.has(market) || (known !== undefined && timeOf(known) >= timeOf(at))) continue;
    setOwn(earlier, market, at);
  }
  // It brings the whole state, which later records change: it must not be the record's own.
  return withTimes(structuredClone(late.prices), earlier, newest);
}

/** @param newest what the newest message names */
function withTimes(book: TimedBookPrices, earlier: Record<string, string>, newest: Iterable<string>): TimedBookPrices {
  const { earlier: _, gone: __, ...next } = book;
  const gone = [...new Set(newest)].filter((market) => !Object.hasOwn(book.markets, market)).sort();
  return {
    ...next,
    ...(Object.keys(earlier).length > 0 ? { earlier } : {}),
    ...(gone.length > 0 ? { gone } : {}),
  };
}
