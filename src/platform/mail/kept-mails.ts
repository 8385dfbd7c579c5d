/** A mail that waits. */
export interface KeptMail {
  /** Random, and part of its Message-ID: one that is sent twice can be known again. */
  readonly id: string;
  /** Nobody reads addresses and links in the rows. */
  readonly sealed: string;
  /** How often it could not be handed over. */
  readonly failures: number;
}

/** Mails that several processes keep and send together. Times are milliseconds. */
export interface KeptMails {
  /** On disk when it resolves, and due at once. */
  add(mail: Pick<KeptMail, 'id' | 'sealed'>, now: number): Promise<void>;
  /**
   * Those that are due, the longest first: for `forMs` nobody else is given them.
   * @param claim names who takes them, never the same twice
   */
  claim(claim: string, now: number, forMs: number, most: number): Promise<readonly KeptMail[]>;
  /** Whoever holds it: it has left, or is given up. */
  drop(id: string): Promise<void>;
  /** It failed once more; where the claim has run out and another process has taken it, this changes nothing. */
  postpone(id: string, claim: string, dueAt: number): Promise<void>;
  /** When the next one is due, or its claim runs out; null: none waits. */
  nextDue(): Promise<number | null>;
}
