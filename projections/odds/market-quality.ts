import { isSoccer } from '../../src/domain/catalogue/sport-rules.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { isMainMarketName, MAIN_MARKETS, marketName } from '../../src/domain/odds/bookmaker-prices.ts';
import {
  advanceMarket,
  closeMarket,
  type FollowedMarket,
  newFollowedMarket,
  takeIn,
} from '../../src/domain/odds/market-quality/follow-market.ts';
import { type MainMarket, standingQuotes } from '../../src/domain/odds/market-quality/standing-quotes.ts';
import { ownValue } from '../../src/domain/primitives/own-properties.ts';
import { SECOND } from '../../src/domain/primitives/time.ts';
import { marketsCloseAt, newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord, eventIdentityOf } from '../sports-events/event-documents.ts';
import { applyQuotes, type QuotesByBook } from './timed-quotes.ts';

/** How good the markets of one event were before its start: sums by bookmaker, which an answer adds up. */
export interface MarketQualityDocument {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  /** The prices as they stand, until the start. */
  books: QuotesByBook;
  markets: Partial<Record<MainMarket, FollowedMarket>>;
  /** When a lineup was told before the start, the newest last: Unix seconds. */
  lineups: number[];
}

type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' | 'PricesReconfirmed' }>;

/** Reports of lineups that are kept. */
const MAX_LINEUPS = 8;

export const marketQuality: Projection<MarketQualityDocument> = {
  name: 'market-quality',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'PricesChanged', 'PricesReconfirmed', 'LineupChanged'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    const at = timeOf(record.data.at);
    switch (record.type) {
      case 'PricesChanged':
      case 'PricesReconfirmed':
        applyPrices(next, record, at);
        break;
      case 'LineupChanged':
        if (isBefore(next, at)) next.lineups = [...next.lineups, Math.floor(at / SECOND)].slice(-MAX_LINEUPS);
        break;
      default:
        next.event = applyEventRecord(next.event, record);
        if (!isBefore(next, at)) close(next, at);
    }
    return next;
  },
  fields: {
    league: { kind: 'string', of: ({ league }) => league },
    /** The start of an event with prices before it; null for all other events. */
    priced_start: { kind: 'number', of: pricedStart },
  },
  indexes: [['league', 'priced_start']],
  streams: (key) => [streams.event(key), streams.odds(key), streams.lineup(key)],
};

const newDocument = (record: DomainRecord): MarketQualityDocument => ({
  ...eventIdentityOf(record),
  event: newSportsEvent(),
  books: {},
  markets: {},
  lineups: [],
});

function pricedStart({ event, markets }: MarketQualityDocument): number | null {
  return event.schedule && Object.keys(markets).length > 0 ? timeOf(event.schedule.starts_at) : null;
}

/** Whether something at this time was before the start, of an event that can still begin. */
function isBefore({ event }: MarketQualityDocument, at: number): boolean {
  return (event.status === 'scheduled' || event.status === 'delayed') && at < marketsCloseAt(event);
}

function applyPrices(document: MarketQualityDocument, record: PricesRecord, at: number): void {
  const isLate = record.type === 'PricesChanged' && record.data.late !== undefined;
  if (!isBefore(document, at)) {
    if (!isLate) close(document, at);
    return;
  }
  const { books, sport, markets } = document;
  const named = isLate ? [] : namedMarkets(books, record);
  const quotesOf = (market: MainMarket) => standingQuotes(books, market, market === 'h2h' && isSoccer(sport) ? 3 : 2);
  for (const market of named) {
    markets[market] ??= newFollowedMarket(at);
    advanceMarket(markets[market], quotesOf(market), at);
  }
  // Order books are not needed, and are large.
  applyQuotes(books, withoutDepth(record), isMainMarketName);
  for (const market of named) {
    const isChange = record.type === 'PricesChanged';
    const book = isChange ? record.data.content.bookmaker : record.data.bookmaker;
    takeIn(markets[market]!, quotesOf(market), { book, source: record.data.source, at, isChange }, market === 'totals');
  }
}

function withoutDepth(record: PricesRecord): PricesRecord {
  if (record.data.depth === undefined) return record;
  const { depth: _, ...data } = record.data;
  return { ...record, data } as PricesRecord;
}

/** The main markets that a record names. */
function namedMarkets(books: QuotesByBook, record: PricesRecord): readonly MainMarket[] {
  const names =
    record.type === 'PricesChanged'
      ? record.data.content.markets.map(marketName)
      : (ownValue(books, record.data.bookmaker)?.namedBy[record.data.of] ?? []);
  return MAIN_MARKETS.filter((market) => names.includes(market));
}

/** Counts up to the start, and forgets the prices. @param at when it is known that the event can begin no longer */
function close(document: MarketQualityDocument, at: number): void {
  const { books, sport, markets, event } = document;
  if (Object.keys(books).length === 0) return;
  const end = Math.min(at, marketsCloseAt(event));
  for (const market of MAIN_MARKETS) {
    const followed = markets[market];
    const outcomes = market === 'h2h' && isSoccer(sport) ? 3 : 2;
    if (followed) closeMarket(followed, standingQuotes(books, market, outcomes), end);
  }
  document.books = {};
}
