import { decimalOdds } from './odds-arithmetic.ts';
import { isFresh, type Quote } from './quotes.ts';
import { isBettableBook } from './sharp-books.ts';
import { isOffered } from './stake-prices.ts';

/** How old a price may be under a list, by default: milliseconds. */
export const LISTED_QUOTE_AGE = 900_000;

/** The books where somebody can bet: prices of others are not named. */
export interface BookList {
  /** Slugs. */
  readonly books: ReadonlySet<string>;
  /** Older prices are not named: milliseconds. */
  readonly maxAge: number;
}

/** The quotes at which somebody with this list can bet. */
export const quotesInList = (quotes: readonly Quote[], { books, maxAge }: BookList, clock: number): Quote[] =>
  quotes.filter((quote) => books.has(quote.book) && isBettableBook(quote) && isFresh(quote.at, clock, maxAge));

/** A bet at a price of a listed book. */
interface ListedBet {
  /** The index of the market's outcome. */
  readonly outcome: number;
  /** Of the quote, so home's point of a spread. */
  readonly line: number | null;
  readonly price: number;
}

/** How many books outside the list have a better price for one of these bets, at the same line. */
export function countBetterElsewhere(
  bets: readonly ListedBet[],
  quotes: readonly Quote[],
  { books, maxAge }: BookList,
  clock: number,
): number {
  const isBetter = (quote: Quote) =>
    bets.some(
      ({ outcome, line, price }) =>
        quote.line === line && isOffered(quote, outcome) && decimalOdds(quote.prices[outcome]!) > decimalOdds(price),
    );
  const better = quotes.filter(
    (quote) => !books.has(quote.book) && isBettableBook(quote) && isFresh(quote.at, clock, maxAge) && isBetter(quote),
  );
  return new Set(better.map(({ book }) => book)).size;
}
