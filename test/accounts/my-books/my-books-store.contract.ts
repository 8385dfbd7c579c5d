import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MyBooksStore } from '../../../src/accounts/my-books/my-books-store.ts';

interface TestedMyBooks {
  readonly myBooks: MyBooksStore;
  /** On a connection of its own, as another process has it. */
  readonly another: MyBooksStore;
  /** The version of the active subscriptions of webhooks: who sends reads the lists anew when it changes. */
  activeVersion(): Promise<number>;
  /** Makes an account. @returns its id */
  newAccount(): Promise<number>;
  close(): Promise<void>;
}

/** Every adapter of the lists of books passes it. */
export function myBooksStoreContract(name: string, open: () => Promise<TestedMyBooks>): void {
  describe(`lists of books on ${name}`, () => {
    let tested: TestedMyBooks;
    beforeEach(async () => {
      tested = await open();
    });
    afterEach(() => tested.close());

    it('are found as they were put, by another process too, and replaced', async () => {
      const { myBooks, another } = tested;
      const account = await tested.newAccount();
      expect(await myBooks.find(account)).toBeNull();
      await myBooks.put(account, ['fanduel', 'betmgm']);
      expect(await another.find(account)).toEqual(['fanduel', 'betmgm']);
      await another.put(account, ['circa']);
      expect(await myBooks.find(account)).toEqual(['circa']);
    });

    it('are an account’s own, and end', async () => {
      const { myBooks } = tested;
      const [one, other] = [await tested.newAccount(), await tested.newAccount()];
      await myBooks.put(one, ['fanduel']);
      await myBooks.put(other, ['betmgm']);
      await myBooks.put(one, null);
      await myBooks.put(one, null);
      expect([await myBooks.find(one), await myBooks.find(other)]).toEqual([null, ['betmgm']]);
    });

    it('are found for many accounts at once', async () => {
      const accounts: number[] = [];
      for (let index = 0; index < 3; index++) accounts.push(await tested.newAccount());
      await tested.myBooks.put(accounts[0]!, ['fanduel']);
      await tested.myBooks.put(accounts[2]!, ['betmgm']);
      const unknown = Array.from({ length: 1200 }, (_, index) => 1_000_000 + index);
      const found = await tested.myBooks.findSome([...unknown, ...accounts]);
      expect([...found].sort(([a], [b]) => a - b)).toEqual([
        [accounts[0], ['fanduel']],
        [accounts[2], ['betmgm']],
      ]);
      expect((await tested.myBooks.findSome([])).size).toBe(0);
    });

    it('are told to whoever sends webhooks with each change', async () => {
      const account = await tested.newAccount();
      const versions = [await tested.activeVersion()];
      for (const books of [['fanduel'], ['betmgm'], null]) {
        await tested.myBooks.put(account, books);
        versions.push(await tested.activeVersion());
      }
      expect(new Set(versions).size).toBe(4);
    });
  });
}
