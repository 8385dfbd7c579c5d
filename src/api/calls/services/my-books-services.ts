import type { Principal } from '../principal.ts';

/** Books in the list of an account. */
export const MAX_MY_BOOKS = 50;

/** The books where an account can bet: slugs; null: it has no list, so every book counts. */
export interface MyBooksServices {
  /** Read anew each time: the call after a change is answered by the new list, in whichever process. */
  of(principal: Pick<Principal, 'account' | 'accountId'>): Promise<readonly string[] | null>;
  /** @throws ApiError forbidden without an account */
  put(principal: Principal, books: readonly string[] | null): Promise<void>;
}
