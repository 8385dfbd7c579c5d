/** How long a new key's secret waits to be shown, in milliseconds. */
export const REVEAL_LIFETIME_MS = 10 * 60 * 1000;

/** The secret of a key that was just made. */
interface NewSecret {
  readonly keyId: number;
  /** Of the session that made the key: no other is shown it. */
  readonly sessionId: number;
  readonly secret: string;
  /** From this moment on nobody is shown it, in milliseconds. */
  readonly until: number;
}

/**
 * Secrets of new keys until they are shown, once, to the session that made the key. They stand encrypted, also over a
 * restart. Several processes may use it at once; `now` is milliseconds of the clock.
 */
export interface KeyRevealStore {
  save(secret: NewSecret): Promise<void>;
  /** Whether it could be taken now. */
  isAvailable(keyId: number, sessionId: number, now: number): Promise<boolean>;
  /** Gives the secret, and erases it in the same moment: of two that ask at once, one gets it. Undefined: it is gone. */
  consume(keyId: number, sessionId: number, now: number): Promise<string | undefined>;
  /** Nobody is shown it any more: the key is revoked. */
  drop(keyId: number): Promise<void>;
}
