import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';

/** Case, blanks and signs do not tell one book from another: `Hard Rock`, `hard_rock` and `hardrock`. */
const foldedBook = (book: string): string => {
  const folded = book
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  // A name of signs alone has nothing else to be told by.
  return folded === '' ? book : folded;
};

/**
 * What each book is called in a summary: a known bookmaker by its slug, any other as the first one asked for is written.
 * @param now milliseconds
 */
export function createBookKeys(bookmakers: Pick<Bookmakers, 'list'>, now: number): (book: string) => string {
  const keys = new Map<string, string>();
  for (const { slug, name } of bookmakers.list([], now)) {
    keys.set(foldedBook(slug), slug);
    keys.set(foldedBook(name), slug);
  }
  return (book) => {
    const folded = foldedBook(book);
    const known = keys.get(folded);
    if (known !== undefined) return known;
    keys.set(folded, book);
    return book;
  };
}
