import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { applyChanges, type Bet, type BookDepth, offeredSince } from '../../src/domain/odds/book-depth.ts';
import { applyPrices, type BookPrices, marketName, noteRepetition } from '../../src/domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../src/domain/primitives/own-properties.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** The prices of one bookmaker, with their times. */
export interface TimedBookPrices extends BookPrices {
  /**
   * Time of the last message with a market, by market, also for withdrawn ones. Only for markets that the newest
   * message (`capturedAt`) does not have.
   */
  earlier?: Record<string, string>;
  /** Markets that the newest message withdrew. */
  gone?: readonly string[];
  /** The order books of an exchange. */
  depth?: BookDepth;
}

/** The current prices of one event, by bookmaker. */
export interface OddsDocument extends EventSides {
  sport: string;
  books: Record<string, TimedBookPrices>;
}

/** Time of the last message with this market of the bookmaker, including reconfirmations. */
export const marketReportedAt = ({ capturedAt, earlier = {} }: TimedBookPrices, market: string): string =>
  ownValue(earlier, market) ?? capturedAt;

/**
 * Since when a market is offered as it stands, in milliseconds: see `offeredSince`. @param bet one bet of it alone
 */
export function marketOfferedSince(prices: TimedBookPrices, market: string, bet?: Bet): number {
  const named = timeOf(marketReportedAt(prices, market));
  return prices.depth ? offeredSince(ownValue(prices.depth, market), named, bet) : named;
}

export const odds: Projection<OddsDocument> = {
  name: 'odds',
  version: 7,
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
      if (record.data.depth) prices.depth = applyChanges(before?.depth, record.data.depth, record.data.at);
    } else if (record.type === 'PricesReconfirmed') {
      const book = ownValue(next.books, record.data.bookmaker);
      if (book) {
        reconfirm(book, record.data.at);
        if (record.data.depth) book.depth = applyChanges(book.depth, record.data.depth, record.data.at);
      }
    }
    applySides(next, record);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.event(key), streams.odds(key)],
};

/** The newest message of a book again, at a later time: every market of it is repeated. */
function reconfirm(book: TimedBookPrices, at: string): void {
  if (timeOf(at) > timeOf(book.capturedAt)) {
    for (const market of Object.keys(book.markets)) {
      if (!ownValue(book.earlier ?? {}, market)) noteRepetition(book, market);
    }
  }
  book.capturedAt = at;
}

/** The prices after a message. Late or not, each market gets the time of the newest message with it. */
function updateBook(before: TimedBookPrices | undefined, data: DomainEventData['PricesChanged']): TimedBookPrices {
  const { content, late, at } = data;
  const markets = content.markets.map(marketName);
  const earlier = { ...before?.earlier };
  const newest = new Set(before ? [...Object.keys(before.markets), ...(before.gone ?? [])] : []);
  for (const market of Object.keys(earlier)) newest.delete(market);
  if (!late) {
    const previousTime = before?.capturedAt;
    if (previousTime !== undefined) for (const market of newest) setOwn(earlier, market, previousTime);
    for (const market of markets) delete earlier[market];
    const isLater = (market: string) =>
      previousTime !== undefined && timeOf(at) > timeOf(ownValue(before?.earlier ?? {}, market) ?? previousTime);
    return withTimes(applyPrices(before, data, isLater), earlier, markets);
  }
  for (const market of markets) {
    const knownTime = ownValue(earlier, market);
    if (newest.has(market) || (knownTime !== undefined && timeOf(knownTime) >= timeOf(at))) continue;
    setOwn(earlier, market, at);
  }
  // Copy the late state: later records change it, and must not change the record.
  const known = before?.depth === undefined ? {} : { depth: before.depth };
  return withTimes({ ...structuredClone(late.prices), ...known }, earlier, newest);
}

/** @param newest the markets of the newest message */
function withTimes(book: TimedBookPrices, earlier: Record<string, string>, newest: Iterable<string>): TimedBookPrices {
  const { earlier: _, gone: __, ...next } = book;
  const gone = [...new Set(newest)].filter((market) => !Object.hasOwn(book.markets, market)).sort();
  return {
    ...next,
    ...(Object.keys(earlier).length > 0 ? { earlier } : {}),
    ...(gone.length > 0 ? { gone } : {}),
  };
}
