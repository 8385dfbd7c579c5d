import type { NoteBook } from '../importing/note-book.ts';
import { bookmakerOf, CONSENSUS, OPENING } from './books.ts';
import { marketsOf, type PriceRow } from './prices.ts';
import { splitsOf } from './splits.ts';

/** When the prices of a game were taken, as UTC times. */
export interface Moments {
  /** When the consensus opened. Its opening prices are left out where nobody knows when that was. */
  readonly opening?: string;
  /** When every other price and the splits were taken. */
  readonly latest: string;
}

/** The odds and splits messages of one game's rows, the books in the order of their ids. */
export function* marketMessages(
  event: Readonly<Record<string, unknown>>,
  moments: Moments,
  rows: readonly PriceRow[],
  notes: NoteBook,
): Generator<Record<string, unknown>> {
  const byBook = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const known = byBook.get(row.book);
    if (known) known.push(row);
    else byBook.set(row.book, [row]);
  }
  const books = [...byBook].sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1));
  for (const [book, ofBook] of books) {
    const at = book === OPENING ? moments.opening : moments.latest;
    const markets = at === undefined ? [] : marketsOf(ofBook, notes);
    if (markets.length === 0) continue;
    yield { kind: 'odds', source: 'action-network', at, ...event, bookmaker: bookmakerOf(book), markets };
  }
  for (const [book, ofBook] of books) {
    // Files copy the percentages of the consensus to its opening prices, which were taken a day before them.
    if (book === OPENING) continue;
    const markets = splitsOf(ofBook, notes);
    if (!markets) continue;
    const bookmaker = book === CONSENSUS ? {} : { bookmaker: bookmakerOf(book) };
    yield { kind: 'splits', source: 'action-network', at: moments.latest, ...event, ...bookmaker, markets };
  }
}
