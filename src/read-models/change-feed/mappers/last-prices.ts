import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { type LastPrices, seriesName, updateLastPrices } from '../../../domain/odds/line-movements.ts';
import { withHeldTold, withoutHeld } from '../../../domain/odds/suspect-news.ts';
import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { StreamFold, StreamFoldCache } from '../stream-fold-cache.ts';

type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' }>;

/** Records per read forwards, and per first read backwards. Backward reads grow up to the same size. */
const PAGE = 256;
const FIRST_PAGE = 32;
/** Beyond so many records, it reads backwards from the record instead of forwards. */
const MAX_RECORDS_FORWARD = 512;
const BYTES_OF_BOOK = 200;
const BYTES_OF_PRICE = 120;

/** The last told prices of a bookmaker on the main lines of an event before a record. For one caller at a time. */
interface LastPricesReader {
  /**
   * All prices that the prices of the record are compared with; others may be missing. The caller must not keep the
   * object.
   */
  before(record: PricesRecord): Promise<LastPrices>;
}

interface BookmakerPrices {
  last: LastPrices;
  /** No price from before the first record of the window is missing. */
  isComplete: boolean;
}

/** The fold of the records from `first` to `revision`. Prices that it does not have are further back. */
interface PriceWindow extends StreamFold {
  first: number;
  revision: number;
  readonly books: Map<string, BookmakerPrices>;
}

/**
 * A stream of odds may be long, but the prices to compare with are mostly recent: so it reads backwards from the
 * record, only as far as needed, and then continues forwards with the log.
 */
export function createLastPricesReader(
  log: Pick<EventLog, 'readStream'>,
  cache: StreamFoldCache,
  breathe: () => Promise<void>,
): LastPricesReader {
  const nameOf = (stream: string) => `last prices ${stream}`;

  function newWindow(revision: number): PriceWindow {
    const books = new Map<string, BookmakerPrices>();
    return {
      first: revision + 1,
      revision,
      books,
      bytes() {
        let bytes = 300;
        for (const { last } of books.values()) bytes += BYTES_OF_BOOK + Object.keys(last).length * BYTES_OF_PRICE;
        return bytes;
      },
    };
  }

  function bookOf(window: PriceWindow, name: string): BookmakerPrices {
    let book = window.books.get(name);
    if (!book) {
      book = { last: {}, isComplete: window.first === 0 };
      window.books.set(name, book);
    }
    return book;
  }

  function foldForward(window: PriceWindow, record: LogRecord): void {
    window.revision = record.revision;
    if (!isPrices(record)) return;
    const { content, late, suspect } = record.data;
    const book = bookOf(window, content.bookmaker);
    if (late) {
      book.last = withHeldTold(late.movements.last, suspect?.held);
      book.isComplete = true;
    } else updateLastPrices(book.last, withoutHeld(content, suspect?.held), ignore);
    for (const { bookmaker, market, outcome, to } of suspect?.released ?? []) {
      bookOf(window, bookmaker).last[seriesName(market, outcome)] = to;
    }
  }

  /** Prices of later records stay. */
  function foldBackward(window: PriceWindow, record: LogRecord): void {
    const book = isPrices(record) ? bookOf(window, record.data.content.bookmaker) : undefined;
    const released = (isPrices(record) && record.data.suspect?.released) || [];
    const others = released.map(({ bookmaker }) => bookOf(window, bookmaker));
    // Only now: a bookmaker that appears here for the first time is not complete yet.
    window.first = record.revision;
    for (const [place, { market, outcome, to }] of released.entries()) {
      const other = others[place]!;
      if (!other.isComplete) other.last = { [seriesName(market, outcome)]: to, ...other.last };
    }
    if (!isPrices(record) || !book || book.isComplete) return;
    const { late, suspect } = record.data;
    const told = withHeldTold(late ? late.movements.last : toldIn(record), suspect?.held);
    book.last = { ...told, ...book.last };
    if (late) book.isComplete = true;
  }

  async function readForward(stream: string, window: PriceWindow, revision: number): Promise<void> {
    while (window.revision < revision) {
      const limit = Math.min(revision - window.revision, PAGE);
      const page = await log.readStream(stream, { fromRevision: window.revision + 1, limit });
      if (page.length === 0) return;
      for (const record of page) foldForward(window, record);
      await breathe();
    }
  }

  async function readBackward(stream: string, window: PriceWindow, isMissing: () => boolean): Promise<void> {
    for (let limit = FIRST_PAGE; window.first > 0 && isMissing(); limit = Math.min(limit * 2, PAGE)) {
      const options = { direction: 'backwards', fromRevision: window.first - 1, limit } as const;
      for (const record of await log.readStream(stream, options)) foldBackward(window, record);
      await breathe();
    }
    if (window.first === 0) for (const book of window.books.values()) book.isComplete = true;
  }

  return {
    async before(record) {
      const { stream, revision, data } = record;
      const known = cache.findUpTo<PriceWindow>(nameOf(stream), revision - 1);
      const window = known && revision - known.revision <= MAX_RECORDS_FORWARD ? known : newWindow(revision - 1);
      await readForward(stream, window, revision - 1);
      const book = bookOf(window, data.content.bookmaker);
      const wanted = Object.keys(toldIn(record));
      await readBackward(
        stream,
        window,
        () => !book.isComplete && wanted.some((series) => !Object.hasOwn(book.last, series)),
      );
      cache.put(nameOf(stream), window);
      return book.last;
    },
  };
}

const isPrices = (record: LogRecord): record is PricesRecord => record.type === 'PricesChanged';
const ignore = (): void => {};

/** The main-line prices of a message that are told, by the names of their series. */
function toldIn({ data: { content, suspect } }: PricesRecord): LastPrices {
  const prices: LastPrices = {};
  updateLastPrices(prices, withoutHeld(content, suspect?.held), ignore);
  return prices;
}
