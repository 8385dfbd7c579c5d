import { isDeepStrictEqual } from 'node:util';
import type { FeedOutcome } from '../../domain/feed/feed-messages.ts';
import {
  applyChanges,
  type BookDepth,
  type DepthChange,
  pricesOfBooks,
  type ReportedBook,
} from '../../domain/odds/book-depth.ts';
import { marketName, type PricesContent } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { alignOutcome } from '../binding/side-swap.ts';

/**
 * The order books of each venue in the streams that are read, as they were at each record. Records hold what changed
 * alone; who writes them anew into another stream needs the whole.
 */
export class RecordedLadders {
  readonly #ladders = new Map<string, BookDepth>();

  /** Notes a record. Call it with all of a stream, in its order. */
  note(record: DomainRecord): void {
    const venue = venueOf(record);
    if (venue === undefined || !('depth' in record.data) || !record.data.depth) return;
    const key = `${record.stream} ${venue}`;
    this.#ladders.set(key, applyChanges(this.#ladders.get(key), record.data.depth, record.data.at));
  }

  /**
   * The books that the record was made of, as far as they are markets of its prices. Undefined where it says nothing of
   * order books: a late one, and one of plain prices.
   * @param prices what the record says, or the one that it says again
   */
  booksOf(record: DomainRecord, { markets }: Pick<PricesContent, 'markets'>): readonly ReportedBook[] | undefined {
    const venue = venueOf(record);
    if (venue === undefined || ('late' in record.data && record.data.late)) return undefined;
    const ladder = this.#ladders.get(`${record.stream} ${venue}`);
    if (!ladder) return undefined;
    const { depth = [], at } = record.data as { readonly depth?: readonly DepthChange[]; readonly at: string };
    const changes = new Map(depth.map((change) => [marketName(change), change]));
    const books = markets.map(({ key, scope, alternate }) => {
      const name = marketName({ key, scope, alternate });
      const fee = changes.get(name)?.fee;
      return {
        ...{ key, scope, alternate, outcomes: ownValue(ladder, name)?.outcomes ?? [] },
        ...(fee === undefined ? {} : { fee }),
      };
    });
    // A ladder that was as before leaves no trace but its prices.
    return depth.length > 0 || isDeepStrictEqual(pricesOfBooks(ladder, books, at), markets) ? books : undefined;
  }
}

function venueOf(record: DomainRecord): string | undefined {
  if (record.type === 'PricesChanged') return record.data.content.bookmaker;
  return record.type === 'PricesReconfirmed' ? record.data.bookmaker : undefined;
}

/** The same books of an event with the sides in the opposite order. */
export const swapBooks = (books: readonly ReportedBook[], sport: string): readonly ReportedBook[] =>
  books.map((book) => ({
    ...book,
    outcomes: book.outcomes.map((one) => ({
      ...one,
      outcome: alignOutcome({ outcome: one.outcome, price: 100 } as FeedOutcome, sport, true)
        .outcome as typeof one.outcome,
    })),
  }));
