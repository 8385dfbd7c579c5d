/** A mail in plain text, and in HTML if it has a form for people who read that. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** A URL that ends such mails: a POST to it, without anything else, is the one click of RFC 8058. */
  readonly oneClickEnd?: string;
}

/** Sends a mail now. @throws if the mail could not be sent; the outbox then retries */
export interface Mailer {
  /** For the operator, when the server starts. */
  readonly description: string;
  send(mail: Mail, /** The same for each attempt. */ id: string): Promise<void>;
}

/** Mails to send, stored until they are sent. A crash loses none; a failed mail is retried. */
export interface Outbox {
  /**
   * Resolves when the mail is on disk. It is sent soon afterwards.
   * @param id one for each mail: a mail that waits under this id already is not added again. Absent: a new one
   */
  add(mail: Mail, id?: string): Promise<void>;
}

/** A mail that waits. */
export interface QueuedMail {
  /** Random, and part of the Message-ID, so that a mail sent twice can be recognized. */
  readonly id: string;
  /** The encrypted mail, so that the rows show no addresses or links. */
  readonly sealed: string;
  /** How often sending failed. */
  readonly failures: number;
}

/** The queue of mails, shared by several processes. Times are milliseconds. */
export interface MailQueue {
  /** On disk when it resolves, and due at once. Does nothing if a mail with this id waits already. */
  add(mail: Pick<QueuedMail, 'id' | 'sealed'>, now: number): Promise<void>;
  /**
   * Claims the mails that are due, longest waiting first. For `forMs` no other process gets them.
   * @param claim identifies the claim; a new one for each call
   */
  claim(claim: string, now: number, forMs: number, limit: number): Promise<readonly QueuedMail[]>;
  /** Deletes a mail, whoever holds it: it was sent, or is given up. */
  drop(id: string): Promise<void>;
  /** Counts a failure. Changes nothing if the claim has expired and another process has the mail. */
  postpone(id: string, claim: string, dueAt: number): Promise<void>;
  /** When the next mail is due, or its claim expires; null: no mail waits. */
  nextDue(): Promise<number | null>;
}
