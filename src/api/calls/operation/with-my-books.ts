import { type Awaitable, mapAwaitable } from '../../../platform/async/awaitable.ts';
import type { Principal } from '../principal.ts';
import type { MyBooksServices } from '../services/my-books-services.ts';
import type { Operation } from './operation.ts';

/** What an operation that takes `books` gets beside them. No client can send it. */
export interface OwnBooks {
  /** The list of the caller’s account, where the call names no books and there is one. */
  readonly my_books?: readonly string[];
}

/**
 * The input with the list of the caller’s account, where the call names no books itself. It is part of the input, so that
 * answers are cached by it. What the call costs does not depend on it: estimates and caps hold for every account.
 */
export function withMyBooks(
  { takesBooks }: Pick<Operation, 'takesBooks'>,
  input: any,
  principal: Principal,
  myBooks: MyBooksServices,
): Awaitable<any> {
  if (!takesBooks || input.books !== undefined || !principal.account) return input;
  return mapAwaitable(myBooks.of(principal), (books) => (books ? { ...input, my_books: books } : input));
}
