/** How long the secret of a new key can be shown, in milliseconds. */
export const REVEAL_LIFETIME_MS = 10 * 60 * 1000;

/** The secret of a new key. */
interface NewSecret {
  readonly keyId: number;
  /** The session that made the key. No other session can see the secret. */
  readonly sessionId: number;
  readonly secret: string;
  /** From this time on the secret is not shown any more, in milliseconds. */
  readonly until: number;
}

/**
 * Holds the secrets of new keys, encrypted and across restarts, until they are shown once to the session that made the
 * key. Several processes may use it at once. `now` is in milliseconds.
 */
export interface KeyRevealStore {
  save(secret: NewSecret): Promise<void>;
  /** Whether `consume` would give the secret now. */
  isAvailable(keyId: number, sessionId: number, now: number): Promise<boolean>;
  /**
   * Gives the secret and erases it in one step, so only one of two concurrent calls gets it. Undefined if it is gone.
   */
  consume(keyId: number, sessionId: number, now: number): Promise<string | undefined>;
  /** Erases the secret of a revoked key. */
  drop(keyId: number): Promise<void>;
}
