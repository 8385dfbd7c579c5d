/** What of a provider's quota is used, as it is kept over restarts. */
export interface StoredBudget {
  /** The UTC day that `used` is of, as YYYY-MM-DD. */
  readonly day: string;
  /** Credits. */
  readonly used: number;
  /** Milliseconds; no paid request before. */
  readonly notBefore: number;
  /** The provider says that nothing is left: no paid request on that day. */
  readonly isOver: boolean;
  /** What the provider has left by its own count, less what was under way; null where it has not said it. */
  readonly providerRemaining: number | null;
}

/** What connectors keep beside the log: who polls, and what is used of quotas. */
export interface ConnectorStore {
  /**
   * Takes the lease, or renews it, where nobody else holds it.
   * @param now milliseconds
   * @returns whether `owner` holds it until `now + forMs`
   */
  claim(owner: string, now: number, forMs: number): Promise<boolean>;
  /** Gives it back, where this one holds it. */
  release(owner: string): Promise<void>;
  readBudget(source: string): Promise<StoredBudget | undefined>;
  /** On disk when it resolves. */
  writeBudget(source: string, budget: StoredBudget): Promise<void>;
}
