import { type BookList, LISTED_QUOTE_AGE } from '../../../intelligence/prices/book-list.ts';
import { MAX_QUOTE_AGE } from '../../../intelligence/prices/quotes.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { OwnBooks } from '../../calls/operation/with-my-books.ts';
import { number, text } from './parameters.ts';

/** Seconds. Older quotes never count. */
const OLDEST = MAX_QUOTE_AGE / 1000;

/** For operations with `takesBooks`. */
export const booksParameter = text(
  'Where you can bet: slugs, comma-separated; no other book is named. `all`: every book. Left out: the list of the account, if it has one.',
  { max: 2000 },
)
  .optional()
  .meta({ examples: ['draftkings,fanduel'] });

export const maxAgeParameter = (more = '') =>
  number(`How old a price may be, in seconds; brought within 1 and ${OLDEST}.${more}`);

interface GivenList extends OwnBooks {
  readonly books?: string | undefined;
  readonly max_age?: number | undefined;
}

/** Seconds. */
export const clampedAge = (seconds: number): number => Math.max(1, Math.min(OLDEST, seconds));

/** Slugs; null: every book. */
const listedBooks = ({ books, my_books: own = [] }: GivenList): readonly string[] | null =>
  books === undefined ? (own.length > 0 ? own : null) : parseBookmakers(books).slugs;

/** The list of books in force; undefined: every book counts. */
export function readBookList(given: GivenList): BookList | undefined {
  const books = listedBooks(given);
  const { max_age: seconds = LISTED_QUOTE_AGE / 1000 } = given;
  return books ? { books: new Set(books), maxAge: clampedAge(seconds) * 1000 } : undefined;
}
