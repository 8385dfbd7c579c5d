import { LISTED_QUOTE_AGE } from '../../intelligence/prices/book-list.ts';
import type { ClientChange, NamedBooks } from '../../read-models/change-feed/change-mapper.ts';

/** The list of these books, whatever their order. */
export function namedBooks(books: readonly string[]): NamedBooks {
  const sorted = [...new Set(books)].sort();
  return { books: new Set(sorted), key: sorted.join() };
}

/**
 * A change as somebody with this list of books receives it: it names no other book. Null: nothing of it is left.
 * @param list undefined: every book counts
 */
export function changeUnderList(change: ClientChange, list: NamedBooks | undefined): ClientChange | null {
  if (change.list) return change.list.key === list?.key ? change : null;
  if (!list) return change;
  const { eventType, data } = change;
  const { books } = list;
  switch (eventType) {
    // Each list has its own.
    case 'ev':
    case 'arbitrage':
      return null;
    case 'line_move':
    case 'new_price':
      return books.has(data['bookmaker'] as string) ? change : null;
    case 'steam': {
      const { bookmakers } = data as { readonly bookmakers: readonly string[] };
      // The prices that it tells are those of the last book.
      if (!books.has(bookmakers.at(-1)!)) return null;
      return { ...change, data: { ...data, bookmakers: bookmakers.filter((book) => books.has(book)) } };
    }
    case 'intelligence': {
      const bets = (data['bets'] as readonly Bet[]).map((bet) => betUnderList(bet, books));
      return { ...change, data: { ...data, bets } };
    }
    default:
      return change;
  }
}

interface Offer {
  readonly book: string;
  readonly quote_age_seconds: number;
}

/** What names books in a published bet. */
interface Bet {
  readonly market: { readonly book: string | null; readonly price: number | null; readonly line: number | null };
  readonly fair: { readonly books: readonly string[] } | null;
  readonly edges_by_book: Readonly<Record<string, number>> | null;
  readonly best: Offer | null;
  readonly ev: Offer | null;
}

function betUnderList(bet: Bet, books: NamedBooks['books']): Bet {
  const { market, fair, edges_by_book: edges } = bet;
  const offered = <One extends Offer>(one: One | null): One | null =>
    one && books.has(one.book) && one.quote_age_seconds * 1000 <= LISTED_QUOTE_AGE ? one : null;
  return {
    ...bet,
    market: market.book === null || books.has(market.book) ? market : { ...market, book: null, price: null },
    fair: fair && { ...fair, books: fair.books.filter((book) => books.has(book)) },
    edges_by_book: edges && Object.fromEntries(Object.entries(edges).filter(([book]) => books.has(book))),
    best: offered(bet.best),
    ev: offered(bet.ev),
  };
}
