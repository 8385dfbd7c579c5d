/** The books of accounts: where each can bet. Several processes may use it at once. */
export interface MyBooksStore {
  /** Slugs in the order in which they were given; null: the account has no list. */
  find(accountId: number): Promise<readonly string[] | null>;
  /** The lists of these accounts; an account without one is missing. */
  findSome(accountIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Replaces the list. @param books null: it has none from now on */
  put(accountId: number, books: readonly string[] | null): Promise<void>;
}
