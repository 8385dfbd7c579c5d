/** A link as it is stored. Times are ISO 8601, with milliseconds. */
export interface StoredLink {
  readonly id: number;
  readonly accountId: number;
  readonly name: string | null;
  readonly path: string;
  readonly format: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly uses: number;
}

export type NewStoredLink = Omit<StoredLink, 'id' | 'lastUsedAt' | 'uses'> & {
  /** Hash of the secret. */
  readonly hash: string;
};

/** The links of accounts. Several processes may use it at once. */
export interface LinkStore {
  /**
   * Adds a link, and removes those of the account that have expired.
   * @param most how many an account may have
   * @returns undefined if it has that many
   */
  add(link: NewStoredLink, most: number): Promise<StoredLink | undefined>;
  /** Sorted by id. */
  list(accountId: number): Promise<readonly StoredLink[]>;
  /** Undefined also if the keys of its account are refused. */
  findByHash(hash: string): Promise<StoredLink | undefined>;
  /** False: the account has no such link. */
  remove(id: number, accountId: number): Promise<boolean>;
  /** Counts a use. */
  noteUse(id: number, at: string): Promise<void>;
}
