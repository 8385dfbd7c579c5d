import type { IncomingMessage } from 'node:http';
import type { MyBooksStore } from '../../../accounts/my-books/my-books-store.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';

/** The list of books of whoever reads a page; null: nobody is signed in, or the account has no list. */
export type ReaderBooks = (request: IncomingMessage) => Promise<readonly string[] | null>;

interface ReaderBooksParts {
  readonly users: Pick<UserService, 'session'>;
  readonly cookies: Pick<PageCookies, 'sessionTokenOf'>;
  readonly store: Pick<MyBooksStore, 'find'>;
}

/** For pages that nobody caches: what they show depends on who reads them. */
export const createReaderBooks =
  ({ users, cookies, store }: ReaderBooksParts): ReaderBooks =>
  async (request) => {
    const token = cookies.sessionTokenOf(request);
    const session = token === undefined ? undefined : await users.session(token);
    return session ? store.find(session.user.accountId) : null;
  };
