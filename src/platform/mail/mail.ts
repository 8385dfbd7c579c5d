/** A mail as it is handed over: plain text, and HTML beside it where there is some. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail now. @throws where it could not be handed over: the outbox tries again */
export interface Mailer {
  /** For the operator, when the server starts. */
  readonly says: string;
  send(mail: Mail, /** The same each time it is tried. */ id: string): Promise<void>;
}

/** Mails that are to leave, kept until they have. A crash loses none; after a failure each is sent again. */
export interface Outbox {
  /** Resolves when it is on disk; it leaves soon afterwards. */
  add(mail: Mail): Promise<void>;
}
