/** A mail as it is handed over: plain text, and HTML beside it where there is some. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail now. @throws where it could not be handed over: the outbox tries again */
export interface Mailer {
  /** For the operator, when the server starts. */
  readonly description: string;
  send(mail: Mail, /** The same each time it is tried. */ id: string): Promise<void>;
}

/** Mails that are to leave, kept until they have. A crash loses none; after a failure each is sent again. */
export interface Outbox {
  /** Resolves when it is on disk; it leaves soon afterwards. */
  add(mail: Mail): Promise<void>;
}

/** A mail that waits. */
export interface QueuedMail {
  /** Random, and part of its Message-ID: one that is sent twice can be known again. */
  readonly id: string;
  /** Nobody reads addresses and links in the rows. */
  readonly sealed: string;
  /** How often it could not be handed over. */
  readonly failures: number;
}

/** Mails that several processes keep and send together. Times are milliseconds. */
export interface MailQueue {
  /** On disk when it resolves, and due at once. */
  add(mail: Pick<QueuedMail, 'id' | 'sealed'>, now: number): Promise<void>;
  /**
   * Those that are due, the longest first: for `forMs` nobody else is given them.
   * @param claim names who takes them, never the same twice
   */
  claim(claim: string, now: number, forMs: number, most: number): Promise<readonly QueuedMail[]>;
  /** Whoever holds it: it has left, or is given up. */
  drop(id: string): Promise<void>;
  /** It failed once more; where the claim has run out and another process has taken it, this changes nothing. */
  postpone(id: string, claim: string, dueAt: number): Promise<void>;
  /** When the next one is due, or its claim runs out; null: none waits. */
  nextDue(): Promise<number | null>;
}
