/** Used part of a provider's quota, stored across restarts. */
export interface StoredBudget {
  /** The UTC day of `used`, as YYYY-MM-DD. */
  readonly day: string;
  /** Credits. */
  readonly used: number;
  /** Milliseconds; no paid request before this time. */
  readonly notBefore: number;
  /** The provider reports that nothing is left: no paid request on that day. */
  readonly isOver: boolean;
  /** The provider's own count of what is left, minus the cost of requests that were running; null if it has not
   *  reported. */
  readonly providerRemaining: number | null;
}

/** Data that connectors store outside the log: which instance polls, and the used quotas. */
export interface ConnectorStore {
  /**
   * Takes or renews the lease unless another owner holds it.
   * @param now milliseconds
   * @returns whether `owner` holds it until `now + forMs`
   */
  claim(owner: string, now: number, forMs: number): Promise<boolean>;
  /** Releases the lease if this owner holds it. */
  release(owner: string): Promise<void>;
  readBudget(source: string): Promise<StoredBudget | undefined>;
  /** On disk when it resolves. */
  writeBudget(source: string, budget: StoredBudget): Promise<void>;
}
