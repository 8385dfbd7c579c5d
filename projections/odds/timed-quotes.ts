import { timeOf } from '../../src/domain/observations/observation.ts';
import { applyChanges, type BookDepth } from '../../src/domain/odds/book-depth.ts';
import {
  applyPrices,
  type BookPrices,
  marketName,
  noteRepetition,
  type PricedOutcome,
} from '../../src/domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../src/domain/primitives/own-properties.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';

/** A bookmaker's quotes on selected markets of one event, with their times. */
interface TimedQuotes {
  /** By market. */
  markets: Record<string, readonly PricedOutcome[]>;
  /** Time of the last message with the market, including reconfirmations: milliseconds, by market. */
  namedAt: Record<string, number>;
  /** As in `BookPrices`. */
  repeated?: Record<string, true>;
  fresh?: Record<string, readonly string[]>;
  partly?: Record<string, readonly string[]>;
  /**
   * The markets of the newest message, by revision of its record, which reconfirmations refer to. Several entries if
   * several messages have the same time.
   */
  namedBy: Record<string, readonly string[]>;
  /** Time of the newest message: milliseconds. */
  newestAt: number;
  /** The order books of an exchange, by market. */
  depth?: BookDepth;
}

/** By bookmaker. */
export type QuotesByBook = Record<string, TimedQuotes>;

/** Whether a record may concern a wanted market: price changes by their markets, all other records always. */
export const mentionsWantedMarket = (record: DomainRecord, isWanted: (name: string) => boolean): boolean =>
  record.type !== 'PricesChanged' || record.data.content.markets.some((market) => isWanted(marketName(market)));

/** Applies prices to the books, which it changes; records of other types change nothing. */
export function applyQuotes(books: QuotesByBook, record: DomainRecord, isWanted: (name: string) => boolean): void {
  if (record.type === 'PricesChanged') applyChange(books, record, isWanted);
  else if (record.type === 'PricesReconfirmed') applyReconfirmation(books, record);
  else return;
  applyDepth(books, record, isWanted);
}

function applyDepth(
  books: QuotesByBook,
  { type, data }: Extract<DomainRecord, { type: 'PricesChanged' | 'PricesReconfirmed' }>,
  isWanted: (name: string) => boolean,
): void {
  const changes = data.depth?.filter((market) => isWanted(marketName(market)));
  if (!changes?.length) return;
  const book = ownValue(books, type === 'PricesChanged' ? data.content.bookmaker : data.bookmaker);
  if (book) book.depth = applyChanges(book.depth, changes, data.at);
}

function applyChange(
  books: QuotesByBook,
  record: Extract<DomainRecord, { type: 'PricesChanged' }>,
  isWanted: (name: string) => boolean,
): void {
  const { content, late, at } = record.data;
  const time = timeOf(at);
  const wanted = content.markets.filter((market) => isWanted(marketName(market)));
  const names = [...new Set(wanted.map(marketName))];
  const book = ownValue(books, content.bookmaker) ?? addBook(books, content.bookmaker);
  // Copy the late state: later records change it, and must not change the record.
  if (late) {
    const of = <Value>(values: Readonly<Record<string, Value>>) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
    book.markets = of(late.prices.markets);
    const { repeated, fresh, partly } = late.prices;
    setRepetition(book, { repeated: of(repeated ?? {}), fresh: of(fresh ?? {}), partly: of(partly ?? {}) });
  } else {
    const prices: BookPrices = { capturedAt: at, markets: book.markets, ...repetitionOf(book) };
    const isLater = (market: string) => time > (ownValue(book.namedAt, market) ?? time);
    applyPrices(prices, { ...record.data, content: { ...content, markets: wanted } }, isLater);
    setRepetition(book, prices);
  }
  if (time > book.newestAt) book.namedBy = {};
  if (time >= book.newestAt) book.namedBy[record.revision] = names;
  book.newestAt = Math.max(book.newestAt, time);
  noteMarketTimes(book, names, time);
}

const REPETITION = ['repeated', 'fresh', 'partly'] as const;
type Repetition = Pick<BookPrices, (typeof REPETITION)[number]>;

function setRepetition(book: TimedQuotes, repetition: Repetition): void {
  for (const name of REPETITION) delete book[name];
  Object.assign(book, repetitionOf(repetition));
}

/** Without what says nothing. */
const repetitionOf = (book: Repetition): Repetition =>
  Object.fromEntries(
    REPETITION.flatMap((name) => (Object.keys(book[name] ?? {}).length > 0 ? [[name, book[name]]] : [])),
  );

function addBook(books: QuotesByBook, bookmaker: string): TimedQuotes {
  const book: TimedQuotes = { markets: {}, namedAt: {}, namedBy: {}, newestAt: 0 };
  setOwn(books, bookmaker, book);
  return book;
}

/** A reconfirmation has the same markets as the original record. */
function applyReconfirmation(
  books: QuotesByBook,
  { data }: Extract<DomainRecord, { type: 'PricesReconfirmed' }>,
): void {
  const book = ownValue(books, data.bookmaker);
  const names = book?.namedBy[data.of];
  if (!book || !names) return;
  const time = timeOf(data.at);
  if (time > book.newestAt) {
    book.namedBy = { [data.of]: names };
    const prices: BookPrices = { capturedAt: data.at, markets: book.markets, ...repetitionOf(book) };
    for (const name of names) noteRepetition(prices, name);
    setRepetition(book, prices);
  }
  book.newestAt = Math.max(book.newestAt, time);
  noteMarketTimes(book, names, time);
}

function noteMarketTimes({ namedAt }: TimedQuotes, markets: readonly string[], time: number): void {
  for (const market of markets) setOwn(namedAt, market, Math.max(ownValue(namedAt, market) ?? 0, time));
}
