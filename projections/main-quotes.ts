import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { timeOf } from '../src/domain/observation.ts';
import { ownValue, setOwn } from '../src/domain/own.ts';
import { applyPrices, type BookPrices, isMainMarket, marketName, type PricedOutcome } from '../src/domain/prices.ts';
import type { Projection } from '../src/domain/projection.ts';
import { applySides, type EventSides, hasKnownSides, newSides } from '../src/domain/side-names.ts';
import { applySchedule, applyScore, newSportsEvent, type SportsEvent } from '../src/domain/sports-event.ts';

/** What one bookmaker has on the main lines of one event. */
export interface MainQuotes {
  /** By market: `h2h`, `spreads`, `totals`. */
  markets: Record<string, readonly PricedOutcome[]>;
  /** When a message named the market last, reconfirmations included: milliseconds, by market. */
  namedAt: Record<string, number>;
  /** What the newest message named, by the revision of its record, which reconfirmations tell; of several messages of
   *  one time each. */
  namedBy: Record<string, readonly string[]>;
  /** When it was said: milliseconds. */
  newestAt: number;
}

/** The main lines of one event with their times, for whoever looks through all events that are to come. */
export interface MainQuotesDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  books: Record<string, MainQuotes>;
}

export const mainQuotes: Projection<MainQuotesDocument> = {
  name: 'main-quotes',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'ParticipantDescribed', 'PricesChanged', 'PricesReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? begin(record);
    switch (record.type) {
      case 'EventScheduled':
        // A late record brings the whole state, which later records change: it must not be the record's own.
        next.event = record.data.late ? structuredClone(record.data.late) : applySchedule(next.event, record.data);
        break;
      case 'ScoreChanged':
        next.event = record.data.late ? structuredClone(record.data.late) : applyScore(next.event, record.data);
        break;
      case 'PricesChanged':
        change(next, record);
        break;
      case 'PricesReconfirmed':
        reconfirm(next, record);
        break;
    }
    applySides(next, record);
    return next;
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    /** When an event starts that has not begun and on which somebody quotes; null of all others. */
    opens_at: { kind: 'number', of: opensAt },
  },
  indexes: [
    ['sport', 'opens_at'],
    ['league', 'opens_at'],
  ],
  streams: (key) => [streams.event(key), streams.odds(key)],
};

function begin({ data }: DomainRecord): MainQuotesDocument {
  const { eventId, sport, league } = data as { eventId: number; sport: string; league: string };
  return { id: eventId, sport, league, event: newSportsEvent(), books: {}, ...newSides() };
}

function opensAt(document: MainQuotesDocument): number | null {
  const { status, schedule } = document.event;
  if (!schedule || (status !== 'scheduled' && status !== 'delayed') || !hasKnownSides(document)) return null;
  const isQuoted = Object.values(document.books).some(({ markets }) => Object.keys(markets).length > 0);
  return isQuoted ? timeOf(schedule.starts_at) : null;
}

function change(next: MainQuotesDocument, record: Extract<DomainRecord, { type: 'PricesChanged' }>): void {
  const { content, late, at } = record.data;
  const time = timeOf(at);
  const told = content.markets.filter(isMainMarket);
  const named = [...new Set(told.map(marketName))];
  const book: MainQuotes = ownValue(next.books, content.bookmaker) ?? begun(next, content.bookmaker);
  if (late) book.markets = mainOf(late.prices);
  else {
    const prices: BookPrices = { capturedAt: at, markets: book.markets };
    applyPrices(prices, { ...record.data, content: { ...content, markets: told } });
  }
  if (time > book.newestAt) book.namedBy = {};
  if (time >= book.newestAt) book.namedBy[record.revision] = named;
  book.newestAt = Math.max(book.newestAt, time);
  name(book, named, time);
}

function begun({ books }: MainQuotesDocument, bookmaker: string): MainQuotes {
  const book: MainQuotes = { markets: {}, namedAt: {}, namedBy: {}, newestAt: 0 };
  setOwn(books, bookmaker, book);
  return book;
}

/** A copy: later records change it, and must not change the record's own. */
const mainOf = ({ markets }: BookPrices): MainQuotes['markets'] =>
  Object.fromEntries(
    ['h2h', 'spreads', 'totals'].flatMap((market) => (markets[market] ? [[market, [...markets[market]]]] : [])),
  );

/** The same again: whatever was named then is named now. */
function reconfirm({ books }: MainQuotesDocument, { data }: Extract<DomainRecord, { type: 'PricesReconfirmed' }>) {
  const book = ownValue(books, data.bookmaker);
  const named = book?.namedBy[data.of];
  if (!book || !named) return;
  const time = timeOf(data.at);
  if (time > book.newestAt) book.namedBy = { [data.of]: named };
  book.newestAt = Math.max(book.newestAt, time);
  name(book, named, time);
}

function name({ namedAt }: MainQuotes, markets: readonly string[], time: number): void {
  for (const market of markets) namedAt[market] = Math.max(namedAt[market] ?? 0, time);
}
