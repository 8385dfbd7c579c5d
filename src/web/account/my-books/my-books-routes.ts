import { ApiError, type FieldError } from '../../../api/calls/api-errors.ts';
import { getMyBooks, putMyBooks } from '../../../api/operations/account/my-books.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { fieldText } from '../form-values.ts';
import { createPageCalls, type PageCallsParts } from '../page-calls.ts';
import { toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { END_FIELD, MY_BOOKS_PATH, myBooksPage, typedBooks } from './my-books-page.ts';

interface MyBooksPageParts extends PageCallsParts {
  /** Display names of bookmakers, by slug. */
  readonly names: Readonly<Record<string, string>>;
  readonly pages: SitePages;
}

interface MyBooks {
  readonly my_books: readonly string[] | null;
}

/** The page on which owners say where they can bet. It refuses what the API refuses. */
export function myBooksRoutes({ names, pages, ...parts }: MyBooksPageParts): readonly PageRoute[] {
  const call = createPageCalls(parts);

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const { my_books: books } = await call<MyBooks>(visit, getMyBooks, {}).catch(refuse);
    return pageResponse('My books', myBooksPage(visit, { books, names, hasOdds: pages.hasLivePage }, refusal));
  }

  async function save(visit: SignedInRequest): Promise<PageResponse> {
    const isEnd = fieldText(visit.form, END_FIELD) !== '';
    const chosen = isEnd ? null : typedBooks(visit.form);
    await call(visit, putMyBooks, { my_books: chosen }).catch(refuse);
    return redirect(MY_BOOKS_PATH, successFlash(isEnd ? 'You have no list any more.' : 'Your books are saved.'));
  }

  return [
    { method: 'GET', path: MY_BOOKS_PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: MY_BOOKS_PATH, access: 'signed-in', lists: ['book'], run: save, refused: shown },
  ];
}

/** An error of the API as the form shows it. */
function refuse(error: unknown): never {
  const { errors = [] } = (error instanceof ApiError ? error.extras : {}) as {
    readonly errors?: readonly FieldError[];
  };
  const [first] = errors;
  if (!first) throw toRefused(error);
  throw new RefusedError(422, 'Your books were not saved. See below.', { fields: { my_books: `It ${first.msg}.` } });
}
