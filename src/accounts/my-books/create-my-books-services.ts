import { ApiError } from '../../api/calls/api-errors.ts';
import type { MyBooksServices } from '../../api/calls/services/my-books-services.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { MyBooksStore } from './my-books-store.ts';

interface MyBooksServicesParts {
  readonly store: Pick<MyBooksStore, 'find' | 'put'>;
  readonly gate: WriteGate;
}

export const createMyBooksServices = ({ store, gate }: MyBooksServicesParts): MyBooksServices => ({
  of: async ({ account, accountId }) => (account ? store.find(accountId) : null),
  async put({ account, accountId }, books) {
    if (!account) throw new ApiError('forbidden', 'The key of the operator has no account to hold a list of books.');
    gate.assertOpen();
    await store.put(accountId, books);
  },
});
