import type { DomainRecord } from '../../domain/domain-events.ts';
import { type LastPrices, movePrices } from '../../domain/movements.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { StreamPlace, StreamPlaces } from './stream-places.ts';

type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' }>;

/** Records of a read forwards, and of the first one backwards, which grow to the most. */
const PAGE = 256;
const FIRST_PAGE = 32;
/** Rather than over more records than this it goes back from the record itself. */
const LEAP = 512;
const BYTES_OF_BOOK = 200;
const BYTES_OF_PRICE = 120;

/** A bookmaker's last prices on the main lines, as an event's odds had them before a record. For one caller at a time. */
export interface LastPricesOf {
  /** All that the record's own prices are compared with; others may be missing. It is lent. */
  before(record: PricesRecord): Promise<LastPrices>;
}

interface Book {
  last: LastPrices;
  /** Nothing before the place's first record is missing. */
  isWhole: boolean;
}

/** The records from `first` to `revision`, folded. What they leave open stands further back. */
interface Place extends StreamPlace {
  first: number;
  revision: number;
  readonly books: Map<string, Book>;
}

/**
 * A stream of odds may be long, and what a record is compared with was mostly said shortly before: so it is looked for
 * from there backwards, and only as far as needed. Then it goes on with the log.
 */
export function lastPricesOf(
  log: Pick<EventLog, 'readStream'>,
  places: StreamPlaces,
  breathe: () => Promise<void>,
): LastPricesOf {
  const nameOf = (stream: string) => `last prices ${stream}`;

  function newPlace(revision: number): Place {
    const books = new Map<string, Book>();
    return {
      ...{ first: revision + 1, revision, books },
      bytes() {
        let bytes = 300;
        for (const { last } of books.values()) bytes += BYTES_OF_BOOK + Object.keys(last).length * BYTES_OF_PRICE;
        return bytes;
      },
    };
  }

  function bookOf(place: Place, name: string): Book {
    let book = place.books.get(name);
    if (!book) {
      book = { last: {}, isWhole: place.first === 0 };
      place.books.set(name, book);
    }
    return book;
  }

  function foldOn(place: Place, record: LogRecord): void {
    place.revision = record.revision;
    if (!isPrices(record)) return;
    const { content, late } = record.data;
    const book = bookOf(place, content.bookmaker);
    if (late) {
      book.last = { ...late.movements.last };
      book.isWhole = true;
    } else movePrices(book.last, content, nothing);
  }

  /** What later records have said stands. */
  function foldBack(place: Place, record: LogRecord): void {
    const book = isPrices(record) ? bookOf(place, record.data.content.bookmaker) : undefined;
    // Not before: a book that is met here for the first time has not all that there is.
    place.first = record.revision;
    if (!isPrices(record) || !book || book.isWhole) return;
    const { content, late } = record.data;
    book.last = { ...(late ? late.movements.last : toldBy(content)), ...book.last };
    if (late) book.isWhole = true;
  }

  async function goOn(stream: string, place: Place, revision: number): Promise<void> {
    while (place.revision < revision) {
      const limit = Math.min(revision - place.revision, PAGE);
      const page = await log.readStream(stream, { fromRevision: place.revision + 1, limit });
      if (page.length === 0) return;
      for (const record of page) foldOn(place, record);
      await breathe();
    }
  }

  async function goBack(stream: string, place: Place, isMissing: () => boolean): Promise<void> {
    for (let limit = FIRST_PAGE; place.first > 0 && isMissing(); limit = Math.min(limit * 2, PAGE)) {
      const options = { direction: 'backwards', fromRevision: place.first - 1, limit } as const;
      for (const record of await log.readStream(stream, options)) foldBack(place, record);
      await breathe();
    }
    if (place.first === 0) for (const book of place.books.values()) book.isWhole = true;
  }

  return {
    async before(record) {
      const { stream, revision, data } = record;
      const known = places.find<Place>(nameOf(stream), revision - 1);
      const place = known && revision - known.revision <= LEAP ? known : newPlace(revision - 1);
      await goOn(stream, place, revision - 1);
      const book = bookOf(place, data.content.bookmaker);
      const wanted = Object.keys(toldBy(data.content));
      await goBack(stream, place, () => !book.isWhole && wanted.some((series) => !Object.hasOwn(book.last, series)));
      places.keep(nameOf(stream), place);
      return book.last;
    },
  };
}

const isPrices = (record: LogRecord): record is PricesRecord => record.type === 'PricesChanged';
const nothing = (): void => {};

/** What a message says of the main lines, by the names of their series. */
function toldBy(content: PricesRecord['data']['content']): LastPrices {
  const told: LastPrices = {};
  movePrices(told, content, nothing);
  return told;
}
