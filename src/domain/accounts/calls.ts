/** One call of a client that was answered. */
export interface AnsweredCall {
  /** When it came in. */
  readonly at: string;
  /** Null: of a session, such as the playground's. */
  readonly keyId: number | null;
  /** Null when it fitted none. */
  readonly operation: string | null;
  readonly requestId: string;
  readonly status: number;
  /** From its coming in to its answer. */
  readonly milliseconds: number;
  /** The limit that it shared with others of its kind. */
  readonly budget?: string;
  /** Of a charge: what a call with an `Idempotency-Key` ran under. All runs of one name are paid for once. */
  readonly run?: string;
}

export interface ChargedCall extends AnsweredCall {
  /** When it was charged, where that is another millisecond than `at`. */
  readonly chargedAt?: string;
  readonly credits: number;
  /** How many of these were bought ones; absent: none. */
  readonly bought?: number;
  /** They count for a daily cap. */
  readonly capped?: true;
}
